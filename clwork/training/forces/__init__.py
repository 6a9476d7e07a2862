"""A step held still, and what its loss does to each sentence."""
