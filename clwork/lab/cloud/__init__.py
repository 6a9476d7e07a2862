"""A cloud of very many sentences, by the graphics card."""
