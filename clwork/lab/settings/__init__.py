"""All settings of a panel, as plain objects: what may be set, to what, why not now, and as one line of text."""
