"""The playground: type sentences, compare encoders, search a corpus."""
