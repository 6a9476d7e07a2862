"""Shared parts of widgets: pages that poll the kernel, pages without one, labels, formulas."""
