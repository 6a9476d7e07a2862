"""Mutation tests of ``losses``, ``metrics`` and ``training``: ``python -m scripts.mutants``."""
