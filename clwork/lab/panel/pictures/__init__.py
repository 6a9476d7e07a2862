"""What the panel draws of a run: one file for each picture. ``lab/panel/layout.py`` lists them, with place and size."""
