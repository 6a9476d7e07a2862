"""Make src/shared/math.woff2, the glyphs of STIX Math that the formulas need, under another name.

    python js/math_font.py STIXMath-Regular.otf

It needs clwork, fonttools, brotli and clwork/lab/modules/sphere.js. Version 1.1.1 of the font is in
Debian's package fonts-stix; its licence, the SIL Open Font License, wants another name.
"""

from __future__ import annotations

import html
import re
import string
import sys
from pathlib import Path

from fontTools import subset

from clwork import methods
from clwork.lab.page.markup import mathml

HERE = Path(__file__).parent
FAMILY = "clwork math"
# For the formula of a sentence. Exponents are left to the machine: STIX Math has superscripts of
# 1, 2 and 3 only.
ALWAYS = string.digits + string.ascii_letters + ".,−-+·–=/()[]{}|…≈⏟′"
ITALIC = {
    "a": (0x1D44E, 26),
    "A": (0x1D434, 26),
    "α": (0x1D6FC, 25),
}  # a browser shows <mi>x</mi> as U+1D465


def letters(module: str) -> set[str]:
    """Return the characters of all formulas in a module's text, single letters in italics too."""
    found = set(ALWAYS)
    for formula in re.findall(r"<math.*?</math>", module):
        for kind, raw in re.findall(r"<(mi|mo|mn|mtext)\b[^>]*>([^<]*)</", formula):
            text = html.unescape(raw)
            found |= set() if text.startswith("@") else set(text)
            for first, (italic, count) in ITALIC.items():
                if (
                    kind == "mi"
                    and len(text) == 1
                    and 0 <= (place := ord(text) - ord(first)) < count
                ):
                    found.add(chr(italic + place))
    return found


def main(source: str) -> None:
    """Write the font beside the sources of the lab."""
    options = subset.Options(
        layout_features=["*"],
        hinting=False,
        desubroutinize=True,
        flavor="woff2",
        notdef_outline=True,
    )
    options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    sphere = (HERE.parent / "clwork" / "lab" / "modules" / "sphere.js").read_text(encoding="utf-8")
    formulas = [sphere, *(mathml(methods.get(name).formula) for name in methods.names())]
    cutter.populate(unicodes=[ord(letter) for text in formulas for letter in letters(text)])
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = FAMILY.replace(" ", "-") if record.nameID == 6 else FAMILY
    font["CFF "].cff.fontNames = [FAMILY.replace(" ", "-")]
    font["CFF "].cff.topDictIndex[0].FullName = font["CFF "].cff.topDictIndex[0].FamilyName = FAMILY
    subset.save_font(font, HERE / "src" / "shared" / "math.woff2", options)


if __name__ == "__main__":
    main(*sys.argv[1:])
