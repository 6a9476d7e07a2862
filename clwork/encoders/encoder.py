"""The encoder: a backbone with tokenizer, pooling and head, which turns sentences into vectors."""

from __future__ import annotations

import copy
import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from .. import _validation
from .._validation import Positive, checked, of_kind
from . import packed
from .heads import DeclaredModules
from .pooling import DECLARED, known_pooling, one_layer_poolings, pool
from .saving import save_encoder
from .tokens import (
    POSITIONS_ON_CPU,
    POSITIONS_ON_GPU,
    POSITIONS_PACKED,
    Indices,
    Splitter,
    Tokens,
    by_length,
    check_texts,
    closing,
    cut,
    unknown_share,
)

USUAL_LENGTH = 512  # of a model without a table of positions whose tokenizer has no limit
UNLIMITED = 1_000_000  # transformers writes a larger number into a tokenizer without a limit
CAPTURING = "transformers.utils.output_capturing"  # defines hooks that pickle cannot write
Vectors = npt.NDArray[np.float32]
Batch = dict[str, Tensor]


class Encoder(nn.Module):
    """A transformer with its tokenizer, a pooling and an optional head; made by :func:`clwork.load_encoder`.

    :meth:`forward` computes vectors with gradients, :meth:`encode` without; :meth:`save` writes a folder.

    Attributes:
        backbone: the transformer of the ``transformers`` library, without its pooler.
        head: applied to the pooled vector, unless the pooling skips it, as ``"cls_before_pooler"`` does.
        hidden_dim: width of the backbone.
        dim: width of the encoder's vectors.
        base: name of the pre-trained model that all training started from. Default: ``name``.
        max_length: number of tokens that the backbone accepts; at test time, longer sentences are truncated to it.
        prompt: text that stands before every text, as a folder of sentence-transformers may declare.
        raw: whether nobody has chosen :attr:`pooling`: the encoder is a plain transformer, loaded without ``pooling``.
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
        prompt: str = "",
    ) -> None:
        super().__init__()
        self.backbone, self.tokenizer, self.head = backbone, tokenizer, head
        self.name, self.pooling = name, known_pooling(pooling).name
        self.first_layer = _validation.integer("first_layer", first_layer, 0)
        self.base = name if base is None else base
        self.prompt = prompt
        self.raw = False
        config: Any = backbone.config
        self.hidden_dim = int(config.hidden_size)
        self._padding = packed.padding_of_positions(backbone)
        positions = getattr(config, "max_position_embeddings", None)
        length = tokenizer.model_max_length
        if positions:
            length = min(length, positions - (self._padding + 1))
        elif length > UNLIMITED:
            length = USUAL_LENGTH
        self.max_length = int(length)
        self._split = Splitter(tokenizer)
        sample = self._split(["a"], self.max_length)[0]
        self._tail = closing(sample.words)
        self._check(sample)

    def _check(self, sample: Tokens) -> None:
        """Check that pooling, head, tokenizer and backbone are compatible."""
        chosen, config = known_pooling(self.pooling), self.backbone.config
        layers: int | None = getattr(config, "num_hidden_layers", None)
        if chosen.head == "needed" and self.head is None:
            raise ValueError(
                f"pooling {chosen.name!r} needs a head, but encoder {self.name!r} has none; use {chosen.raw!r}, or "
                "train with head='both' and save the encoder"
            )
        if chosen.reads_first_token and sample.ids[:1] != [self.tokenizer.cls_token_id]:
            raise ValueError(
                f"encoder {self.name!r} does not begin its input with [CLS]; use pooling 'mean'"
            )
        if chosen.needs_all_layers and layers is None:
            raise ValueError(
                f"pooling {chosen.name!r} averages layers, whose widths differ in {self.name!r}; use 'max'"
            )
        if chosen.needs_all_layers and layers is not None and self.first_layer > layers:
            raise ValueError(
                f"first_layer={self.first_layer} is not a layer of {self.name!r}; give 0 or 1"
            )
        width = getattr(self.head, "dim", self.hidden_dim)
        if width != self.hidden_dim:
            raise ValueError(
                f"the head must take vectors of width {self.hidden_dim}, the backbone's, not {width}"
            )

    @property
    def dim(self) -> int:
        """Width of the vectors of :meth:`encode`."""
        return (
            int(getattr(self.head, "out", self.hidden_dim)) if self.uses_head else self.hidden_dim
        )

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.backbone.parameters()).device

    @property
    def layers(self) -> nn.ModuleList:
        """The backbone's layers in order; of a TextCNN its filters."""
        return max(
            (part for part in self.backbone.modules() if isinstance(part, nn.ModuleList)), key=len
        )

    @property
    def uses_head(self) -> bool:
        """Whether the head is applied to the pooled vector."""
        return self.head is not None and known_pooling(self.pooling).head != "skipped"

    def tokenize(self, texts: Iterable[str]) -> list[Tokens]:
        """Return token ids and word numbers of each text, special tokens included, truncated to :attr:`max_length`."""
        return self._split(self._prompted(texts), self.max_length)

    def _prompted(self, texts: Iterable[str]) -> list[str]:
        rows = check_texts(texts)
        return [self.prompt + text for text in rows] if self.prompt else rows

    def collate(self, rows: Sequence[list[int]], max_length: int | None = None) -> Batch:
        """Pad rows of token ids to equal length; ``max_length`` truncates them first (SimCSE trains with 32).

        Shapes: both tensors ``(B, T)`` int64, on the encoder's device.
        """
        rows = [cut(row, self._limit(max_length), self._tail) for row in rows]
        lengths = np.array([len(row) for row in rows])
        mask = (
            np.arange(max(1, lengths.max())) < lengths[:, None]
        )  # (B, T), T at least 1 even if all rows are empty
        ids = np.full(mask.shape, self.tokenizer.pad_token_id, dtype=np.int64)
        ids[mask] = np.concatenate(rows)
        return {
            "input_ids": to_device(ids, self.device),
            "attention_mask": to_device(mask.astype(np.int64), self.device),
        }

    def _limit(self, max_length: int | None) -> int:
        return self.max_length if max_length is None else max(2, min(max_length, self.max_length))

    def forward_by_length(
        self,
        rows: Sequence[list[int]],
        max_length: int | None = None,
        forward: Callable[[Batch], Tensor] | None = None,
    ) -> Tensor:
        """Return the representation of rows of token ids, in order, computed in groups of similar length.

        The result equals one forward pass over all rows, and is faster on a CPU. ``forward`` replaces the encoder: it
        takes a collated group and returns one result per row.
        """
        limit = self._limit(max_length)
        most = None
        if self.device.type == "cpu":
            most = POSITIONS_PACKED if packed.packs(self.backbone) else POSITIONS_ON_CPU
        groups = list(by_length([min(len(row), limit) for row in rows], most))
        results = torch.cat(
            [(forward or self)(self.collate([rows[i] for i in group], limit)) for group in groups]
        )
        return results[to_device(np.argsort(np.concatenate(groups)), results.device)]

    def hidden_states(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return the output of the embeddings and of each layer: L + 1 tensors ``(B, T, D)``."""
        return self._states(batch, output_hidden_states=True)

    def last_states(self, batch: Batch) -> Tensor:
        """Return the output of the last layer, ``(B, T, D)``."""
        return self._states(batch)[0]

    def _states(self, batch: Batch, **named: bool) -> tuple[Tensor, ...]:
        """Return the last layer's output or all L + 1, depending on the arguments ``named`` of the backbone.

        Padding positions are 0 in rows packed or kept apart; with ``first_token``, rows may have the first only.
        """
        apart = getattr(self.backbone, "sees_padding", False) and not packed.hooked(self.backbone)
        if apart and not batch["attention_mask"].all():
            return packed.one_length_at_a_time(batch, lambda rows: self._states(rows, **named))
        layout = packed.layout_of(batch) if packed.packs(self.backbone) else None
        given: dict[str, Any] = packed.with_ready_mask(self.backbone, batch)
        if layout is not None:
            given = {name: layout.pack(tensor) for name, tensor in batch.items()}
            given |= {
                "position_ids": layout.pack(packed.positions(batch, self._padding)),
                "layout": layout,
            }
        out = self.backbone(**given, **named)
        states: tuple[Tensor, ...] = (
            out.hidden_states if "output_hidden_states" in named else (out.last_hidden_state,)
        )
        return (
            states
            if layout is None or "first_token" in named
            else tuple(map(layout.unpack, states))
        )

    def forward(self, batch: Batch) -> Tensor:
        """Return the representation ``(B, dim)`` of a collated batch: pooled, then passed through the head if used."""
        named, pooling = {}, known_pooling(self.pooling)
        if pooling.needs_all_layers:
            named = {"output_hidden_states": True}
        elif pooling.reads_first_token and packed.uses_packed_attention(self.backbone):
            named = {"first_token": True}  # the last layer computes no other position
        states = self._states(batch, **named)
        if pooling is DECLARED:
            assert isinstance(self.head, DeclaredModules)
            return self.head.of_tokens(states, batch["attention_mask"])
        pooled = pool(
            states, batch["attention_mask"], self.pooling, first_layer=self.first_layer
        )  # (B, D)
        return self.head(pooled) if self.head is not None and self.uses_head else pooled

    def encode(
        self, texts: Iterable[str], batch_size: int | None = None, progress: bool = False
    ) -> Vectors:
        """Return the vectors of texts, in order: ``(N, dim)`` float32, computed in eval mode without gradient.

        A batch holds texts of similar length: ``batch_size`` of them, by default as many as fit into a fixed number of
        tokens. ``texts`` may be a list, array, Series, generator or any other ordered iterable.

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").encode(["A cat.", "A dog."]).shape
        (2, 256)
        """
        rows = self._split.ids(self._prompted(texts), self.max_length, self._tail)
        out = np.zeros((len(rows), self.dim), dtype=np.float32)
        with evaluating(self):
            for chosen in self._batches(rows, batch_size, progress):
                vectors = self(self.collate([rows[i] for i in chosen]))
                out[chosen] = vectors.float().cpu().numpy()
        return out

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of the texts' tokens that the vocabulary lacks, estimated on at most 200 texts.

        Texts in a script that the vocabulary lacks differ in their length alone: each of their words is [UNK].

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").unknown_share(["A cat.", "\u0e41\u0e21\u0e27"])
        0.25
        """
        return unknown_share(self.tokenizer, texts)

    def layer_grid(
        self, texts: Iterable[str], batch_size: int | None = None
    ) -> dict[tuple[int, str], Vectors]:
        """Return vectors by (layer, pooling), for every layer (0: embeddings) and every pooling of one layer."""
        rows = self._split.ids(self._prompted(texts), self.max_length, self._tail)
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

    def _batches(
        self, rows: Sequence[list[int]], batch_size: int | None, progress: bool
    ) -> Iterator[Indices]:
        """Yield batches of row indices, longest rows first, so that the first batch needs the most memory."""
        from tqdm.auto import tqdm

        batch_size = (
            None if batch_size is None else _validation.integer("batch_size", batch_size, least=1)
        )
        most, hidden = POSITIONS_ON_GPU, not _validation.flag("progress", progress)
        if self.device.type == "cpu":
            most = POSITIONS_ON_CPU * (2 if torch.is_autocast_enabled("cpu") else 1)
        with tqdm(total=len(rows), desc="encode", unit="sentence", disable=hidden) as bar:
            for chosen in by_length([len(row) for row in rows], most, batch_size):
                yield chosen
                bar.update(len(chosen))

    def with_pooling(self, pooling: str) -> Encoder:
        """Return this encoder with another pooling; weights are shared.

        The head is dropped, unless both poolings read the same token vectors, as ``cls`` and ``cls_before_pooler`` do.
        """
        same = known_pooling(pooling).raw == known_pooling(self.pooling).raw
        return self.with_head(self.head if same else None, pooling)

    def without_head(self, pooling: str) -> Encoder:
        """Return this encoder without its head; ``cls`` becomes ``cls_before_pooler``, and weights are shared."""
        return self.with_head(None, known_pooling(pooling).raw)

    def with_head(
        self, head: nn.Module | None, pooling: str, first_layer: int | None = None
    ) -> Encoder:
        """Return this encoder with another pooling and a head that takes pooled vectors; weights are shared."""
        if head is not None and not isinstance(head, nn.Module):
            raise TypeError(
                f"head={_validation.shown(head)} must be a torch module that takes pooled vectors, or None"
            )
        return Encoder(
            self.backbone,
            self.tokenizer,
            name=self.name,
            pooling=pooling,
            head=head,
            first_layer=self.first_layer if first_layer is None else first_layer,
            base=self.base,
            prompt=self.prompt,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to copy or pickle, without hooks that transformers installs again when it needs them."""
        state = dict(self.__dict__)
        installed = "_output_capturing_hooks_installed"
        if getattr(self.backbone, installed, False):
            backbone: Any = copy.deepcopy(self.backbone)
            for part in backbone.modules():
                local = [
                    key for key, hook in part._forward_hooks.items() if hook.__module__ == CAPTURING
                ]
                for key in local:
                    del part._forward_hooks[key]
            setattr(backbone, installed, False)
            state["_modules"] = {**state["_modules"], "backbone": backbone}
        return state

    def fingerprint(self) -> str:
        """Return a hash (BLAKE2b, 32 hex digits) of everything that determines the vectors.

        It covers weights and buffers with names, types and shapes; a TextCNN's word vectors; pooling, first layer and
        prompt; the backbone's :data:`SETTINGS`; and the tokenizer's vocabulary and rules. Name, origin, device and
        training mode do not change it.

        >>> from clwork.encoders import load_encoder
        >>> mini = load_encoder("mini")
        >>> mini.fingerprint() == load_encoder("mini").fingerprint() != mini.with_pooling("max").fingerprint()
        True
        """
        digest = hashlib.blake2b(digest_size=16)
        config: Any = self.backbone.config
        about = {
            "version": 1,
            "pooling": self.pooling,
            "first_layer": self.first_layer,
            "max_length": self.max_length,
            "head": getattr(self.head, "activation", None if self.head is None else str(self.head)),
            "settings": {name: getattr(config, name, None) for name in SETTINGS},
        }
        if self.prompt:
            about["prompt"] = self.prompt
        digest.update(json.dumps(about, sort_keys=True, default=str).encode())
        tensors: dict[str, Tensor] = dict(self.state_dict())
        if getattr(
            self.backbone, "constants", False
        ):  # a TextCNN's word vectors, which state_dict lacks
            tensors |= dict(self.named_buffers())
        for name, tensor in sorted(tensors.items()):
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
            digest.update(
                tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data
            )
        for part in _tokenizer_state(self.tokenizer):
            digest.update(part)
        return digest.hexdigest()

    def save(self, folder: str | Path) -> None:
        """Save weights (float32 safetensors), tokenizer, pooling and head; ``load_encoder`` restores equal vectors.

        ``SentenceTransformer(folder)`` also returns equal vectors, ``AutoModel.from_pretrained(folder)`` equal hidden
        states. If these libraries cannot load it (a TextCNN, for example), the folder's README.md gives the reason. An
        encoder that clwork saved there earlier is replaced.

        Raises:
            FileExistsError: the folder holds files that clwork did not write, or is a link.
            TypeError: the head is not a ProjectionHead.
            DiskError: the folder cannot be written; an earlier encoder stays unchanged.
        """
        save_encoder(self, folder)


# Settings that vectors or training depend on, in addition to weights. The list is fixed: a setting that a later
# release of transformers adds must not change the fingerprint of the same files.
SETTINGS = (
    "model_type",
    "num_attention_heads",
    "hidden_act",
    "layer_norm_eps",
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "activation",
    "rope_parameters",
    "regions",
    "attention",
    "max_position_embeddings",
)
SPECIAL = ("pad_token_id", "cls_token_id", "sep_token_id", "unk_token_id", "mask_token_id")


def _tokenizer_state(tokenizer: Any) -> Iterator[bytes]:
    """Yield the ids of the special tokens and the serialized state of the tokenizer."""
    special = {name: getattr(tokenizer, name, None) for name in SPECIAL}
    yield json.dumps(special, sort_keys=True).encode()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        if (
            backend.truncation is not None or backend.padding is not None
        ):  # another caller has changed the tokenizer
            backend = type(backend).from_str(backend.to_str())
            backend.no_truncation()
            backend.no_padding()
        yield backend.to_str().encode("utf-8", "surrogatepass")
    elif hasattr(tokenizer, "state"):
        yield tokenizer.state()
    else:  # a tokenizer written in Python, whose rules are code
        yield f"{type(tokenizer).__name__} {tokenizer.special_tokens_map}".encode()
        yield json.dumps(sorted(tokenizer.get_vocab().items())).encode()


def to_device(numbers: npt.NDArray[Any], device: torch.device) -> Tensor:
    """Convert an array to a tensor on the device; the copy to a GPU uses pinned memory and does not block."""
    tensor = torch.from_numpy(numbers)
    return (
        tensor.pin_memory().to(device, non_blocking=True)
        if device.type == "cuda"
        else tensor.to(device)
    )


ENCODER = of_kind(Encoder, "an encoder, such as clwork.load_encoder('mini')")


# Modules in eval mode by :func:`evaluating`: how many calls use each now, and the mode to restore after the last one.
_EVALUATING: WeakKeyDictionary[nn.Module, tuple[int, bool]] = WeakKeyDictionary()
_COUNTING = threading.Lock()


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Context: eval mode without gradients; once no thread uses a submodule this way, its mode is restored."""
    parts = list(module.modules())
    with _COUNTING:
        for part in parts:
            users, training = _EVALUATING.get(part, (0, part.training))
            _EVALUATING[part] = users + 1, training
            part.training = False
    try:
        with torch.no_grad():
            yield
    finally:
        with _COUNTING:
            for part in parts:
                users, training = _EVALUATING.pop(part)
                if users > 1:
                    _EVALUATING[part] = users - 1, training
                else:
                    part.training = training


@checked(encoder=ENCODER)
def token_sample(
    encoder: Encoder, texts: Iterable[str], each: Positive = 5, *, generator: torch.Generator
) -> Vectors:
    """Return last-layer vectors of ``each`` random tokens per text, or of all tokens if a text has fewer.

    Special tokens are excluded. MoCoUTRL draws five tokens, its released code three (M14).

    Shapes: ``(N, hidden_dim)`` float32, N at most ``each`` times the number of texts. The generator must be on the CPU.

    Raises:
        ValueError: ``each`` is below 1, or no text has a token.

    >>> from clwork.encoders import load_encoder
    >>> token_sample(load_encoder("mini"), ["A cat."], each=2, generator=torch.Generator()).shape
    (2, 256)
    """
    vectors = []
    with evaluating(encoder):
        for tokens in encoder.tokenize(texts):
            places = torch.tensor(
                [place for place, word in enumerate(tokens.words) if word >= 0], dtype=torch.long
            )
            states = encoder.last_states(encoder.collate([tokens.ids]))[0]  # (T, D)
            chosen = places[torch.randperm(len(places), generator=generator)[:each]]
            vectors.append(states[chosen.to(states.device)].float().cpu().numpy())
    if not sum(map(len, vectors)):
        raise ValueError("the texts have only special tokens; give sentences with words")
    return np.concatenate(vectors)
