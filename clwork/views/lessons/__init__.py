"""Figures that serve single lessons."""
