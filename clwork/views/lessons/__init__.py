"""Figures for single lessons."""
