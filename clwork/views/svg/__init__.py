"""Figures as SVG, for pages that run neither widgets nor scripts."""
