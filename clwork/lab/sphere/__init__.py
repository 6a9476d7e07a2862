"""The sphere lab: points on a circle or sphere under a loss, without Python."""
