"""Encoders on disk: reading files that may be anybody's, and saving."""
