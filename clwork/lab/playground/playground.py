"""The playground: compare your own sentences by one or two encoders."""

from __future__ import annotations

import functools
import html
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _validation
from ..._validation import checked, path_like
from ...data.sources import DEFAULT
from ...training.examples import a_corpus
from ...training.stored import RunLike, RunSource, as_run
from ...wording import explain, plural
from ..page import standalone
from ..page.notebook import unsaved
from ..page.polling_page import PollingPage, Update
from .comparison import DOTS, Comparison, Question, Table
from .sources import AFTER, BEFORE, LEAST, MOST, CorpusSearch, EncoderChoice, Opener, Side, has_encoder, known_runs

OWN = (
    "The volcano threw ash high into the sky.",
    "Lava ran down the mountain after the eruption.",
    "She plays the violin in a large orchestra.",
    "The composer wrote four symphonies.",
    "The bank raised its interest rates again.",
    "Higher prices made people spend less money.",
)
MOST_OWN = 30  # sentences; a larger matrix is not readable
SEARCHED = 2000  # corpus sentences that are searched by default
FIRST = 256  # corpus sentences that are encoded before the first neighbours are shown
GROWTH = 8  # factor of this number for each later update


@checked(sentences=a_corpus, encoder=path_like)
@unsaved()
def playground(
    texts: Sequence[str] = OWN,
    *,
    run: RunSource | None = None,
    sentences: Any = None,
    encoder: str = "mini",
    searched: int = SEARCHED,
) -> Playground:
    """Compare your own sentences by one or two encoders: put the widget last in a cell, type, and press Compare.

    Between two encoders stands the first one with the mean of its first and last layer, which needs no training.

    Args:
        texts: initial sentences.
        run: a run or its folder; its encoders before and after training are chosen first. Default: the latest run.
        sentences: the corpus to search, as for ``clwork.data.sentences``; default ``"wikipedia-mini"``.
        encoder: the raw encoder; it is chosen first if there is no run.
        searched: number of corpus sentences to search, 10 to 100,000; they are taken at equal distances.
    """
    run = None if run is None else as_run("run", run)
    return Playground(list(texts), run, sentences, encoder, _validation.integer("searched", searched, LEAST, MOST))


class Playground(PollingPage):
    """See :func:`playground`; ``warnings``, ``remarks``, ``near`` and ``moved`` are the results of the last Compare."""

    _esm = standalone.module("playground")

    def __init__(self, texts: list[str], run: RunLike | None, sentences: Any, encoder: str, searched: int) -> None:
        self._encoder, self._opener = encoder, Opener()
        self._given_runs: dict[str, RunLike] = {}
        self._typed = list(texts)
        self._compared: Comparison | None = None
        self._number = 0  # number of comparisons
        self._question: Question | None = None
        self._parts: dict[str, tuple[int, Update]] = {}
        self._work = Work(self._failed, self._done, self._push_now)
        self.left, self.right = EncoderChoice(), EncoderChoice(optional=True)
        self.search = CorpusSearch(DEFAULT if sentences is None else sentences, searched)
        self.state, self.trouble = "Type sentences and press Compare.", False
        self.warnings: list[str] = []
        self.remarks: list[str] = []
        self.near: Table | None = None
        self.moved: Table | None = None
        super().__init__(about={"most": MOST_OWN, "searched": [LEAST, MOST]})
        self._offer(run, first=True)
        self._set_sentences(texts, "")

    def compare(self) -> None:
        """Start to encode the sentences and search the corpus; does not block."""
        if not self._work.pending("compare"):
            self._announce("Encoding your sentences …")
            self._work.add("compare", self._encode_and_search)
            self._push_while_active()

    @checked()
    def wait(self, timeout: float | None = None) -> Playground:
        """Block until all requests are processed, at most ``timeout`` seconds."""
        self._work.idle.wait(timeout)
        return self

    def texts(self) -> list[str]:
        """Return the typed sentences; ValueError unless there are 2 to 30."""
        typed = [line.strip() for line in self._typed if line.strip()]
        if not 2 <= len(typed) <= MOST_OWN:
            were = plural(len(typed), "sentence was", "sentences were")
            raise ValueError(f"{were} given; give 2 to {MOST_OWN}, one on each line")
        return typed

    def vectors(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors ``(N, D)`` of the last comparison by encoder; RuntimeError before the first."""
        if self._compared is None:
            raise RuntimeError("no sentences have been encoded; press Compare first")
        return dict(self._compared.vectors)

    def close(self) -> None:
        """Remove the playground from the page and end its search."""
        self.search.halt()
        self._work.close()
        super().close()

    def _update(self, known: Mapping[str, Any]) -> Update:
        parts = {name: part for name, part in self._parts.items() if known.get(name) != part[0]}
        return {"status": self._status(), **{name: {"version": v, **content} for name, (v, content) in parts.items()}}

    def _active(self) -> bool:
        return not self._work.idle.is_set()

    def _status(self) -> Update:
        return {
            "working": self._work.pending("compare"),
            "busy": self._active(),
            "sentence": self.state,
            "trouble": self.trouble,
            "doing": self.search.progress,
            "done": self.search.done,
            "total": self.search.total,
        }

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "type": self._set_sentences,
            "edit": self._search_for,
            "choose": self._choose,
            "corpus": self._choose_corpus,
            "compare": self._compare_texts,
            "stop": self.search.halt,
            "read": self._read_texts,
            "runs": self._offer,
        }

    def _publish(self, name: str, content: Update) -> None:
        with self.lock:
            self._parts[name] = (self._parts.get(name, (0, {}))[0] + 1, content)

    def _announce(self, sentence: str, trouble: bool = False) -> None:
        self.state, self.trouble = sentence, trouble

    def _set_sentences(self, texts: Sequence[str], by: str) -> None:
        self._typed = [" ".join(str(text).split()) for text in texts]
        self._publish("sentences", {"texts": self._typed, "by": by})

    def _compare_texts(self, texts: Sequence[str], by: str) -> None:
        self._set_sentences(texts, by)
        self.compare()

    def _choose(self, side: str, value: str, place: str = "") -> None:
        {"left": self.left, "right": self.right}[side].choose(value, place)
        self._publish_setup()

    def _choose_corpus(self, text: str, count: int) -> None:
        self.search.choose(text, count)
        self._publish_setup()

    def _search_for(self, text: str, row: int | None = None, partner: str = "") -> None:
        """Search for a sentence while it is typed; a newer request replaces a waiting one."""
        if self._compared is None or not text.strip():
            return
        if row is not None:
            row = _validation.integer("row", row, 0, len(self._compared.texts) - 1)
        self._question = Question(" ".join(text.split()), row, " ".join(partner.split()))
        self._work.add("answer", self._answer_question)

    def _read_texts(self, rows: Sequence[int]) -> None:
        if self._compared is not None:
            self._publish("texts", {"texts": self._compared.corpus_texts([int(row) for row in rows[:100]])})

    def _failed(self, error: Exception) -> None:
        self._announce(explain(error), trouble=True)

    def _done(self, name: str) -> None:
        if name == "compare":
            self.search.end()
            self._offer()

    def _encode_and_search(self) -> None:
        texts = self.texts()
        runs = known_runs() | self._given_runs
        chosen = dict.fromkeys(box.chosen for box in (self.left, self.right))
        sides = [side for value, typed in chosen if (side := self._opener.open(value, typed, runs)) is not None]
        if len(sides) == 2 and sides[0].name == sides[1].name:
            sides[1] = Side(f"{sides[1].name} (right)", sides[1].encoder)
        if len(sides) == 2 and (rival := sides[0].mean_of_layers()) is not None:
            sides.insert(1, rival)
        self._compared = now = Comparison.of(texts, sides)
        self._number += 1
        self._question = Question(texts[0], 0, texts[1])
        self.warnings, self.remarks, self.near, self.moved = now.warnings(), now.remarks(), None, None
        self._publish_comparison(now)
        self._announce("Searching for neighbours …")
        self._push_now()
        self.search.begin()
        corpus = self.search.texts()
        enough = FIRST
        while enough:
            for side in now.sides:
                if len(now.searched.get(side.name, ())) < len(corpus):
                    self._search_corpus(now, side, corpus, enough)
            enough = 0 if enough >= len(corpus) else min(GROWTH * enough, len(corpus))
        done = f"{plural(len(texts), 'sentence')}, {' and '.join(now.vectors)}."
        less = " Stopped: only the encoded sentences were searched; press Compare to continue."
        self._announce(done + (less if self.search.stopped else ""))

    def _search_corpus(self, now: Comparison, side: Side, corpus: Sequence[str], enough: int) -> None:
        dots = min(len(now.searched.get(side.name, ())), DOTS)
        vectors = self.search.vectors(side, enough, lambda: self._work.run_first("answer"))
        now.corpus, now.searched[side.name] = corpus, vectors
        self.near = now.neighbours()
        self._publish_comparison(now)
        if min(len(vectors), DOTS) != dots:
            self._publish("clouds", {"sides": now.clouds(), "axes": now.fits})
        self._answer_question()

    def _answer_question(self) -> None:
        question, now = self._question, self._compared
        if question is None or now is None or (question.row or 0) >= len(now.texts):
            return
        content, self.moved = now.answer(question)
        self._publish("answer", content)
        self._push_now()

    def _offer(self, run: RunLike | None = None, first: bool = False) -> None:
        """List the runs; if ``first``, choose a run's encoders before and after training, else change no choice."""
        if run is not None:
            self._given_runs[str(run.folder.resolve())] = run
        runs = known_runs() | self._given_runs
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

    def _publish_comparison(self, now: Comparison) -> None:
        sides = [{"name": name, "cosines": cosines.tobytes()} for name, cosines in now.cosines().items()]
        notes = {"warnings": self.warnings, "remarks": self.remarks}
        self._publish("compared", {"number": self._number, "texts": list(now.texts), "sides": sides, **notes})

    def _static(self) -> tuple[str, str]:
        lines = [self.state, *(f"⚠ {warning}" for warning in self.warnings), *self.remarks]
        tables = "".join(table.html() for table in (self.near, self.moved) if table is not None)
        return "Playground()", "".join(f"<p>{html.escape(line)}</p>" for line in lines) + tables


class Work:
    """Runs named tasks in one thread; a new task replaces a waiting task with the same name."""

    def __init__(
        self, failed: Callable[[Exception], None], done: Callable[[str], None], rest: Callable[[], None]
    ) -> None:
        """``failed`` receives a task's exception. After each task ``done`` is called with its name, then ``rest``."""
        self._failed, self._done, self._rest = failed, done, rest
        self._waiting: dict[str, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._current = ""
        self.idle = threading.Event()  # not the thread's is_alive, which is wrong after an interrupted join
        self.idle.set()

    def add(self, name: str, task: Callable[[], None]) -> None:
        """Run ``task`` after the current one; replace a waiting task with the same name."""
        with self._changed:
            if self._closed:
                return
            self._waiting[name] = task
            self.idle.clear()
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="clwork playground", daemon=True)
                self._thread.start()
            self._changed.notify()

    def pending(self, name: str) -> bool:
        return name == self._current or name in self._waiting

    def run_first(self, name: str) -> None:
        """Run the waiting task with this name immediately; to be called by the current task."""
        with self._changed:
            task = self._waiting.pop(name, None)
        if task is not None:
            self._try(task)

    def close(self) -> None:
        """End the thread after the current task."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()

    def _loop(self) -> None:
        while (item := self._next()) is not None:
            name, task = item
            self._try(task)
            self._try(functools.partial(self._done, name))
            with self._changed:
                self._current = ""
                if not self._waiting:
                    self.idle.set()
            self._rest()

    def _try(self, task: Callable[[], None]) -> None:
        try:
            task()
        except Exception as error:  # an encoder of a third party may raise anything
            self._failed(error)

    def _next(self) -> tuple[str, Callable[[], None]] | None:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if self._closed:
                self.idle.set()
                return None
            self._current = next(iter(self._waiting))
            return self._current, self._waiting.pop(self._current)
