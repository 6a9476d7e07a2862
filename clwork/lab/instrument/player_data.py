"""What the player's page gets of a run: its recording, checked, its history subsampled, and layouts by UMAP."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._validation import is_finite, is_number, is_whole, kind, printable, shown
from ...events import sentence
from ...metrics.diagnosis import in_short
from ...projections import aligned_umap, chosen_looks
from ...training.positions import packed, unpacked
from ...training.probe import trend_of
from ...wording import plural

DRAWN = ("loss", "alignment", "uniformity")
MOST_ROWS, MOST_LOOKS, MOST_TEXTS, MOST_AXES = 2000, 200, 1000, 64
LONGEST = 500  # characters of a sentence or label
NEEDED = ("texts", "axes", "span", "looks", "rows")
REMEDY = "give what clwork.recording makes of a run"

PlayerData = dict[str, Any]
Floats = npt.NDArray[np.float32]


def player_data(recording: Mapping[str, Any], labels: Sequence[str | None] | None = None) -> PlayerData:
    """Convert a recording to the page's data; ``labels`` are the user's own, one per sentence.

    Raises:
        ValueError: it is no recording, or not as many labels as sentences.
    """
    missing = [name for name in NEEDED if name not in recording]
    if missing:
        raise ValueError(f"the recording lacks {', '.join(missing)}; {REMEDY}")
    if not recording["looks"] and isinstance(recording["looks"], Sequence):
        raise ValueError(
            f"{shown(recording.get('name') or 'the run')} has no recorded positions: it ended before its first look, "
            "or is from before there were recordings; train it again"
        )
    texts, axes, span = _texts(recording["texts"]), recording["axes"], recording["span"]
    if not is_whole(axes) or not 1 <= axes <= MOST_AXES or not is_number(span) or not (is_finite(span) and span > 0):
        raise ValueError(f"the recording has axes={shown(axes)} and span={shown(span)}; {REMEDY}")
    topics = labels_of(recording.get("labels"), len(texts), "the recording")
    names = {name: _text(recording.get(name) or "") for name in ("name", "method", "title", "status")}
    laid = {} if recording.get("umap") is None else {"umap": _umap(recording["umap"], len(texts))}
    return {
        **names,
        **laid,
        "differs": names["title"] or names["method"],
        "seed": recording.get("seed") if is_whole(recording.get("seed")) else None,
        "texts": texts,
        "labels": topics,
        "own": labels_of(labels, len(texts), "labels"),
        "axes": int(axes),
        "span": float(span),
        "share": _shares(recording.get("share") or ())[:axes],
        "looks": looks(recording["looks"], len(texts), int(axes)),
        "rows": rows(recording["rows"], trends=trends(recording["rows"], _total(recording), names["method"])),
        "total_steps": _total(recording),
        "columns": _columns(recording.get("columns") or {}),
    }


def looks(rows: Sequence[Mapping[str, Any]], count: int, axes: int) -> list[dict[str, Any]]:
    """Check that each look holds positions of ``count`` sentences on ``axes`` axes, and their neighbours; return them.

    Raises:
        ValueError: there is none, there are too many, or one of them is something else.
    """
    if not isinstance(rows, Sequence) or not 1 <= len(rows) <= MOST_LOOKS:
        raise ValueError(f"a recording holds 1 to {MOST_LOOKS} looks, this one {shown(rows, 30)}; {REMEDY}")
    checked = [_look(look, count, axes) for look in rows]
    steps = [look["step"] for look in checked]
    if any(after <= before for before, after in pairwise(steps)):
        raise ValueError(f"the steps of the looks do not rise: {shown(steps)}; {REMEDY}")
    return checked


def _look(look: Mapping[str, Any], count: int, axes: int) -> dict[str, Any]:
    try:
        step, kept = look["step"], look["kept"]
        at = base64.b64decode(look["at"], validate=True)
        near = np.frombuffer(base64.b64decode(look["near"], validate=True), "<u2")
    except KeyError as error:
        raise ValueError(f"a look has no {error}: {shown(look)}; {REMEDY}") from None
    except (TypeError, ValueError, binascii.Error) as error:
        raise ValueError(f"a look is not as it should be ({error}): {shown(look)}; {REMEDY}") from None
    whole = is_whole(step) and step >= 0 and is_number(kept) and is_finite(kept)
    if not whole or len(at) != 2 * count * axes or len(near) % count or (near.size and int(near.max()) >= count):
        raise ValueError(
            f"the look of step {shown(step)} does not hold {plural(count, 'sentence')} "
            f"on {plural(axes, 'axis', 'axes')} and their neighbours; " + REMEDY
        )
    return {"step": int(step), "at": look["at"], "near": look["near"], "kept": float(kept)}


def trends(given: object, total: int, method: str) -> dict[int, str]:
    """The trend of a run as a sentence at each of its looks, by step; empty where there is no history."""
    rows = [row for row in given if isinstance(row, Mapping)] if isinstance(given, Sequence) else []
    looks = [row for row in rows if is_whole(row.get("step")) and is_number(row.get("mean_cosine"))]
    courses = (trend_of(looks[: place + 1], total, method) for place in range(len(looks)))
    return {trend.last.step: in_short(trend) for trend in courses if trend is not None}


def rows(
    given: Sequence[Mapping[str, Any]], most: int = MOST_ROWS, *, trends: Mapping[int, str] | None = None
) -> list[dict[str, Any]]:
    """Subsample a history to about ``most`` rows, all looks and events kept; ``trends`` adds sentences by step."""
    if not isinstance(given, Sequence):
        raise ValueError(f"the history of a recording is {kind(given)}; {REMEDY}")
    kept = []
    for number, row in enumerate(given):
        if not isinstance(row, Mapping) or not is_whole(row.get("step")):
            raise ValueError(f"row {number} of the history has no step: {shown(row)}; {REMEDY}")
        values = {name: float(row[name]) for name in DRAWN if is_number(row.get(name)) and is_finite(row[name])}
        trend = (trends or {}).get(row["step"]) or str(row.get("trend") or "")[
            :LONGEST
        ]  # the rows of a page's data have theirs
        words = {"event": sentence(row)[:LONGEST], "trend": trend}
        kept.append({"step": int(row["step"]), **values, **{name: text for name, text in words.items() if text}})
    every = -(-len(kept) // most)
    return [row for number, row in enumerate(kept) if number % every == 0 or "event" in row or "alignment" in row]


def umap_layouts(runs: Sequence[PlayerData]) -> list[dict[str, Any]]:
    """The ``umap`` of each run's data.

    Two runs of the same sentences are laid out as one sequence, from the end of the first back to its start and on from
    the start of the second to its end: they begin alike, so a place means the same in both.
    """
    chosen = [chosen_looks(len(data["looks"])) for data in runs]
    points = [[coordinates(data)[look] for look in looks] for data, looks in zip(runs, chosen, strict=True)]
    steps = [[data["looks"][look]["step"] for look in looks] for data, looks in zip(runs, chosen, strict=True)]
    return [planar(at, looks) for at, looks in zip(steps, _layouts(runs, points), strict=True)]


def _umap(given: Any, count: int) -> dict[str, Any]:
    """Check the layout that a recording brings."""
    try:
        steps, span, laid = [int(step) for step in given["steps"]], float(given["span"]), list(given["looks"])
        sizes = {len(unpacked(look, count, 2, span)) for look in laid}
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the recording's umap is {shown(given, 60)}: {error}; {REMEDY}") from None
    if sizes != {count} or len(steps) != len(laid) or steps != sorted(set(steps)) or not (is_finite(span) and span > 0):
        raise ValueError(f"the recording's umap does not fit its {plural(count, 'sentence')}; {REMEDY}")
    return {"steps": steps, "span": span, "looks": laid}


def _layouts(runs: Sequence[PlayerData], points: list[list[Floats]]) -> list[list[Floats]]:
    if len(runs) == 2 and all(runs[0][name] == runs[1][name] for name in ("texts", "axes")):
        first = len(points[0])
        laid = aligned_umap([*reversed(points[0]), *points[1]])
        return [laid[:first][::-1], laid[first:]]
    return [aligned_umap(looks) for looks in points]


def coordinates(data: PlayerData) -> list[Floats]:
    """The positions of a run's looks, each (N, A)."""
    return [unpacked(look["at"], len(data["texts"]), data["axes"], data["span"]) for look in data["looks"]]


def planar(steps: Sequence[int], points: Sequence[npt.NDArray[Any]]) -> dict[str, Any]:
    """Encode positions (N, 2) at these steps in 16 bits each, scaled by their largest coordinate."""
    span = max(1e-6, *(float(np.abs(look).max()) for look in points))
    return {"steps": list(steps), "span": span, "looks": [packed(look, span) for look in points]}


def _text(given: object) -> str:
    return printable(str(given)[:LONGEST])


def _texts(given: object) -> list[str]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not 1 <= len(given) <= MOST_TEXTS:
        raise ValueError(f"a recording has 1 to {MOST_TEXTS} sentences, this one {shown(given, 30)}; {REMEDY}")
    return [_text(text) for text in given]


def labels_of(given: Any, count: int, whose: str) -> list[str | None] | None:
    """Check labels, one for each of ``count`` sentences; ``whose`` they are is said where they do not fit.

    Raises:
        ValueError: not as many labels as sentences.
    """
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:
        many = isinstance(given, Sequence) and not isinstance(given, str)
        got = plural(len(given), "label") if many else f"{kind(given)} as labels"
        raise ValueError(f"{whose}: {got} for {plural(count, 'sentence')}; give one for each, None where there is none")
    return [None if label is None else _text(label) for label in given]


def _total(recording: Mapping[str, Any]) -> int:
    total, last = recording.get("total_steps"), recording["looks"][-1]["step"]
    return max(int(total), int(last)) if is_whole(total) and total is not None else int(last)


def _shares(given: Sequence[Any]) -> list[float]:
    return [float(share) for share in given if is_number(share) and is_finite(share)]


def _columns(given: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    known = {name: given[name] for name in DRAWN if isinstance(given.get(name), Mapping)}
    return {
        name: {"title": str(about.get("title") or name), "better": str(about.get("better") or "")}
        for name, about in known.items()
    }
