"""A run's folder: its configuration, checkpoints, history and encoders, written by one process at a time."""
