"""What the panel draws of a run: ``picture.py`` says what a picture is, ``pictures.py`` lists them."""
