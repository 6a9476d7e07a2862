"""What all widgets share: pages that poll the kernel, pages without a kernel, live figures, labels, formulas."""
