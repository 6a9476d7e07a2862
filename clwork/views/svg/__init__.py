"""Figures as still pictures (SVG), where neither widgets nor scripts run."""
