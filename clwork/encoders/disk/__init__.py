"""Encoders on disk: reading untrusted files, and saving."""
