"""Measurements that docs/ quotes.

Each script writes one file into ``results/``, and ``make readme`` shows it.
"""
