"""Boxes of a lesson: a question before its answer, a dial over computed values, an exercise that is checked."""
