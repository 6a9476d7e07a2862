"""The same picture for a dark page: an SVG's colours exchanged, and both pictures in one place."""

from __future__ import annotations

import re

from ..style import DARK, GROUND, HAZE
from .picture import LOOK, svg_image

TWINS = {name.lower(): twin for name, twin in DARK.items() if name.startswith("#")}
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b")
GROUNDS = (  # white elsewhere is a letter on a coloured field, which stays
    (f'height="100%" fill="{GROUND}"', f'height="100%" fill="{DARK[GROUND]}"'),
    (f'stroke="{GROUND}"', f'stroke="{DARK[GROUND]}"'),
    (HAZE, DARK[HAZE]),
)


def in_dark(picture: str) -> str:
    """An SVG of :func:`clwork.views.to_svg` in the colours of a dark page.

    >>> in_dark('<rect height="100%" fill="white"/><line stroke="#222222"/>')
    '<rect height="100%" fill="#111111"/><line stroke="#E8EAED"/>'
    """
    changed = COLOUR.sub(lambda found: TWINS.get(found[0].lower(), found[0]), picture)
    for light, dark in GROUNDS:
        changed = changed.replace(light, dark)
    return changed


def both_images(picture: str, description: str, look: str = LOOK) -> str:
    """An SVG as two ``<img>``, of the classes ``clwork-light`` and ``clwork-dark``; the page's style shows one."""
    light = svg_image(picture, description, f'class="clwork-light" {look}')
    return light + svg_image(in_dark(picture), description, f'class="clwork-dark" {look}')
