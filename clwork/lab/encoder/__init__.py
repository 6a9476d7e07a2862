"""Two encoders that run in the page: their weights in 8 bits, and what the page shows of them."""
