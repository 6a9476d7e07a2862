"""Type two sentences and see what an encoder makes of them, raw against trained: the encoders run in the page."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray
from tqdm.auto import tqdm

from ... import _validation
from ..._validation import checked, kind, shown
from ...arithmetic import unit_rows
from ...data import sentences as read_sentences
from ...disk import cache_folder, write_whole
from ...encoders import Encoder, load_encoder
from ...training import Run, Stored, open_run, train
from ...views import projection, svg_image, to_svg
from ..page.notebook import unsaved
from ..page.standalone import MODULES, file_for, page
from ..page.widgets import AnyWidget, has_anywidget
from .weights import check_pair, packed, pieces, shape, vocabulary

STEPS, SEED = 150, 0  # of the SimCSE run whose encoder is shown unless another is given
MOST = 2000  # sentences of the corpus
AT_ONCE = 250  # sentences encoded between two steps of the progress bar
EXAMPLES = ("The river is frozen in winter.", "In the cold months ice covers the stream.")
Rows = NDArray[np.float32]


class PageEncoder:
    """See :func:`clwork.lab.page_encoder`, which makes it.

    Attributes:
        names: of the three representations.
        texts: the sentences among which neighbours are looked up.
        size: of the weights of both encoders, in bytes.
    """

    def __init__(self, raw: Encoder, trained: Encoder, texts: list[str], name: str) -> None:
        """Encode the sentences by each representation, and pack the weights."""
        check_pair(raw, trained)
        self.texts = texts
        columns = [
            (f"{raw.name}, [CLS]", 0, "cls_before_pooler", raw),
            (f"{raw.name}, mean of first and last layer", 0, "first_last", raw),
            (f"{name}, [CLS]", 1, "cls_before_pooler", trained),
        ]
        self.names = [title for title, _, _, _ in columns]
        order, content = packed(raw, trained)
        self.size = len(content)
        self._pieces = pieces(content)
        self._parts = list[dict[str, Any]]()
        with tqdm(total=3 * len(texts), desc="sentences", unit="") as bar:
            for title, place, pooling, encoder in columns:
                part, self._poster_points = column(encoder.with_pooling(pooling), texts, bar)
                self._parts.append({"title": title, "encoder": place, "pooling": pooling, **part})
        self._state: dict[str, Any] = {
            "columns": self._parts,
            "texts": texts,
            "examples": list(EXAMPLES),
            "shape": shape(raw),
            "vocabulary": vocabulary(raw),
            "order": order,
            "size": self.size,
            "pieces": len(self._pieces),
        }

    @property
    def html(self) -> str:
        """The page without its weights, which it loads from ``weights-N.js`` beside it when it is asked to."""
        return page("encoder", self._state, "Two sentences, three encoders").replace(
            "script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self' file:"
        )

    @checked()
    def save(self, folder: str | Path) -> Path:
        """Write ``index.html`` and its weights into a folder; return the page, which opens from a disk.

        Raises:
            TypeError, ValueError: no path, or the path of a file.
            DiskError: the disk refuses.
        """
        place = _validation.path("folder", folder).absolute()
        if place.exists() and not place.is_dir():
            raise ValueError(f"{place} is a file; name a folder for the page and its weights")
        for number, piece in enumerate(self._pieces):
            write_whole(place / f"weights-{number}.js", f"clworkPiece({number},{json.dumps(piece)})\n", parents=True)
        target = file_for(place / "index.html", "index.html")
        write_whole(target, self.html)
        return target

    def poster(self) -> str:
        """A still picture: the sentences as the trained encoder places them."""
        return to_svg(projection(self._poster_points, title=self.names[-1]))

    def _repr_mimebundle_(self, **_: object) -> Any:
        still = svg_image(self.poster(), self.names[-1])
        if not has_anywidget():
            return {
                "text/html": f"{still}<p>Without anywidget the page does not move; <code>save(folder)</code> does.</p>"
            }
        widget = EncoderWidget(self._state, self._pieces)
        bundle: Any = widget._repr_mimebundle_()
        shown, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return shown | {"text/html": still}, metadata

    def __repr__(self) -> str:
        """Representations and size."""
        return f"<PageEncoder of {', '.join(self.names)}; {len(self.texts)} sentences, {self.size / 1e6:.1f} MB>"


class EncoderWidget(AnyWidget):
    """The page in a notebook; the kernel sends a piece of the weights whenever the page asks for it."""

    _esm = MODULES / "encoder.js"
    state = traitlets.Dict().tag(sync=True)

    @unsaved()
    def __init__(self, state: dict[str, Any], weights: list[str]) -> None:
        """Show ``state``."""
        super().__init__(state=state)
        self._weights = weights
        self.on_msg(self._answer)

    def _answer(self, _: object, asked: Any, __: object) -> None:
        number = asked.get("piece") if isinstance(asked, dict) else None
        if isinstance(number, int) and 0 <= number < len(self._weights):
            self.send({"piece": number, "text": self._weights[number]})


@checked()
def page_encoder(
    trained: Run | Stored | Encoder | str | Path | None = None,
    *,
    raw: str | Path | Encoder = "mini",
    sentences: Iterable[str] | None = None,
) -> PageEncoder:
    """Two encoders that run in the page: type two sentences, see cosine, neighbours and place in the cloud.

    Three representations stand side by side: the raw encoder at [CLS], the raw encoder's mean of the first and the last
    layer (its best without training), and the trained encoder at [CLS]. Nothing is sent anywhere, and after the page
    has its weights no kernel is needed.

    Args:
        trained: a run, a saved run's folder, or an encoder that started from ``raw``. Default: SimCSE, 150 steps on
            the bundled sentences, trained at the first call (about a minute on two cores) and kept.
        raw: the encoder before training, a BERT with a lower-case WordPiece vocabulary.
        sentences: among which neighbours are looked up; at most 2,000 are taken, at equal distances. Default: bundled
            ones.

    Raises:
        TypeError: something that is no run, no encoder, or no sentences.
        ValueError: an encoder that the page cannot compute, two that do not belong together, or no two sentences.
        DiskError: the disk refuses to keep the trained encoder.
    """
    before = raw if isinstance(raw, Encoder) else load_encoder(raw)
    texts = list(read_sentences("wikipedia-mini" if sentences is None else sentences))
    texts = [texts[int(k * max(1.0, len(texts) / MOST))] for k in range(min(MOST, len(texts)))]
    if len(set(texts)) < 3:
        raise ValueError(f"{len(set(texts))} different sentences were given; give 3 or more to find neighbours among")
    after, name = _trained(trained, before)
    return PageEncoder(before, after, texts, name)


def _trained(given: Any, raw: Encoder) -> tuple[Encoder, str]:
    """The trained encoder, and what the page calls it."""
    if isinstance(given, Encoder):
        return given, given.name
    if given is None:
        return _default(raw), f"SimCSE, {STEPS} steps"
    run: Any = open_run(given) if isinstance(given, str | Path) else given
    if not isinstance(run, Run | Stored):
        raise TypeError(f"trained={shown(given)} is {kind(given)}; give a run, its folder or an encoder")
    return run.encoder, str(run.method)


def _default(raw: Encoder) -> Encoder:
    folder = cache_folder() / "page-encoder" / f"simcse-{STEPS}-{SEED}-{raw.fingerprint()}"
    if not folder.exists():
        with TemporaryDirectory(prefix="clwork-page-encoder-") as away:
            run = train(
                "simcse", encoder=raw, steps=STEPS, seed=SEED, name="SimCSE-for-the-page", folder=Path(away) / "run"
            )
            run.encoder.without_head("cls_before_pooler").save(folder)
    return load_encoder(folder)


def column(encoder: Encoder, texts: list[str], bar: Any) -> tuple[dict[str, Any], Rows]:
    """What the page has of one representation: vectors in 8 bits, the plane of its cloud, cosines of random pairs."""
    parts = list[Rows]()
    for start in range(0, len(texts), AT_ONCE):
        parts.append(encoder.encode(texts[start : start + AT_ONCE]))
        bar.update(len(parts[-1]))
    rows = unit_rows(np.concatenate(parts)).astype(np.float32)
    mean = rows.mean(axis=0)
    axes = np.linalg.svd(rows - mean, full_matrices=False)[2][:2]
    axes *= np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])[:, None]
    drawn = np.random.default_rng(0).integers(len(rows), size=(2, 20_000))
    drawn = drawn[:, drawn[0] != drawn[1]]
    cosines = np.einsum("nd,nd->n", rows[drawn[0]], rows[drawn[1]])
    levels = np.round(rows / np.abs(rows).max(axis=1, keepdims=True) * 127).astype(np.int8)
    own = unit_rows(encoder.encode(list(EXAMPLES))).astype("<f4")
    part = {
        "vectors": text(levels.tobytes()),
        "mean": text(mean.astype("<f4").tobytes()),
        "axes": text(axes.astype("<f4").tobytes()),
        "quantiles": [round(float(value), 4) for value in np.quantile(cosines, np.linspace(0, 1, 101))],
        "examples": text(own.tobytes()),
    }
    return part, ((rows - mean) @ axes.T).astype(np.float32)


def text(content: bytes) -> str:
    """Base64."""
    return base64.b64encode(content).decode("ascii")
