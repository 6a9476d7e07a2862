"""The run desk: all runs of a folder in a table, and their curves."""
