"""What all boards stand on: live figures, clouds, pages without a kernel, buttons, messages."""
