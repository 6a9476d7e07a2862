"""The panel: settings on the left, pictures of the run on the right."""
