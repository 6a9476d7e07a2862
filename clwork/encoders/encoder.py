"""The encoder: sentences in, vectors out, with the pooling and head that its representation is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from .. import _validation
from .._validation import checked, of_kind, shown
from .disk.saving import save_encoder
from .encoder_fingerprint import fingerprint
from .packed import layout_of, packs, with_ready_mask
from .pooling import known_pooling, one_layer_poolings, pool
from .tokens import (
    PLACES_ON_CPU,
    PLACES_ON_GPU,
    PLACES_PACKED,
    Places,
    Splitter,
    Tokens,
    by_length,
    check_texts,
    closing,
    cut,
    first_position,
    positions,
)

Vectors = npt.NDArray[np.float32]
Batch = dict[str, Tensor]


class Encoder(nn.Module):
    """A transformer with its tokenizer, its pooling and, where it has one, its head.

    There is one representation: :meth:`forward` trains it, :meth:`encode` returns it and :meth:`save` stores it.
    Make one with :func:`clwork.load_encoder`.

    Attributes:
        backbone: the transformer of the ``transformers`` library, without its pooler.
        head: applied to the pooled vector, unless the pooling leaves it aside, as ``"cls_before_pooler"`` does.
        hidden_dim: width of the backbone.
        dim: width of the vectors that come out.
        base: the model that it descends from through any training; stored by :meth:`save`. Default: ``name``.
        max_length: positions that the backbone has; longer sentences are cut there, and nowhere else at test time.

    Raises:
        ValueError: unknown pooling; ``pooling="cls"`` without a head; a head of another width.
    """

    def __init__(
        self,
        backbone: nn.Module,
        tokenizer: Any,
        *,
        name: str,
        pooling: str = "mean",
        head: nn.Module | None = None,
        first_layer: int = 1,
        base: str | None = None,
    ) -> None:
        super().__init__()
        self.backbone, self.tokenizer, self.head = backbone, tokenizer, head
        self.name, self.pooling = name, known_pooling(pooling).name
        self.first_layer = _validation.whole("first_layer", first_layer, 0)
        self.base = name if base is None else base
        config: Any = backbone.config
        self.hidden_dim = int(config.hidden_size)
        self.max_length = positions(config, tokenizer)
        self._first_position = first_position(config)
        self._split = Splitter(tokenizer)
        sample = self._split(["a"], self.max_length)[0]
        self._tail = closing(sample.words)
        self._check(pooling, sample)

    def _check(self, pooling: str, sample: Tokens) -> None:
        chosen = known_pooling(pooling)
        if chosen.head == "needed" and self.head is None:
            raise ValueError(
                f"pooling {pooling!r} sends its vector through a head, and encoder {self.name!r} has none; use "
                f"{chosen.raw!r} for the raw one, or train a head and keep it (head='both')"
            )
        if chosen.first_token and sample.ids[:1] != [self.tokenizer.cls_token_id]:
            raise ValueError(f"encoder {self.name!r} does not begin its input with [CLS]; use pooling 'mean'")
        width = getattr(self.head, "dim", self.hidden_dim)
        if width != self.hidden_dim:
            raise ValueError(f"the head takes vectors of width {width}, the encoder gives {self.hidden_dim}")

    @property
    def dim(self) -> int:
        """Width of the vectors of :meth:`encode`."""
        return int(getattr(self.head, "out", self.hidden_dim)) if self._uses_head else self.hidden_dim

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.backbone.parameters()).device

    @property
    def _uses_head(self) -> bool:
        return self.head is not None and known_pooling(self.pooling).head != "aside"

    def tokenize(self, texts: Iterable[str]) -> list[Tokens]:
        """Token ids and word numbers of each text, special tokens included, cut at :attr:`max_length` pieces."""
        return self._split(check_texts(texts), self.max_length)

    def collate(self, rows: Sequence[list[int]], max_length: int | None = None) -> Batch:
        """Pad rows of token ids to the longest among them; ``max_length`` cuts longer ones (SimCSE: 32 in training).

        Shapes: both tensors ``(B, T)`` int64, on the encoder's device.
        """
        rows = [cut(row, self._limit(max_length), self._tail) for row in rows]
        lengths = np.array([len(row) for row in rows])
        mask = np.arange(max(1, lengths.max())) < lengths[:, None]  # (B, T); at least one column, even of padding
        ids = np.full(mask.shape, self.tokenizer.pad_token_id, dtype=np.int64)
        ids[mask] = np.concatenate(rows)
        return {
            "input_ids": sent(ids, self.device),
            "attention_mask": sent(mask.astype(np.int64), self.device),
        }

    def _limit(self, max_length: int | None) -> int:
        return self.max_length if max_length is None else max(2, min(max_length, self.max_length))

    def forward_by_length(
        self, rows: Sequence[list[int]], max_length: int | None = None, forward: Callable[[Batch], Tensor] | None = None
    ) -> Tensor:
        """Compute the representation of rows of token ids in groups of similar length; results keep the rows' order.

        Equal to one forward pass over all rows, since padding has no effect, and faster on a CPU. A GPU gets all rows
        at once; so does a CPU where they can be laid end to end (``packed.py``), up to a bound for its memory.

        Args:
            rows: token ids.
            max_length: as for :meth:`collate`.
            forward: computes one result a row from a collated group; default: the representation.

        Shapes: returns ``(B, dim)``, or the shape of ``forward``'s results.
        """
        limit = self._limit(max_length)
        places = None
        if self.device.type == "cpu":
            places = PLACES_PACKED if packs(self.backbone) else PLACES_ON_CPU
        groups = list(by_length([min(len(row), limit) for row in rows], places))
        results = torch.cat([(forward or self)(self.collate([rows[i] for i in group], limit)) for group in groups])
        return results[sent(np.argsort(np.concatenate(groups)), results.device)]

    def hidden_states(self, batch: Batch) -> tuple[Tensor, ...]:
        """Output of the embeddings and of each layer: L + 1 tensors ``(B, T, D)``."""
        return self._states(batch, every_layer=True)

    def _states(self, batch: Batch, every_layer: bool) -> tuple[Tensor, ...]:
        """Output of the last layer, or of the embeddings and each layer; zeros at padding where rows were packed."""
        named = {"output_hidden_states": True} if every_layer else {}
        layout = layout_of(batch) if packs(self.backbone) else None
        given: dict[str, Any] = with_ready_mask(self.backbone, batch)
        if layout is not None:
            given = {name: layout.pack(tensor) for name, tensor in batch.items()}
            given |= {"position_ids": layout.columns + self._first_position, "layout": layout}
        out = self.backbone(**given, **named)
        states: tuple[Tensor, ...] = out.hidden_states if every_layer else (out.last_hidden_state,)
        return states if layout is None else tuple(map(layout.unpack, states))

    def forward(self, batch: Batch) -> Tensor:
        """The representation of a collated batch: pooled, then through the head where it is used. ``(B, dim)``."""
        states = self._states(batch, every_layer=known_pooling(self.pooling).needs_all_layers)
        pooled = pool(states, batch["attention_mask"], self.pooling, first_layer=self.first_layer)  # (B, D)
        return self.head(pooled) if self.head is not None and self._uses_head else pooled

    def encode(self, texts: Iterable[str], batch_size: int | None = None, progress: bool = False) -> Vectors:
        """Vectors of the texts at test time: eval mode, no gradient, no truncation below the model's positions.

        Batches hold texts of similar length, at most ``batch_size`` of them or by default a number of positions;
        vectors keep the order of the texts.

        ``texts`` may be a list, tuple, array, Series, generator or anything else with an order.

        Shapes: returns ``(N, dim)`` float32; no texts give ``(0, dim)``.

        Raises:
            TypeError: a single str, a set, a dict, a table, or something that is not text; ``batch_size`` is no whole
                number.
            ValueError: ``batch_size`` below 1; a text with a lone surrogate.
        """
        rows = self._split.ids(check_texts(texts), self.max_length, self._tail)
        out = np.zeros((len(rows), self.dim), dtype=np.float32)
        with evaluating(self):
            for chosen in self._batches(rows, batch_size, progress):
                vectors = self(self.collate([rows[i] for i in chosen]))
                out[chosen] = vectors.float().cpu().numpy()
        return out

    def layer_grid(self, texts: Iterable[str], batch_size: int | None = None) -> dict[tuple[int, str], Vectors]:
        """Vectors by (layer, pooling): every layer from the embeddings (0) on, under each pooling of one layer."""
        rows = self._split.ids(check_texts(texts), self.max_length, self._tail)
        grid: dict[tuple[int, str], Vectors] = {}
        with evaluating(self):
            for chosen in self._batches(rows, batch_size, progress=False):
                batch = self.collate([rows[i] for i in chosen])
                for layer, states in enumerate(self.hidden_states(batch)):
                    for pooling in one_layer_poolings():
                        blank = np.zeros((len(rows), states.shape[-1]), dtype=np.float32)
                        vectors = pool([states], batch["attention_mask"], pooling)
                        grid.setdefault((layer, pooling), blank)[chosen] = vectors.cpu().numpy()
        return grid

    def _batches(self, rows: Sequence[list[int]], batch_size: int | None, progress: bool) -> Iterator[Places]:
        """Yield indices of rows, longest first: a batch too large for memory fails at once."""
        from tqdm.auto import tqdm

        batch_size = None if batch_size is None else _validation.whole("batch_size", batch_size, least=1)
        places = PLACES_ON_GPU
        if self.device.type == "cpu":
            places = PLACES_ON_CPU * (2 if torch.is_autocast_enabled("cpu") else 1)
        with tqdm(
            total=len(rows), desc="encode", unit="sentence", disable=not _validation.flag("progress", progress)
        ) as bar:
            for chosen in by_length([len(row) for row in rows], places, batch_size):
                yield chosen
                bar.update(len(chosen))

    def with_pooling(self, pooling: str) -> Encoder:
        """This encoder with another pooling, sharing all weights.

        A head belongs to the token vectors it was trained on: it stays among ``cls`` and ``cls_before_pooler``, and is
        left behind when any other pooling is changed or chosen.
        """
        same = known_pooling(pooling).raw == known_pooling(self.pooling).raw
        return self.with_head(self.head if same else None, pooling)

    def without_head(self, pooling: str) -> Encoder:
        """The backbone under a pooling's raw form, sharing its weights; ``cls`` becomes ``cls_before_pooler``."""
        return self.with_head(None, known_pooling(pooling).raw)

    def with_head(self, head: nn.Module | None, pooling: str, first_layer: int | None = None) -> Encoder:
        """This encoder with another head and pooling, sharing all weights.

        Args:
            head: takes pooled vectors ``(B, D)``; None for none.
            pooling: what the head takes.
            first_layer: see :class:`Encoder`; None keeps this encoder's.

        Raises:
            TypeError, ValueError: a head that is no module or has another width, a pooling that is not known or needs
                a head, or no such layer.
        """
        if head is not None and not isinstance(head, nn.Module):
            raise TypeError(f"head={shown(head)} must be a torch module that takes pooled vectors, or None")
        return Encoder(
            self.backbone,
            self.tokenizer,
            name=self.name,
            pooling=pooling,
            head=head,
            first_layer=self.first_layer if first_layer is None else first_layer,
            base=self.base,
        )

    def fingerprint(self) -> str:
        """32 hex digits, equal for equal encoders of any folder or name; see :func:`.fingerprint`."""
        return fingerprint(self)

    def save(self, folder: str | Path) -> None:
        """Write weights (float32 safetensors), tokenizer, pooling and head; see :func:`.save_encoder`."""
        save_encoder(self, folder)


def sent(numbers: Places, device: torch.device) -> Tensor:
    """An array as a tensor on the device; to a GPU it is sent from pinned memory, while the program goes on."""
    tensor = torch.from_numpy(numbers)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


ENCODER = of_kind(Encoder, "an encoder, such as clwork.load_encoder('mini')")


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Switch to eval mode without gradients; afterwards every submodule is in its former mode."""
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part, training in modes:
            part.training = training


@checked(encoder=ENCODER, each=_validation.whole)
def token_sample(encoder: Encoder, texts: Iterable[str], each: int = 5, *, generator: torch.Generator) -> Vectors:
    """Return last-layer vectors of ``each`` random tokens of every text; of all tokens if a text has fewer.

    Special tokens do not count. The paper takes five, its released code three (M14).

    Shapes: ``(N, hidden_dim)`` float32, N at most ``each`` times the number of texts. The generator is on the CPU.

    Raises:
        ValueError: ``each`` is below 1, or no text has a token.
    """
    if each < 1:
        raise ValueError(f"each={each} is too few; give 1 or more (the paper: 5)")
    vectors = []
    with evaluating(encoder):
        for tokens in encoder.tokenize(texts):
            places = torch.tensor([place for place, word in enumerate(tokens.words) if word >= 0], dtype=torch.long)
            states = encoder.hidden_states(encoder.collate([tokens.ids]))[-1][0]  # (T, D)
            chosen = places[torch.randperm(len(places), generator=generator)[:each]]
            vectors.append(states[chosen.to(states.device)].float().cpu().numpy())
    if not sum(map(len, vectors)):
        raise ValueError("no text has a token that is not special; give sentences with words")
    return np.concatenate(vectors)
