"""Blocks of Markdown in README.md and docs/, made from benchmarks/results/*.json by scripts/readme.py."""
