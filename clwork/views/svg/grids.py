"""The grids of a still picture: heatmaps, and heights over a plane as a small image."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..style import INK
from .axes import Sheet, columns, words

MANY = 400  # cells; each on its own would take 80 bytes


def _rgb(name: str) -> list[int]:
    """Red, green and blue of ``#rrggbb`` or ``rgb(r, g, b)``."""
    if name.startswith("#"):
        return [int(name[at : at + 2], 16) for at in (1, 3, 5)]
    return [int(float(part)) for part in re.findall(r"[\d.]+", name)[:3]]


def _colours(trace: Any) -> Any:
    """Red, green and blue of each value of a heatmap or contour, ``(rows, columns, 3)`` of 0 to 255; NaN is 0."""
    values = np.asarray(trace.z, dtype=float)
    low = float(np.nanmin(values)) if trace.zmin is None else trace.zmin
    high = float(np.nanmax(values)) if trace.zmax is None else trace.zmax
    share = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
    places = [place for place, _ in trace.colorscale]
    parts = np.array([_rgb(name) for _, name in trace.colorscale])
    channels = [np.interp(share, places, parts[:, channel]) for channel in range(3)]
    return np.nan_to_num(np.stack(channels, axis=-1)).round().astype(np.uint8)


def heatmap(sheet: Sheet, trace: Any) -> Iterator[str]:
    """A grid of coloured cells, with their numbers where the trace asks for them; one image where they are many."""
    values = np.asarray(trace.z, dtype=float)  # (rows, columns)
    if not values.size:
        return
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    wide, tall = (abs(scale.at(1) - scale.at(0)) for scale in (x, y))
    inks = _colours(trace)
    across, down = columns(trace)
    if values.size > MANY and not trace.texttemplate:
        inks[~np.isfinite(values)] = 255
        ends = [scale.pixel(column[place]) for scale, column in ((x, across), (y, down)) for place in (0, -1)]
        first, last, top, bottom = ends
        inks = inks[:, ::-1] if first > last else inks
        inks = inks[::-1] if top > bottom else inks
        left, upper = min(first, last) - wide / 2, min(top, bottom) - tall / 2
        yield _image(inks, left, upper, wide * len(across), tall * len(down), ' style="image-rendering:pixelated"')
        return
    for row, column in np.argwhere(np.isfinite(values)).tolist():
        middle, level = x.pixel(across[column]), y.pixel(down[row])
        rgb = inks[row, column].tolist()
        size = f'width="{wide:.1f}" height="{tall:.1f}"'
        fill = f"rgb({', '.join(map(str, rgb))})"
        yield f'<rect x="{middle - wide / 2:.1f}" y="{level - tall / 2:.1f}" {size} fill="{fill}"/>'
        if trace.texttemplate:
            ink = "white" if sum(rgb) < 330 else INK
            form = re.search(r":([^}]*)", trace.texttemplate)  # "%{z:.2f}"
            shown = format(float(values[row, column]), form[1] if form else "")
            yield from words(middle, level + 4, shown, "middle", ink, 10)


def _png(pixels: Any) -> bytes:
    """An array ``(height, width, 3)`` of bytes as a PNG file."""
    high, wide, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def _image(pixels: Any, left: float, top: float, wide: float, high: float, look: str = "") -> str:
    """An array ``(height, width, 3)`` of bytes, stretched over a part of the picture."""
    data = base64.b64encode(_png(pixels)).decode("ascii")
    size = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<image {size} preserveAspectRatio="none"{look} href="data:image/png;base64,{data}"/>'


def contour(sheet: Sheet, trace: Any) -> Iterator[str]:
    """Heights over a plane as a small image, its values at the pixels' middles."""
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    across, up = columns(trace)
    step = [(column[-1] - column[0]) / (len(column) - 1) / 2 for column in (across, up)]
    left, right = x.pixel(across[0] - step[0]), x.pixel(across[-1] + step[0])
    bottom, top = y.pixel(up[0] - step[1]), y.pixel(up[-1] + step[1])
    yield _image(_colours(trace)[::-1], left, top, right - left, bottom - top)
