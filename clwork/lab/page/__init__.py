"""What all boards stand on: pages that ask the kernel, live figures, pages without a kernel, posters, tables."""
