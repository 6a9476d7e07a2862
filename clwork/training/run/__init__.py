"""A run in the background: starting, steering, forking, ending."""
