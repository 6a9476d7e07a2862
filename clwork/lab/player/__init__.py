"""The player: watch a run, live or recorded."""
