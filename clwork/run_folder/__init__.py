"""A run's folder: configuration, checkpoints, history and encoders; one process writes it."""
