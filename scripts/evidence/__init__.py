"""The evidence: train and measure what answers the claims, and write the tables in clwork."""
