"""Blocks of Markdown in README.md and docs/.

scripts/readme.py makes them from benchmarks/results/*.json.
"""
