"""The explorer: stored runs of a claim under sliders."""
