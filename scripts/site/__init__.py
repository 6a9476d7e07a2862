"""Pages that anyone can read: the notebooks, executed, with docs/ and an API reference (``make site``)."""
