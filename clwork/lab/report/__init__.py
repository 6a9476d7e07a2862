"""A run as one file for those who have no Python."""

from .written import report

__all__ = ["report"]
