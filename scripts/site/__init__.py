"""Pages that anyone can read: the executed notebooks, docs/ and an API reference.

``make site`` makes them.
"""
