"""Pictures that serve a lesson: the notebooks draw them, no board of the lab does."""
