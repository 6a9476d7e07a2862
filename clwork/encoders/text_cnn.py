"""TextCNN (Kim 2014) over frozen word vectors: the maximal response of filters of several widths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import torch
from annotated_types import Ge, Le, MinLen
from pydantic.dataclasses import dataclass
from torch import Tensor, nn
from torch.nn import functional as F

from .._validation import checked, path_like, usual_device
from .encoder import Encoder
from .heads import draw_weights, empty_layer
from .model_files import WEIGHTS, read_json, read_weights
from .saving import save_weights, write_json
from .word_embeddings import FrozenVectors, find_vectors, vectors_for

PREFIX = "textcnn:"
MODEL_TYPE = "clwork-textcnn"
# GCLSR's text has widths 1, 1, 1, 6, 15, 20 and 300 filters each; its code has 10, 15 for the last two, and 640 (C9).
# But the main row of its Table 2 is the row (1, 1, 1, 1, 1, 1) of its Table 9 (C14), which is six times cheaper.
REGIONS = (1, 1, 1, 1, 1, 1)
FILTERS = 100
Region = Annotated[int, Ge(1), Le(64)]
Filters = Annotated[int, Ge(1), Le(65_536)]


@checked()
def word_importance(
    vectors: Tensor, mask: Tensor, *, scaled: bool = True, pad_fill: float = 0.0
) -> Tensor:
    """``a_i = Σ_j x_i · x_j / √d`` over the words j of the sentence, i included (GCLSR §3.2, algorithm 1).

    There is no softmax. The released code divides by ``√d``, the paper does not (``scaled=False``, C5). The paper fills
    padded pairs with "1×10 9", with a lost sign (C4); ``pad_fill`` is added once for each padded position.

    Shapes: ``(B, T, d)`` and ``(B, T)``, 1 for a word and 0 for padding; returns ``(B, T)``, 0 at padding. Importances
    may be negative.

    >>> import torch
    >>> x = torch.tensor([[[1.0, 0.0], [1.0, 1.0], [9.0, 9.0]]])
    >>> word_importance(x, torch.tensor([[1, 1, 0]]), scaled=False)
    tensor([[2., 3., 0.]])
    """
    if vectors.ndim != 3 or mask.shape != vectors.shape[:2]:
        raise ValueError(
            f"word vectors must be (B, T, d) and their mask (B, T); got {tuple(vectors.shape)} and {tuple(mask.shape)}"
        )
    present = mask.to(vectors.dtype)
    words = vectors * present[..., None]
    total = words.sum(dim=1, keepdim=True)  # Σ_j x_j: summing first needs T products instead of T²
    weights: Tensor = (words * total).sum(dim=-1) / (
        math.sqrt(vectors.shape[-1]) if scaled else 1.0
    )  # (B, T)
    absent = (1 - present).sum(dim=1, keepdim=True)
    return (weights + pad_fill * absent) * present


@checked()
def word_attention(
    vectors: Tensor, mask: Tensor, *, scaled: bool = True, pad_fill: float = 0.0
) -> Tensor:
    """Multiply each word's vector by its :func:`word_importance`; ``(B, T, d)`` to ``(B, T, d)``.

    >>> import torch
    >>> word_attention(torch.tensor([[[2.0], [1.0]]]), torch.tensor([[1, 0]]))
    tensor([[[8.],
             [0.]]])
    """
    return vectors * word_importance(vectors, mask, scaled=scaled, pad_fill=pad_fill)[..., None]


@dataclass(frozen=True)
class TextCNNConfig:
    """Shape of a TextCNN, and its word vectors by name or by the absolute path of a file."""

    vectors: str
    regions: Annotated[tuple[Region, ...], MinLen(1)] = (
        REGIONS  # widths of filters, in number of words
    )
    filters: Filters = FILTERS  # of each width
    attention: bool = False  # multiply words by their importance, also at test time
    max_position_embeddings: int = 512

    @property
    def hidden_size(self) -> int:
        return len(self.regions) * self.filters


class TextCNN(nn.Module):
    """``[max_t relu(W_r · (x_t … x_{t+r-1}) + b_r)]`` for each region size r, concatenated (GCLSR §4.1)."""

    # A window may extend beyond the sentence into zeros; windows that begin in the padding are ignored (C12: the paper
    # pads with a random vector that counts). Longer word vectors give a longer output in the same direction, except for
    # the biases, so attention can be left out at test time.

    constants = True  # fingerprints include the word vectors, which state_dict leaves out

    def __init__(
        self, config: TextCNNConfig, vectors: FrozenVectors, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.config, self.vectors = config, vectors
        self.filters = nn.ModuleList(
            empty_layer(nn.Conv1d, vectors.embedding_dim, config.filters, region)
            for region in config.regions
        )
        for layer in self.filters:
            draw_weights(layer, generator)

    def get_input_embeddings(self) -> FrozenVectors:
        """Return the word vectors, a module from ids ``(B, T)`` to ``(B, T, d)``."""
        return self.vectors

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool = False,
    ) -> SimpleNamespace:
        """Compute the filters' responses; ``hidden_states`` holds the word vectors and the responses."""
        if inputs_embeds is None:
            inputs_embeds = self.vectors(input_ids)
        assert attention_mask is not None
        words = inputs_embeds * attention_mask[..., None]  # (B, T, d), zeros in the padding
        signal = (
            word_attention(words, attention_mask) if self.config.attention else words
        ).mT  # (B, d, T)
        responses = [
            F.relu(layer(F.pad(signal, (0, region - 1))))  # (B, F, T)
            for region, layer in zip(self.config.regions, self.filters, strict=True)
        ]
        last = torch.cat(responses, dim=1).mT  # (B, T, R·F)
        return SimpleNamespace(
            last_hidden_state=last, hidden_states=(words, last) if output_hidden_states else None
        )

    def save_pretrained(self, folder: str | Path) -> None:
        """Save shape and filters, but of the word vectors only name and fingerprint."""
        about = {
            "model_type": MODEL_TYPE,
            **asdict(self.config),
            "fingerprint": self.vectors.known.fingerprint(),
        }
        write_json(Path(folder) / "config.json", about)
        save_weights(self.state_dict(), Path(folder) / WEIGHTS)


@checked(vectors=path_like)
def textcnn(
    vectors: str = "glove-6b-50d",
    *,
    regions: Annotated[Sequence[Region], MinLen(1)] = REGIONS,
    filters: Filters = FILTERS,
    attention: bool = False,
    seed: int = 0,
    device: str | None = None,
) -> Encoder:
    """Make an encoder from an untrained TextCNN; ``load_encoder("textcnn:VECTORS")`` does so with the defaults.

    Args:
        vectors: ``"mini"`` for the mini encoder's token embeddings, or a source of :func:`.word_vectors`.
        regions: widths of the filters, as numbers of words.
        filters: filters of each width.
        attention: apply :func:`word_attention`, also at test time.
        seed: seed of the filters' initial weights.
        device: such as ``"cuda"``; by default a GPU if there is one.

    >>> textcnn("mini", regions=(1, 2), filters=10, device="cpu").dim
    20
    """
    config = TextCNNConfig(vectors, tuple(regions), filters, attention)
    generator = torch.Generator().manual_seed(seed)
    table, tokenizer = find_vectors(vectors)
    config = replace(
        config, vectors=table.known.source
    )  # a file's absolute path, for other working directories
    encoder = Encoder(
        TextCNN(config, table, generator),
        tokenizer,
        name=f"{PREFIX}{config.vectors}",
        pooling="max",
    )
    return encoder.to(device or usual_device()).eval()


def reshaped(
    encoder: Encoder,
    generator: torch.Generator,
    *,
    regions: Sequence[int] | None = None,
    filters: int | None = None,
    attention: bool = False,
) -> Encoder:
    """Return the encoder with a TextCNN of this shape (None: no change); filters of a changed size start untrained."""
    old = encoder.backbone
    if not isinstance(old, TextCNN):
        if regions or filters or attention:
            raise ValueError(
                f"regions, filters and attention at test time need a TextCNN, and {encoder.name!r} is not one; leave "
                f"them at their defaults, or start from {PREFIX}glove-6b-50d"
            )
        return encoder
    shape = replace(
        old.config,
        regions=tuple(regions or old.config.regions),
        filters=filters or old.config.filters,
        attention=attention,
    )
    if shape == old.config:
        return encoder
    same_size = (shape.regions, shape.filters) == (old.config.regions, old.config.filters)
    backbone = TextCNN(shape, old.vectors, torch.Generator() if same_size else generator).to(
        encoder.device
    )
    if same_size:
        backbone.filters = old.filters
    return Encoder(
        backbone, encoder.tokenizer, name=encoder.name, pooling=encoder.pooling, base=encoder.base
    )


def read_textcnn(folder: Path) -> tuple[TextCNN, Any]:
    """Load the TextCNN that :meth:`TextCNN.save_pretrained` wrote, and its tokenizer."""
    described = folder / "config.json"
    about = read_json(described)
    try:
        source, fingerprint = str(about.pop("vectors")), str(about.pop("fingerprint"))
        about.pop("model_type")
        config = TextCNNConfig(source, **about)
    except (KeyError, TypeError, ValueError) as error:
        cause = " ".join(str(error).split())[:200]
        raise ValueError(
            f"{described} does not describe a TextCNN ({cause}); save the encoder again"
        ) from None
    table, tokenizer = vectors_for(folder, source, fingerprint)
    backbone = TextCNN(
        replace(config, vectors=table.known.source), table, torch.Generator().manual_seed(0)
    )
    read_weights(backbone, folder / WEIGHTS)
    return backbone, tokenizer
