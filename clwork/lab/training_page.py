"""The page in which SimCSE trains without Python: a panel whose kernel is part of the page.

``js/src/front`` is the page, ``js/src/page_training`` its kernel. The page holds what the panel
shows before *Start*; weights and sentences are read on *Start* from the files of
:func:`mini_files`, or are part of the page.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from .. import data
from ..arithmetic import evenly_spaced, unit_rows
from ..disk import write_file
from ..encoders import load_encoder
from ..encoders.loading import MINI
from ..recordings import recorded_examples, recording
from ..run_folder.positions import fit_basis
from ..training.probe import PAIRS
from .page import standalone
from .panel.recorded import prepared_recording
from .panel.run_sources import Part, RecordedSource, curve_cells, update_of
from .panel.settings import PanelSettings, RunSettings

TITLE = "clwork: watch a text encoder learn"
DESCRIPTION = (
    "SimCSE trains a sentence encoder in this browser tab, without Python or installation. Move "
    "the temperature and watch 300 sentences find their place."
)
# Two related sentences and an unrelated one.
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="5" cy="5" r="3" '
    'fill="#0b62c4"/><circle cx="11" cy="4" r="3" fill="#0b62c4"/><circle cx="10" cy="13" r="3" '
    'fill="#e69f00"/></svg>'
)
FIELDS = (
    "temperature",
    "dropout_hidden",
    "dropout_attention",
    "learning_rate",
    "batch_size",
    "weight_decay",
    "warmup",
    "clip",
)
"""Hyperparameters that the page's trainer has."""
STEPS = 150
BATCH_SIZE = 32
MOST_SENTENCES = 6000
LONGEST_SENTENCE = 110
"""Characters; longer sentences take longer steps."""
CHARTS = ("loss", "alignment", "uniformity")
ENCODER_FILES = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json")
SENTENCES_FILE = "sentences.txt"
# The page reads its files, makes a worker of its own script, and compiles WebAssembly.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src data:; worker-src blob:; "
    "connect-src 'self' data: blob:; form-action 'none'; base-uri 'none'"
)


def save_training_page(path: str | Path) -> Path:
    """Write the page in which SimCSE trains as one HTML file of about 15 MB.

    The file needs no Python, no network and no server: it can be sent to a class and opened from a
    disk. It holds the bundled encoder and sentences of Wikipedia (CC BY-SA 4.0).

    Args:
        path: the file to write, such as ``"simcse.html"``; an existing file is replaced.

    Returns:
        The file's path.

    >>> from tempfile import mkdtemp
    >>> save_training_page(Path(mkdtemp()) / "simcse.html").stat().st_size > 10_000_000
    True
    """
    target = Path(path).resolve()
    held = ""
    for name, content in mini_files().items():
        text = base64.b64encode(content).decode("ascii")
        held += f'<script type="text/plain" id="clwork-{name}">{text}</script>'
    write_file(target, training_page(mini="", below=held))
    return target


def training_page(mini: str, head: str = "", below: str = "") -> str:
    """Return the page; ``mini`` is the address of the folder of :func:`mini_files`.

    ``head`` and ``below`` are HTML for the page's head, and below the panel.
    """
    about = f'<meta name="description" content="{html.escape(DESCRIPTION)}">'
    about += f'<link rel="icon" href="data:image/svg+xml,{quote(ICON)}">'
    return standalone.page(
        "front",
        {**_state(), "mini": mini},
        TITLE,
        policy=POLICY,
        head=about + head,
        below=below,
    )


def mini_files() -> dict[str, bytes]:
    """Return the files that the page reads on *Start*, by name."""
    files = {name: (MINI / name).read_bytes() for name in ENCODER_FILES}
    # Sentences of the bundled corpus at even distances, none of them long.
    short = [text for text in data.sentences("wikipedia-mini") if len(text) <= LONGEST_SENTENCE]
    chosen = evenly_spaced(short, MOST_SENTENCES)
    return {**files, SENTENCES_FILE: "\n".join(chosen).encode("utf-8")}


@cache
def _state() -> dict[str, Any]:
    """Return what the page's modules need, as JSON."""
    start = RunSettings(steps=STEPS)
    settings = PanelSettings("simcse", start, {"batch_size": BATCH_SIZE})
    about = settings.about()
    names = {"steps", "seed", *FIELDS}
    fields = [field for field in about["fields"] if field["name"] in names]
    charts = [cell for cell in curve_cells() if cell["cell"] in CHARTS]
    recorded = prepared_recording(recording("simcse"))
    pairs = evenly_spaced(data.paraphrases(), PAIRS)
    corpus = settings.corpus.state()
    return {
        "examples": recorded_examples(),
        "kernel": {
            "about": {
                **about,
                "mode": "panel",
                "fields": fields,
                "curves": charts,
                "presets": [preset for preset in about["presets"] if preset["value"] != "paper"],
                "inputs": {"corpus": {"text": about["inputs"]["corpus"]["text"]}, "encoder": {}},
            },
            "defaults": {name: settings.values[name] for name in ("steps", "seed", *FIELDS)},
            # With the mean cosine among its rows, and without a map by UMAP.
            "recorded": update_of(
                RecordedSource({**recorded, "umap": None}, "recorded:simcse"),
                {"columns": ["mean_cosine"]},
            ),
            "recordedSettings": {
                name: recorded["settings"][name] for name in ("batch_size", "temperature")
            },
            "texts": recorded["texts"],
            "labels": recorded["labels"],
            "pairs": pairs,
            "start": _first_measurement(recorded),
            "wikipedia": {
                "note": f"{MOST_SENTENCES:,} short sentences of Wikipedia.",
                "credit": corpus["credit"],
            },
        },
    }


def _first_measurement(recorded: Mapping[str, Any]) -> Part:
    """Return the recorded run's first measurement, that of the encoder as loaded, with its axes.

    The page's run begins with it, so that its cloud need not be encoded before the first step.
    """
    basis, _ = fit_basis(_unit_vectors(recorded["texts"]))
    [probe] = RecordedSource(dict(recorded), "").probes(after=-1)[:1]
    row = recorded["rows"][0]
    return {
        "mean": basis[0].astype("<f4").tobytes(),
        "axes": [axis.astype("<f4").tobytes() for axis in basis[1:]],
        "values": {name: row[name] for name in ("alignment", "uniformity", "mean_cosine")},
        "probe": {name: probe[name] for name in ("step", "at", "near")},
    }


def _unit_vectors(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the vectors of sentences under the encoder as loaded, as SimCSE measures them."""
    encoder = load_encoder("mini", pooling="cls_before_pooler", device="cpu")
    return unit_rows(encoder.encode(list(texts)))
