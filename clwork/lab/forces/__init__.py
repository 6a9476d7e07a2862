"""The force view: who pulls and pushes a sentence at a step."""
