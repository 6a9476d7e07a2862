"""Measurements that docs/ quotes; each script writes one file into ``results/``, and ``make readme`` shows it."""
