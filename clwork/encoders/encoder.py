"""The encoder: a backbone with tokenizer, pooling and head, which turns sentences into vectors."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from .. import _validation
from . import packed
from .batching import (
    POSITIONS_ON_CPU,
    POSITIONS_ON_GPU,
    POSITIONS_PACKED,
    Indices,
    by_length,
    evaluating,
    to_device,
)
from .pooling import DECLARED, known_pooling, one_layer_poolings, pool
from .saving import save_encoder
from .tokens import Tokens, closing, cut, split

# The length in tokens if neither the model, which has no table of positions, nor its tokenizer has
# a limit. A tokenizer without one has a larger number than UNLIMITED.
DEFAULT_LENGTH = 512
UNLIMITED = 1_000_000
SAMPLED = 200  # number of texts that estimate the share of unknown tokens
# To return hidden states, transformers adds hooks from this module, and then sets this flag on the
# model; see Encoder.__getstate__.
CAPTURING = "transformers.utils.output_capturing"
HOOKS_INSTALLED = "_output_capturing_hooks_installed"
Vectors = npt.NDArray[np.float32]
Batch = dict[str, Tensor]


class Encoder(nn.Module):
    """A transformer with its tokenizer, a pooling and an optional head (:func:`.load_encoder`).

    A sentence becomes token ids, then hidden states of the backbone, then one pooled vector, and
    last, if the pooling uses a head, the head's result::

        text  ->  T token ids  ->  (T, D) hidden states  ->  (D,) pooled vector  ->  (dim,) vector

    :meth:`forward` computes vectors with gradients, :meth:`encode` without; :meth:`save` writes a
    folder.

    Attributes:
        backbone: the transformer of the ``transformers`` library, without its pooler.
        head: applied to the pooled vector, unless the pooling skips it, as ``"cls_before_pooler"``
            does.
        hidden_dim: width of the backbone.
        base: name of the pre-trained model that all training started from. Default: ``name``.
        max_length: number of tokens that the backbone accepts; longer sentences are truncated to
            it.
        prompt: a text that stands before every text, as a folder of sentence-transformers may
            declare.
        raw: whether nobody has chosen :attr:`pooling`: a plain transformer, loaded without
            ``pooling``.

    Raises:
        ValueError: the pooling needs a head or a [CLS] token that the encoder lacks.

    >>> from clwork.encoders import load_encoder
    >>> encoder = load_encoder("mini", device="cpu")
    >>> encoder.name, encoder.pooling, encoder.dim, encoder.max_length
    ('mini', 'mean', 256, 64)
    """

    def __init__(
        self,
        backbone: nn.Module,
        tokenizer: Any,
        *,
        name: str,
        pooling: str = "mean",
        head: nn.Module | None = None,
        base: str | None = None,
        prompt: str = "",
    ) -> None:
        super().__init__()
        self.backbone = backbone
        self.tokenizer = tokenizer
        self.head = head
        self.name = name
        self.pooling = known_pooling(pooling).name
        self.base = name if base is None else base
        self.prompt = prompt
        self.raw = False
        config: Any = backbone.config
        self.hidden_dim = int(config.hidden_size)
        self._padding = packed.position_padding(backbone)
        self.max_length = self._longest_input(getattr(config, "max_position_embeddings", None))
        # One text shows which special tokens the tokenizer adds to each.
        sample = split(tokenizer, ["a"])[0]
        self._closing = closing(sample.words)
        self._check_pooling(sample)

    def _longest_input(self, positions: int | None) -> int:
        """Return how many tokens of a text both tokenizer and backbone accept.

        ``positions`` is the size of the backbone's table of positions; None if it has none.
        """
        # A tokenizer without a limit has a number above UNLIMITED here.
        tokenizer_limit = int(self.tokenizer.model_max_length)
        if positions is None:
            return DEFAULT_LENGTH if tokenizer_limit > UNLIMITED else tokenizer_limit
        # A RoBERTa-like model does not use the positions up to its padding id. Other models use all
        # positions: their ``_padding`` is -1, so that nothing is subtracted.
        return min(tokenizer_limit, positions - (self._padding + 1))

    def _check_pooling(self, sample: Tokens) -> None:
        """Raise a ValueError if the pooling needs a head or a [CLS] that is not there.

        ``sample`` are the tokens of any text.
        """
        chosen = known_pooling(self.pooling)
        if chosen.head == "needed" and self.head is None:
            raise ValueError(
                f"pooling {chosen.name!r} needs a head, but encoder {self.name!r} has none; use "
                f"{chosen.raw!r}, or train with head='both' and save the encoder"
            )
        if chosen.reads_first_token and sample.ids[:1] != [self.tokenizer.cls_token_id]:
            raise ValueError(
                f"encoder {self.name!r} does not begin its input with [CLS]; use pooling 'mean'"
            )

    @property
    def dim(self) -> int:
        """Width of the vectors of :meth:`encode`."""
        if not self.uses_head:
            return self.hidden_dim
        # A head of a class of one's own, such as nn.Sequential, need not have ``out``.
        return int(getattr(self.head, "out", self.hidden_dim))

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.backbone.parameters()).device

    @property
    def layers(self) -> nn.ModuleList:
        """The backbone's layers in order; of a TextCNN its filters."""
        # Models name their list of layers differently, but it is the longest list that they have.
        lists = (part for part in self.backbone.modules() if isinstance(part, nn.ModuleList))
        return max(lists, key=len)

    @property
    def uses_head(self) -> bool:
        """Whether the head is applied to the pooled vector."""
        return self.head is not None and known_pooling(self.pooling).head != "skipped"

    # ---- sentences to tokens ----

    def tokenize(self, texts: Iterable[str]) -> list[Tokens]:
        """Return token ids and word numbers of each text, special tokens included.

        Texts are truncated to :attr:`max_length` tokens.

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").tokenize(["A cat."])[0].words  # [CLS] a cat . [SEP]
        [-1, 0, 1, 2, -1]
        """
        with_prompt = [self.prompt + text for text in _validation.strings("texts", texts)]
        return [tokens.truncate(self.max_length) for tokens in split(self.tokenizer, with_prompt)]

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of tokens that the vocabulary lacks, estimated on at most 200 texts.

        Texts in a script that the vocabulary lacks differ in their length alone: each of their
        words is [UNK].

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").unknown_share(["A cat.", "\u0e41\u0e21\u0e27"])
        0.25
        """
        # From all parts of the list.
        sample = texts[:: max(1, len(texts) // SAMPLED)][:SAMPLED]
        of_words = [
            token
            for tokens in split(self.tokenizer, sample)
            for token, word in zip(tokens.ids, tokens.words, strict=True)
            if word != -1
        ]
        return of_words.count(self.tokenizer.unk_token_id) / max(1, len(of_words))

    def collate(self, rows: Sequence[list[int]], max_length: int | None = None) -> Batch:
        """Pad rows of token ids to equal length; ``max_length`` truncates them first (SimCSE: 32).

        Returns ``input_ids`` and ``attention_mask`` (1 at tokens, 0 at padding), both ``(B, T)``
        int64, on the encoder's device.

        >>> from clwork.encoders import load_encoder
        >>> batch = load_encoder("mini", device="cpu").collate([[2, 7, 3], [2, 3]])
        >>> batch["attention_mask"]
        tensor([[1, 1, 1],
                [1, 1, 0]])
        """
        limit = self._limit(max_length)
        rows = [cut(row, limit, self._closing) for row in rows]
        lengths = np.array([len(row) for row in rows])
        longest = max(1, lengths.max())  # T is at least 1, even if all rows are empty
        mask = np.arange(longest) < lengths[:, None]  # (B, T)
        ids = np.full(mask.shape, self.tokenizer.pad_token_id, dtype=np.int64)
        ids[mask] = np.concatenate(rows)
        return {
            "input_ids": to_device(ids, self.device),
            "attention_mask": to_device(mask.astype(np.int64), self.device),
        }

    def _limit(self, max_length: int | None) -> int:
        """Return the number of tokens to truncate to, at least 2: [CLS] and [SEP]."""
        if max_length is None:
            return self.max_length
        return max(2, min(max_length, self.max_length))

    # ---- tokens to hidden states to vectors ----

    def hidden_states(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return the output of the embeddings and of each layer: L + 1 tensors ``(B, T, D)``."""
        return self._states(batch, all_layers=True)

    def _states(
        self, batch: Batch, *, all_layers: bool = False, first_token: bool = False
    ) -> tuple[Tensor, ...]:
        """Return the output of the last layer as a tuple of one, or the L + 1 of ``all_layers``.

        Shapes: ``(B, T, D)`` each; with ``first_token``, which only a backbone with packed
        attention takes, ``(B, 1, D)``: the last layer then computes no other position.
        """
        options = {}
        if all_layers:
            options["output_hidden_states"] = True
        if first_token:
            options["first_token"] = True

        layout = None
        if packed.uses_packed_attention(self.backbone):
            output, layout = packed.call(self.backbone, batch, self._padding, **options)
        else:
            output = self.backbone(**batch, **options)
        states: tuple[Tensor, ...] = (output.last_hidden_state,)
        if all_layers:
            states = output.hidden_states
        if layout is None or first_token:
            return states  # not packed, or already one token for each row of the batch
        return tuple(map(layout.unpack, states))

    def forward(self, batch: Batch) -> Tensor:
        """Return the vectors ``(B, dim)`` of a batch of :meth:`collate`, with gradients.

        >>> from clwork.encoders import load_encoder
        >>> encoder = load_encoder("mini")
        >>> encoder(encoder.collate([[2, 7, 3], [2, 3]])).shape
        torch.Size([2, 256])
        """
        pooling = known_pooling(self.pooling)
        can_compute_one = packed.uses_packed_attention(self.backbone)
        states = self._states(
            batch,
            all_layers=pooling.needs_all_layers,
            first_token=pooling.reads_first_token and can_compute_one,
        )
        mask = batch["attention_mask"]
        head: Any = self.head
        if pooling is DECLARED:  # the head is what sentence-transformers computes, pooling included
            vectors: Tensor = head.of_tokens(states, mask)
            return vectors
        pooled = pool(states, mask, self.pooling)  # (B, D)
        return head(pooled) if self.uses_head else pooled

    def forward_by_length(
        self,
        rows: Sequence[list[int]],
        max_length: int | None = None,
        forward: Callable[[Batch], Tensor] | None = None,
    ) -> Tensor:
        """Return the vectors of rows of token ids, in order, computed in groups of similar length.

        The result ``(len(rows), dim)`` equals that of one forward pass over all rows, and is faster
        on a CPU; on a GPU, all rows form one group.

        Args:
            rows: token ids, as :meth:`tokenize` returns them.
            max_length: truncates the rows first.
            forward: computes a group instead of :meth:`forward`; takes a collated group and returns
                a tensor with one result for each of its rows.
        """
        limit = self._limit(max_length)
        positions = None
        if self.device.type == "cpu":
            positions = POSITIONS_PACKED if packed.can_pack(self.backbone) else POSITIONS_ON_CPU
        compute = self if forward is None else forward
        groups = list(by_length([min(len(row), limit) for row in rows], positions))
        results_by_group = []
        for group in groups:
            rows_of_group = [rows[index] for index in group]
            results_by_group.append(compute(self.collate(rows_of_group, limit)))
        results = torch.cat(results_by_group)
        # The results are those of the rows groups[0], groups[1] ...: the order that sorts these
        # numbers is the order of the rows.
        original_order = np.argsort(np.concatenate(groups))
        return results[to_device(original_order, results.device)]

    def encode(self, texts: Iterable[str]) -> Vectors:
        """Return the vectors of texts, in order: ``(N, dim)`` float32, without dropout.

        A batch holds texts of similar length, as many as fit into a fixed number of tokens.
        ``texts`` may be a list, array, Series, generator or any other ordered iterable.

        Raises:
            TypeError: ``texts`` is one text, has no order, or holds something that is not a text.

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").encode(["A cat.", "A dog."]).shape
        (2, 256)
        """
        rows = [tokens.ids for tokens in self.tokenize(texts)]
        vectors = np.zeros((len(rows), self.dim), dtype=np.float32)
        with evaluating(self):
            for row_numbers in self._batches(rows):
                batch = self.collate([rows[number] for number in row_numbers])
                vectors[row_numbers] = self(batch).float().cpu().numpy()
        return vectors

    def layer_grid(self, texts: Iterable[str]) -> dict[tuple[int, str], Vectors]:
        """Return vectors ``(N, D)`` by (layer, pooling), for every pooling of a single layer.

        Layer 0 is the output of the embeddings.

        >>> from clwork.encoders import load_encoder
        >>> grid = load_encoder("mini").layer_grid(["A cat.", "A dog."])
        >>> len(grid), grid[0, "mean"].shape
        (15, (2, 256))
        """
        rows = [tokens.ids for tokens in self.tokenize(texts)]
        grid: dict[tuple[int, str], Vectors] = {}
        with evaluating(self):
            for row_numbers in self._batches(rows):
                batch = self.collate([rows[number] for number in row_numbers])
                layers = self.hidden_states(batch)
                for (layer, states), pooling in product(enumerate(layers), one_layer_poolings()):
                    vectors = pool([states], batch["attention_mask"], pooling)
                    blank = np.zeros((len(rows), states.shape[-1]), dtype=np.float32)
                    grid.setdefault((layer, pooling), blank)[row_numbers] = vectors.cpu().numpy()
        return grid

    def _batches(self, rows: Sequence[list[int]]) -> Iterator[Indices]:
        """Return batches of row indices, the longest rows first.

        So a batch that is too large for the memory fails at once, not at the end.
        """
        positions = POSITIONS_ON_GPU
        if self.device.type == "cpu":
            positions = POSITIONS_ON_CPU
            if torch.is_autocast_enabled("cpu"):
                positions *= 2  # each pass casts the weights once: fewer passes are faster
        return by_length([len(row) for row in rows], positions)

    # ---- the same weights with another pooling or head ----

    def with_pooling(self, pooling: str) -> Encoder:
        """Return this encoder with another pooling; weights are shared.

        The head is dropped, unless both poolings read the same token vectors, as ``cls`` and
        ``cls_before_pooler`` do.

        Raises:
            ValueError: an unknown pooling, or one that needs a head or [CLS] that is not there.

        >>> from clwork.encoders import load_encoder
        >>> load_encoder("mini").with_pooling("max").pooling
        'max'
        """
        reads_the_same = known_pooling(pooling).raw == known_pooling(self.pooling).raw
        return self.with_head(self.head if reads_the_same else None, pooling)

    def without_head(self, pooling: str) -> Encoder:
        """Return this encoder with a pooling and no head; weights are shared.

        A pooling that needs a head becomes the one without: ``cls`` becomes ``cls_before_pooler``.
        """
        return self.with_head(head=None, pooling=known_pooling(pooling).raw)

    def with_head(self, head: nn.Module | None, pooling: str) -> Encoder:
        """Return this encoder with another pooling and head; weights are shared."""
        return Encoder(
            self.backbone,
            self.tokenizer,
            name=self.name,
            pooling=pooling,
            head=head,
            base=self.base,
            prompt=self.prompt,
        )

    # ---- copies and files ----

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy or pickle; the backbone without hooks of transformers.

        Once a backbone has returned the hidden states of its layers, transformers has added forward
        hooks to its modules, functions that PyTorch calls after each module. Pickle cannot write
        them. The copy needs none: transformers adds hooks to a model whose flag is False.
        """
        state = dict(self.__dict__)
        if not getattr(self.backbone, HOOKS_INSTALLED, False):
            return state
        # Removed from a copy of the backbone, since this encoder still uses its hooks.
        backbone = copy.deepcopy(self.backbone)
        for module in backbone.modules():
            # A list of the hooks, because the dict changes in the loop.
            for hook_id, hook in list(module._forward_hooks.items()):
                if hook.__module__ == CAPTURING:
                    del module._forward_hooks[hook_id]
        setattr(backbone, HOOKS_INSTALLED, False)
        # nn.Module has its submodules in the dict ``_modules``.
        state["_modules"] = {**state["_modules"], "backbone": backbone}
        return state

    def fingerprint(self) -> str:
        """Return a hash (BLAKE2b, 32 hex digits) of all that training changes, and of the pooling.

        It covers weights and buffers with their types, among them a TextCNN's word vectors, the
        pooling, the prompt, and the settings of the head. Name, device and training mode do not
        change it.

        >>> from clwork.encoders import load_encoder
        >>> mini = load_encoder("mini")
        >>> mini.fingerprint() == load_encoder("mini").fingerprint()
        True
        >>> mini.fingerprint() == mini.with_pooling("max").fingerprint()
        False
        """
        settings = f"{self.pooling} {self.head}{self.prompt}"
        digest = hashlib.blake2b(settings.encode(), digest_size=16)
        # The state lacks buffers that are not saved.
        tensors = {**self.state_dict(), **dict(self.named_buffers())}
        for name, tensor in sorted(tensors.items()):
            digest.update(f"{name} {tensor.dtype}".encode())
            # As bytes already in PyTorch, since NumPy has no bfloat16.
            tensor_bytes = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
            digest.update(tensor_bytes.numpy().data)
        return digest.hexdigest()

    def save(self, folder: str | Path) -> None:
        """Save weights (safetensors), tokenizer, pooling and head.

        ``load_encoder(folder)`` restores byte-equal vectors. ``SentenceTransformer(folder)`` also
        returns equal vectors, ``AutoModel.from_pretrained(folder)`` equal hidden states; these
        libraries have no TextCNN. An encoder that clwork saved there earlier is replaced.

        Raises:
            FileExistsError: the folder holds files that clwork did not write.
            TypeError: the head is of a class of one's own.
            OSError: the folder cannot be written; an earlier encoder stays unchanged.
        """
        save_encoder(self, folder)
