"""The playground: sentences of one's own, under one encoder or two."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import traitlets

from ... import _validation
from ..._validation import checked, place
from ...data.sources import DEFAULT
from ...training import RunLike
from ...training.run.arguments import a_corpus
from ...training.stored.stored import RunSource, as_run
from ...views import similarity_pair, to_svg_image
from ...wording import explain, plural
from ..page import standalone
from ..page.asking_page import AskingPage, News
from ..page.notebook import unsaved
from ..page.widgets import WIDE, has_anywidget
from .answers import Answers, Question, clouds, grown
from .compared_encoders import AFTER, BEFORE, EncoderChoice, Opener, Side, has_encoder, known_runs
from .compared_sentences import Compared, Table
from .corpus_search import LEAST, CorpusSearch
from .encoded_corpus import MOST
from .files import MOST as MOST_OWN
from .files import Upload, export, own_sentences, sentences_of_file
from .work import Work

OWN = (
    "The volcano threw ash high into the sky.",
    "Lava ran down the mountain after the eruption.",
    "She plays the violin in a large orchestra.",
    "The composer wrote four symphonies.",
    "The bank raised its interest rates again.",
    "Higher prices made people spend less money.",
)
SEARCHED = 2000  # corpus sentences among which neighbours are sought, unless more are asked for
FIRST = 256  # of these, with which neighbours are shown while the others are being encoded
GROWTH = 8  # times as many each time after
PARTS = ("sentences", "setup", "compared", "clouds", "answer", "texts", "written")  # of the page's news, by version


@checked(sentences=a_corpus, encoder=place)
@unsaved()
def playground(
    texts: Sequence[str] = OWN,
    *,
    run: RunSource | None = None,
    sentences: Any = None,
    encoder: str = "mini",
    searched: int = SEARCHED,
) -> Playground:
    """Make a place to try sentences of one's own; show it by putting it last in a cell, type, and press Compare.

    One encoder or two, side by side: an encoder as it comes, what a run began with, what it has come to (while it
    trains: as it is now), any folder or hub name. Shown are the cosines of the sentences with one another, the odd one
    out, what the vocabulary cannot read, and for a sentence its nearest sentences of a corpus by each encoder, with
    lines between their ranks. Change a word after a Compare, and ranks, cosines and the sentence's place in the cloud
    of the corpus move as you type. The vectors can be written to a file.

    Args:
        texts: the sentences to begin with, one a line.
        run: the run to begin with, or its folder, before and after; default: the latest, of this kernel or of the
            folder where runs are kept.
        sentences: the corpus in which neighbours are looked up: what ``clwork.data.sentences`` takes; default
            ``"wikipedia-mini"``.
        encoder: shown as it comes; alone where there is no run.
        searched: how many of the corpus, taken at equal distances, at most 1,000,000. Their vectors are kept on disk,
            so that the same encoder searches them at once the next time.

    Raises:
        TypeError, ValueError: ``searched`` is no whole number from 10 to 1,000,000.
    """
    run = None if run is None else as_run("run", run)
    return Playground(list(texts), run, sentences, encoder, _validation.whole("searched", searched, LEAST, MOST))


class Playground(AskingPage):
    """See :func:`playground`, which makes it.

    Attributes:
        state: what it does, or what was wrong, as a sentence.
        left: the encoder on the left.
        right: the one on the right, if any.
        search: the corpus that is searched, and how far that is.
        warnings: what the vocabularies cannot read.
        words: remarks on the sentences of the last Compare.
        near: the nearest sentences of each, as a table.
        moved: what the changed sentence moves, as a table.
    """

    _esm: Any = standalone.MODULES / "playground.js"

    about = traitlets.Dict().tag(sync=True)

    def __init__(self, texts: list[str], run: RunLike | None, sentences: Any, encoder: str, searched: int) -> None:
        """Nothing is encoded yet."""
        self._encoder, self._opener = encoder, Opener()
        self._begun_with: dict[str, RunLike] = {}
        self._typed, self._typed_by = list(texts), ""
        self._compared: Compared | None = None
        self._number = 0  # of comparisons
        self._answers: Answers | None = None
        self._question: Question | None = None
        self._parts: dict[str, tuple[int, News]] = {}
        self._upload = Upload()
        self._work = Work(self._failed, self._done, self._hurry)
        self.left, self.right = EncoderChoice(), EncoderChoice(optional=True)
        self.search = CorpusSearch(DEFAULT if sentences is None else sentences, searched)
        self.state, self.trouble = "Type sentences and press Compare.", False
        self.warnings: list[str] = []
        self.words: list[str] = []
        self.near: Table | None = None
        self.moved: Table | None = None
        super().__init__(about={"most": MOST_OWN, "searched": [LEAST, MOST]})
        self._offer(run, first=True)
        self._set_sentences(texts, "")

    # --- in Python --------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Encode the sentences and search the corpus; returns at once."""
        if not self._work.pending("compare"):
            self._announce("Encoding your sentences …")
            self._work.add("compare", self._encode_and_search)
            self._keep_pushing()

    def move(self) -> None:
        """Encode the sentence with its changed word and find what moves; returns at once."""
        if not self._work.pending("move"):
            self._announce("Encoding the changed sentence …")
            self._work.add("move", self._move)

    @checked()
    def wait(self, timeout: float | None = None) -> Playground:
        """Block until the last request is answered; an error stays text."""
        self._work.idle.wait(timeout)
        return self

    def figure(self) -> go.Figure:
        """The one matrix or two as a static figure."""
        if self._compared is None:
            return similarity_pair(np.zeros((0, 2)), np.zeros((0, 2)), [], width=WIDE)
        return self._compared.figure()

    def texts(self) -> list[str]:
        """The sentences that are typed.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        return own_sentences(self._typed)

    def vectors(self) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors ``(N, D)`` of the last Compare, by encoder.

        Raises:
            RuntimeError: nothing was compared yet.
        """
        return dict(self._last().vectors)

    @checked()
    def export(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the sentences and vectors of the last Compare to a ``.npy`` or ``.parquet`` file; returns its place.

        ``numpy.load(path)["sentence"]`` are the sentences, and each encoder's name gives its vectors ``(N, D)``.

        Raises:
            RuntimeError: nothing was compared yet.
            ValueError: another ending.
            FileExistsError: something is there, and ``overwrite`` is not set.
        """
        last = self._last()
        place, how = export(path, last.texts, last.vectors, overwrite)
        self._publish("written", {"text": f"Written: {place}. {how}"})
        return place

    def close(self) -> None:
        """Take the playground off the page, and end its search."""
        self.search.halt()
        self._work.close()
        self._upload.close()
        super().close()

    def _last(self) -> Compared:
        if self._compared is None:
            raise RuntimeError("nothing was encoded yet; press Compare first")
        return self._compared

    # --- for the page -----------------------------------------------------------------------------------------------

    def _news(self, known: Mapping[str, Any]) -> News:
        parts = {name: part for name, part in self._parts.items() if known.get(name) != part[0]}
        return {"pulse": self._pulse(), **{name: {"version": v, **content} for name, (v, content) in parts.items()}}

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        return {**known, **{name: part["version"] for name, part in news.items() if name in PARTS}}

    def _lively(self) -> bool:
        return not self._work.idle.is_set()

    def _pulse(self) -> News:
        return {
            "working": self._work.pending("compare"),
            "busy": self._lively(),
            "sentence": self.state,
            "trouble": self.trouble,
            "doing": self.search.words,
            "done": self.search.done,
            "total": self.search.total,
        }

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "type": self._set_sentences,
            "edit": self._ask,
            "choose": self._choose,
            "corpus": self._choose_corpus,
            "compare": self._compare_these,
            "stop": self.search.halt,
            "read": self._read,
            "runs": self._offer,
            "sentences_file": self._take_sentences,
            "corpus_file": self._take_corpus,
            "export": lambda path, replace: self.export(str(path).strip(), overwrite=replace),
        }

    def _publish(self, name: str, content: News) -> None:
        """Set a part of the news."""
        with self.lock:
            self._parts[name] = (self._parts.get(name, (0, {}))[0] + 1, content)

    def _announce(self, sentence: str, trouble: bool = False) -> None:
        self.state, self.trouble = sentence, trouble

    def _set_sentences(self, texts: Sequence[str], by: str) -> None:
        self._typed = [" ".join(str(text).split()) for text in texts]
        self._publish("sentences", {"texts": self._typed, "by": by})

    def _compare_these(self, texts: Sequence[str], by: str) -> None:
        self._set_sentences(texts, by)
        self.compare()

    def _choose(self, side: str, value: str, place: str = "") -> None:
        {"left": self.left, "right": self.right}[side].choose(value, place)
        self._publish_setup()

    def _choose_corpus(self, text: str, count: int) -> None:
        self.search.choose(text, count)
        self._publish_setup()

    def _ask(self, text: str, row: int | None = None) -> None:
        """Answer a sentence as it is typed: of questions that come while one is answered, the newest counts."""
        if self._compared is None or not text.strip():
            return
        if row is not None:
            row = _validation.whole("row", row, 0, len(self._compared.texts) - 1)
        self._question = Question(" ".join(text.split()), row)
        self._work.add("answer", self._answer_question)

    def _read(self, rows: Sequence[int]) -> None:
        """Send sentences of the corpus that the reader points at."""
        if self._answers is not None:
            self._publish("texts", {"texts": self._answers.texts([int(row) for row in rows[:100]])})

    def _take_sentences(self, file: str, content: bytes) -> None:
        lines, outcome = sentences_of_file(file, bytes(content))
        self._set_sentences(lines, "")
        self._announce(outcome)

    def _take_corpus(self, file: str, size: int, at: int, piece: bytes) -> None:
        path = self._upload.take(file, size, at, bytes(piece))
        if path is not None:
            self.search.upload(path.name, path)
            self._publish_setup()
            self._announce(f"{path.name} is here. Press Compare.")

    # --- on the thread of its own -----------------------------------------------------------------------------------

    def _failed(self, error: Exception) -> None:
        self._announce(explain(error), trouble=True)

    def _done(self, name: str) -> None:
        if name == "compare":
            self.search.end()
            self._offer()

    def _encode_and_search(self) -> None:
        texts = self.texts()
        self._compared = now = Compared.of(texts, self._sides())
        self._number += 1
        self._answers, self._question = Answers(now), Question(texts[0], 0)
        self.warnings, self.words, self.near, self.moved = now.warnings(), now.remarks(), None, None
        self._publish_comparison(now)
        self._announce("Looking for neighbours …")
        self._hurry()
        self.search.begin()
        corpus = self.search.read()
        enough = FIRST  # beside a run the whole takes minutes
        while enough:
            for side in now.sides:
                if len(now.searched.get(side.name, ())) < len(corpus.texts):
                    self._look_up(now, side, enough)
            enough = 0 if enough >= MOST else GROWTH * enough if GROWTH * enough < len(corpus.texts) else MOST
        done = f"{plural(len(texts), 'sentence')}, {' and '.join(now.vectors)}."
        less = " Stopped: neighbours are sought among what is encoded; Compare goes on from there."
        self._announce(done + (less if self.search.stopped else ""))

    def _look_up(self, now: Compared, side: Side, enough: int) -> None:
        corpus, dots = self.search.read(), grown(now.searched.get(side.name))
        vectors = self.search.vectors(side, corpus, enough, lambda: self._work.run_first("answer"))
        self.near = now.look_up(side, corpus, vectors)
        self._publish_comparison(now)
        if grown(now.searched[side.name]) != dots:
            self._publish("clouds", {"sides": clouds(now), "axes": now.fits})
        self._answer_question()

    def _answer_question(self) -> None:
        """Answer the newest question."""
        question, answers = self._question, self._answers
        if question is None or answers is None or (question.row or 0) >= len(answers.compared.texts):
            return
        content, self.moved = answers.of(question)
        self._publish("answer", content)
        self._hurry()

    def _move(self) -> None:
        last, question = self._last(), self._question
        if question is None or question.row is None or question.text in ("", last.texts[question.row]):
            raise ValueError("the sentence is as it was; change a word of it first")
        self._answer_question()
        self._announce("The changed sentence is encoded.")

    def _sides(self) -> list[Side]:
        """The chosen encoders; one if both are the same."""
        runs = known_runs() | self._begun_with
        chosen = dict.fromkeys(box.chosen for box in (self.left, self.right))
        sides = [side for value, typed in chosen if (side := self._opener.open(value, typed, runs)) is not None]
        if len(sides) == 2 and sides[0].name == sides[1].name:
            sides[1] = Side(f"{sides[1].name} (right)", sides[1].encoder)
        return sides

    def _offer(self, run: RunLike | None = None, first: bool = False) -> None:
        """List the runs; the choices stay, and are at first the latest run before and after training."""
        if run is not None:
            self._begun_with[str(run.folder.resolve())] = run
        runs = known_runs() | self._begun_with
        ready = (folder for folder, item in runs.items() if has_encoder(item))
        wish = next(ready, None) if run is None else str(run.folder.resolve())
        ends = (f"{BEFORE}{wish}", f"{AFTER}{wish}") if first and wish is not None else (None, None)
        self.left.offer(self._encoder, runs, ends[0])
        self.right.offer(self._encoder, runs, ends[1])
        self._publish_setup()

    def _publish_setup(self) -> None:
        sides = {
            name: {"options": box.options, "value": box.value, "place": box.place}
            for name, box in (("left", self.left), ("right", self.right))
        }
        corpus = {"name": self.search.name, "fixed": self.search.fixed, "count": self.search.count}
        now = {**sides, "corpus": corpus}
        if now != self._parts.get("setup", (0, {}))[1]:
            self._publish("setup", now)

    def _publish_comparison(self, now: Compared) -> None:
        sides = [{"name": name, "cosines": cosines.tobytes()} for name, cosines in now.cosines().items()]
        near = None if self.near is None else self.near.parts()
        said = {"warnings": self.warnings, "remarks": self.words}
        about = {"number": self._number, "texts": list(now.texts)}
        self._publish("compared", {**about, "sides": sides, "near": near, **said})

    # --- without scripts --------------------------------------------------------------------------------------------

    def _page(self) -> str:
        lines = [*(f"⚠ {warning}" for warning in self.warnings), *self.words]
        words = "".join(f"<div style='line-height:1.5'>{html.escape(line)}</div>" for line in lines)
        tables = "".join(table.html() for table in (self.near, self.moved) if table is not None)
        picture = to_svg_image(self.figure(), "Cosines of the sentences")
        return f"{picture}<p>{html.escape(self.state)}</p>{words}{tables}"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The page, and what it shows as HTML for readers without widgets."""
        data, metadata = dict[str, Any](), dict[str, Any]()
        if has_anywidget():
            data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": "Playground()", "text/html": self._page()}, metadata
