"""Shared parts of widgets: pages that poll the kernel, pages without a kernel, live figures, labels, formulas."""
