"""TextCNN over frozen word vectors."""
