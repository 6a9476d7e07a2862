"""The evidence: every claim of the papers with its answer, to filter and to open."""
