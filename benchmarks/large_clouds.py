"""What a large cloud costs in seconds and memory: a corpus encoded, neighbours, uniformity, principal axes, UMAP.

``python benchmarks/large_clouds.py`` makes clouds of random vectors in a cone and does each of ``--parts``:

- ``encoding``: ``clwork.encode_corpus`` of ``--sentences``, against ``encode`` of all of them in memory;
- ``nearest``: the ten nearest of ``--queries`` among ``--corpus`` x 256 vectors of half precision, mapped from a file;
- ``uniformity``: of ``--cloud`` x 768 vectors, and how far it is from the same in float64 throughout;
- ``pca``: ``PcaBasis.fit`` of the same cloud, and how far its share is from that of all singular values;
- ``umap``: ``--points`` x 256 in a thread of its own, how often it tells how far it is, and how long it goes on after
  its listener has raised an exception, which is how it is stopped.

Memory is the peak above what was in use before; pages of a mapped file, which the system takes back at need, count. It
prints what it found and writes ``benchmarks/results/large_clouds.json``.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.memory import PeakMemory
from clwork import data, encode_corpus, load_encoder, metrics
from clwork.arithmetic import unit_rows
from clwork.projections import PcaBasis, principal_axes, umap_coordinates

NAME = "large_clouds"
BLOCK = 2048  # rows of the reference computations
NARROW, WIDTH = 256, 768
Floats = npt.NDArray[np.float32]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--corpus", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--cloud", type=int, default=100_000)
    parser.add_argument("--points", type=int, default=50_000)
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def cloud(count: int, width: int, seed: int = 0) -> Floats:
    """Random vectors in a cone, stronger in some directions than in others, as sentences are."""
    draw = np.random.default_rng(seed)
    scale = (np.arange(1, width + 1) ** -0.25).astype(np.float32)
    made = draw.standard_normal((count, width), dtype=np.float32) * scale
    made += 0.5 * draw.standard_normal(width, dtype=np.float32)
    return made


def measured(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What a piece of work returns, and its seconds and MiB."""
    with PeakMemory() as peak:
        start = time.perf_counter()
        found = work()
        seconds = time.perf_counter() - start
    return found, {"seconds": round(seconds, 2), "mib": round(peak.mib, 1)}


def of_encoding(options: argparse.Namespace) -> dict[str, Any]:
    """A corpus written to a file, a second call that opens it, and the same in memory."""
    own, encoder = list(data.sentences("wikipedia-mini")), load_encoder(options.encoder)
    texts = [own[k % len(own)] for k in range(options.sentences)]
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "sentences.txt", Path(folder) / "x.npy"
        file.write_text("\n".join(texts), encoding="utf-8")
        vectors, cost = measured(lambda: encode_corpus(encoder, file, out, precision="float32"))
        _, again = measured(lambda: encode_corpus(encoder, file, out, precision="float32"))
        plain, whole = measured(lambda: encoder.encode(texts))
        apart = float(np.abs(vectors - plain).max())
    return {**cost, "opened_again": again["seconds"], "in_memory": whole, "largest_difference": apart}


def of_nearest(options: argparse.Namespace) -> dict[str, Any]:
    """The nearest of a mapped file, and whether each query, which is one of its rows, finds itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        shape = (options.corpus, NARROW)
        written = np.lib.format.open_memmap(path, mode="w+", dtype="<f2", shape=shape)
        for start in range(0, options.corpus, BLOCK):
            written[start : start + BLOCK] = cloud(min(BLOCK, options.corpus - start), NARROW, seed=start)
        written.flush()
        del written
        mapped = np.load(path, mmap_mode="r")
        chosen = np.linspace(0, options.corpus - 1, options.queries).astype(int)
        queries = np.asarray(mapped[chosen], dtype=np.float32)
        found, cost = measured(lambda: metrics.nearest(queries, mapped, k=10))
        return {**cost, "own": int((found.rows[:, 0] == chosen).sum()), "file_mib": path.stat().st_size / 2**20}


def of_uniformity(options: argparse.Namespace) -> dict[str, Any]:
    """Uniformity, and its distance from the same in float64."""
    points = cloud(options.cloud, WIDTH)
    value, cost = measured(lambda: metrics.uniformity(points))
    exact, reference = measured(lambda: exact_uniformity(points))
    return {**cost, "value": value, "error": abs(value - exact), "in_float64": reference}


def exact_uniformity(points: Floats, t: float = 2) -> float:
    """The sum over all pairs in float64, block by block."""
    unit, total = torch.from_numpy(unit_rows(points)), 0.0
    for start in range(0, len(unit), BLOCK):
        for first in range(0, start + 1, BLOCK):
            cosines = unit[start : start + BLOCK] @ unit[first : first + BLOCK].T
            terms = cosines.sub_(1).mul_(2 * t).exp_()
            total += float(terms.tril(-1).sum() if first == start else terms.sum())
    return math.log(total / (len(unit) * (len(unit) - 1) / 2))


def of_pca(options: argparse.Namespace) -> dict[str, Any]:
    """Two principal axes, against all of them."""
    points = cloud(options.cloud, WIDTH)
    basis, cost = measured(lambda: PcaBasis.fit(points))
    centred = unit_rows(points)
    centred -= centred.mean(axis=0)
    (axes, power), whole = measured(lambda: principal_axes(centred, 2))
    apart = np.abs(power[:2] / power.sum() - basis.share).max()
    return {
        **cost,
        "share": basis.share,
        "share_apart": float(apart),
        "cosines_of_axes": np.sum(axes * basis.axes, axis=1).tolist(),
        "all_axes": whole,
    }


class _Stopped(Exception):
    """Raised by a listener that has heard enough."""


def of_umap(options: argparse.Namespace) -> dict[str, Any]:
    """UMAP in a thread: seconds, what it told, how busy this thread could be meanwhile, and a stop."""
    points = cloud(options.points, NARROW)
    heard: list[tuple[float, str]] = []
    layout: list[Floats] = []
    worker = threading.Thread(
        target=lambda: layout.append(umap_coordinates(points, progress=lambda *told: heard.append(told)))
    )
    beats = 0

    def wait() -> None:
        nonlocal beats
        worker.start()
        while worker.is_alive():
            worker.join(0.1)
            beats += 1

    _, cost = measured(wait)
    assert layout and np.isfinite(layout[0]).all()
    return {**cost, "told": len(heard), "beats": beats, "shape": layout[0].shape, "stop": of_a_stop(points[:5000])}


def of_a_stop(points: Floats) -> float:
    """Seconds from the exception of a listener, in the tenth round, to the end of the call."""
    since = math.nan

    def listen(share: float, words: str) -> None:
        nonlocal since
        if share > 0.52:
            since = time.perf_counter()
            raise _Stopped

    try:
        umap_coordinates(points, seed=1, progress=listen)
    except _Stopped:
        return round(time.perf_counter() - since, 3)
    return math.nan


PARTS = {
    "encoding": of_encoding,
    "nearest": of_nearest,
    "uniformity": of_uniformity,
    "pca": of_pca,
    "umap": of_umap,
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    sizes = {name: getattr(options, name) for name in ("sentences", "corpus", "queries", "cloud", "points")}
    found: dict[str, Any] = {"machine": report.machine(), "sizes": sizes | {"encoder": options.encoder}}
    for part in options.parts:
        found[part] = PARTS[part](options)
        print(f"{part}: {found[part]}", flush=True)
        report.write(NAME, found, options.results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
