"""What the five papers claim, as data: arms to compare, the measure, the direction, and the papers' own numbers."""

from .ledger import METRICS, Arm, Claim, Expectation, Metric, Reported, get, names

__all__ = ["METRICS", "Arm", "Claim", "Expectation", "Metric", "Reported", "get", "names"]
