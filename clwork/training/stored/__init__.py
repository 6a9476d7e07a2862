"""Runs read back from their folders: opening, replay, sweeps, deletion, recordings."""
