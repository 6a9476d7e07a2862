"""The panel of a method: its settings, the run that it controls, and the pictures of runs."""
