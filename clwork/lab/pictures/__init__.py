"""What the panel draws of a run: one file for each picture. ``lab/layout.py`` lists them, with place and size."""
