"""The only access to what a recipe names outside its folder: by its fingerprint.

A run's folder may be a stranger's. Whatever its recipe names (a corpus, an encoder, STS data, what a hyperparameter
names) would be read into the folder, and leave with it. So it is read only if the recipe has its fingerprint, which a
stranger cannot know, and used only if the fingerprint matches. What the caller names needs none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from .._validation import shown
from ..data import StsPairs
from ..encoders import Encoder
from ..events import Event
from ..run_folder.config import ChangedError, External, RunConfig, fingerprint, read_encoder, read_sentences
from ..run_folder.folder import RunFolder, encoder_of
from .validation import read_sts

FINGERPRINT = re.compile(r"[0-9a-f]{32}")
T = TypeVar("T")


class Outside:
    """Reads what a recipe names outside its folder; ``events`` lists accepted changes since the run began."""

    def __init__(
        self, recipe: RunConfig, files: RunFolder, accept_changes: bool = False, named: Container[str] = ()
    ) -> None:
        """What the caller has ``named`` needs no fingerprint; with ``accept_changes`` nothing does."""
        self.events: list[Event] = []
        self._recipe, self._files, self._accept, self._named = recipe, files, accept_changes, named

    def check(self) -> None:
        """Check that the recipe has a fingerprint for everything that it names; nothing is read.

        Raises:
            ChangedError: it lacks one.
        """
        for what, named in self._recipe.external().items():
            if not (named.copied and self._files.has_folder(what)):  # then the copy is read
                self._check_fingerprint(what, named)

    def encoder(self, given: str | Encoder, device: str | None) -> Encoder:
        """Read an encoder to train: a copy of the one ``given``, or by its name; raises as :meth:`_take`."""
        seed = self._recipe.weights_seed
        encoder: Encoder = self._take("encoder", lambda: read_encoder(given, self._files, device, seed), fingerprint)
        return encoder

    def examples(self, given: Any = None) -> Any:
        """Read the examples, or compare those ``given``; raises as :meth:`_take`."""
        if given is not None:
            self._compare("sentences", fingerprint(given))
            return given
        return self._take("sentences", lambda: read_sentences(self._recipe.sentences, self._files), fingerprint)

    def sts(self) -> dict[str, StsPairs]:
        """Read the STS tasks: the recipe's, else the user's remembered ones, else none; raises as :meth:`_take`."""
        if self._recipe.sts is None:
            return read_sts(None)
        return self._take("sts", lambda: read_sts(self._recipe.sts), _digest_of_sts)

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """Read the encoder of a run called ``named``, else what ``read`` finds by the name; raises as :meth:`_take`."""
        encoder: Encoder = self._take(hyperparameter, lambda: read(encoder_of(named) or named), fingerprint)
        return encoder

    def _take(self, what: str, read: Callable[[], T], digest: Callable[[T], str]) -> T:
        """Call ``read`` and compare the fingerprint of the result with the recipe's.

        Raises:
            ChangedError: the recipe has none, or another one, or it can no longer be read.
            FileNotFoundError: it is gone.
        """
        named = self._recipe.external().get(what)
        if named is None:
            result = read()
        else:
            self._check_fingerprint(what, named)
            with self._unquoted(what, named):
                result = read()
        self._compare(what, digest(result))
        return result

    def _check_fingerprint(self, what: str, named: External) -> None:
        known = named.compared and FINGERPRINT.fullmatch(self._recipe.fingerprints.get(what, ""))
        if not known and not self._trusted(what):
            raise ChangedError(
                f"{self._recipe.name} names {shown(named.text, 200)} for its {what}, and no fingerprint of it; if "
                "you know it, resume with accept_changes=True"
            )

    def _trusted(self, what: str) -> bool:
        return self._accept or what in self._named

    def _compare(self, what: str, digest: str) -> None:
        if self._recipe.compare(what, digest, self._accept):
            self.events.append({"changed": what})

    @contextmanager
    def _unquoted(self, what: str, named: External) -> Iterator[None]:
        """Replace errors that may quote a file which only a stranger has named: the run's folder stores its errors."""
        try:
            yield
        except (ConnectionError, ImportError):
            raise
        except Exception as error:
            if self._trusted(what):
                raise
            thing = f"{shown(named.text, 200)}, which {self._recipe.name} names for its {what},"
            if isinstance(error, FileNotFoundError):
                raise FileNotFoundError(f"{thing} is not there; bring it back") from None
            raise ChangedError(
                f"{thing} can no longer be read ({type(error).__name__}); bring back what the run began with, or "
                "resume with accept_changes=True, which tells why"
            ) from None


def _digest_of_sts(tasks: dict[str, StsPairs]) -> str:
    rows = [
        (task, *row)
        for task, pairs in tasks.items()
        for row in zip(pairs.sentences1, pairs.sentences2, pairs.scores, strict=True)
    ]
    return fingerprint(rows)
