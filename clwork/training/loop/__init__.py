"""The training loop: batches, steps, probe, validation, precision."""
