"""Runs read back from their folders: opening, sweeps, deletion, recordings."""
