"""Linked clouds: the same sentences by several encoders."""
