"""The evidence: train and measure what answers the ledger of claims, and write the tables that clwork ships."""
