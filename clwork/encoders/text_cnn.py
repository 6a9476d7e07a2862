"""TextCNN (Kim 2014): the maximal response of filters of several widths to word vectors."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .. import _validation
from ..precision import default_device
from .encoder import Encoder
from .heads import draw_weights, empty_layer
from .saving import TEXT_CNN, WEIGHTS, save_weights, write_json
from .word_embeddings import GLOVE, FrozenVectors, WordTokenizer, word_vectors

PREFIX = "textcnn:"  # of the names of untrained encoders, such as "textcnn:glove-6b-50d"
# GCLSR's text has widths 1, 1, 1, 6, 15, 20 and 300 filters each; its code has 10, 15 for the last
# two, and 640 (C9). But the main row of its Table 2 is the row (1, 1, 1, 1, 1, 1) of its Table 9
# (C14), which is six times cheaper.
REGIONS = (1, 1, 1, 1, 1, 1)
FILTERS = 100


def word_attention(vectors: Tensor, mask: Tensor, *, scaled: bool = True) -> Tensor:
    """Multiply each word's vector by its importance ``a_i = Σ_j x_i · x_j / √d`` (GCLSR §3.2).

    The sum is over the sentence's words j, without a softmax (algorithm 1). The released code
    divides by ``√d``, the paper does not (``scaled=False``, C5). The paper fills padded pairs with
    "1×10 9", with a lost sign (C4); here they count nothing.

    Shapes: ``(B, T, d)`` and ``(B, T)``, 1 for a word and 0 for padding; returns ``(B, T, d)``,
    zeros at padding. Importances may be negative.

    Raises:
        ValueError: the shapes do not fit.

    >>> import torch
    >>> word_attention(torch.tensor([[[2.0], [1.0]]]), torch.tensor([[1, 0]]))
    tensor([[[8.],
             [0.]]])
    """
    if vectors.ndim != 3 or mask.shape != vectors.shape[:2]:
        raise ValueError(
            "word vectors must be (B, T, d) and their mask (B, T); "
            f"got {tuple(vectors.shape)} and {tuple(mask.shape)}"
        )
    words = vectors * mask.to(vectors.dtype)[..., None]  # zeros in the padding
    total = words.sum(dim=1, keepdim=True)  # Σ_j x_j: summing first needs T products instead of T²
    scale = math.sqrt(vectors.shape[-1]) if scaled else 1.0
    importance = (words * total).sum(dim=-1) / scale  # (B, T)
    return vectors * importance[..., None]


@dataclass(frozen=True)
class TextCNNConfig:
    """Shape of a TextCNN.

    Attributes:
        vectors: name of its word vectors.
        regions: widths of the filters, in words.
        filters: number of filters of each width.
        attention: whether words are multiplied by their importance, also at test time.
        max_position_embeddings: longest sentence, under the name that transformers uses.
    """

    vectors: str
    regions: tuple[int, ...] = REGIONS
    filters: int = FILTERS
    attention: bool = False
    max_position_embeddings: int = 512
    model_type: ClassVar[str] = TEXT_CNN

    @property
    def hidden_size(self) -> int:
        """Width of the vectors."""
        return len(self.regions) * self.filters


class TextCNN(nn.Module):
    """``[max_t relu(W_r · (x_t … x_{t+r-1}) + b_r)]`` for each region size r (GCLSR §4.1).

    A window may extend beyond the sentence into zeros; windows that begin in the padding are
    ignored (C12: the paper pads with a random vector that counts). Longer word vectors give a
    longer output in the same direction, except for the biases, so attention can be left out at test
    time.

    It has the interface of a model of transformers, so that an :class:`.Encoder` can use it: the
    maximum over t is the encoder's pooling.
    """

    def __init__(
        self, config: TextCNNConfig, vectors: FrozenVectors, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.config = config
        self.vectors = vectors
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
        """Compute the filters' responses to ids, or to word vectors (``inputs_embeds``).

        Shapes: ids and mask ``(B, T)``, word vectors ``(B, T, d)``. The result has
        ``last_hidden_state``, the responses ``(B, T, R·F)`` of R widths with F filters each, and
        ``hidden_states``, word vectors and responses; None unless asked for.
        """
        assert attention_mask is not None
        if inputs_embeds is None:
            inputs_embeds = self.vectors(input_ids)
        words = inputs_embeds * attention_mask[..., None]  # (B, T, d), zeros in the padding
        attended = word_attention(words, attention_mask) if self.config.attention else words
        signal = attended.mT  # (B, d, T)
        # Zeros at the end, so that a window begins at each of the T words.
        responses = [
            F.relu(layer(F.pad(signal, (0, region - 1))))  # (B, F, T)
            for region, layer in zip(self.config.regions, self.filters, strict=True)
        ]
        last = torch.cat(responses, dim=1).mT  # (B, T, R·F)
        states = (words, last) if output_hidden_states else None
        return SimpleNamespace(last_hidden_state=last, hidden_states=states)

    def save_pretrained(self, folder: str | Path) -> None:
        """Save shape and filters, but of the word vectors only their name."""
        settings = {"model_type": TEXT_CNN, **asdict(self.config)}
        write_json(Path(folder) / "config.json", settings)
        save_weights(self.state_dict(), Path(folder) / WEIGHTS)


def textcnn(
    vectors: str = GLOVE,
    *,
    regions: Sequence[int] = REGIONS,
    filters: int = FILTERS,
    seed: int = 0,
    device: str | None = None,
) -> Encoder:
    """Make an encoder from an untrained TextCNN, as ``load_encoder("textcnn:VECTORS")`` does.

    Args:
        vectors: ``"glove-6b-50d"``, the only name.
        regions: widths of the filters, in words.
        filters: filters of each width.
        seed: seed of the filters' initial weights.
        device: such as ``"cuda"``; by default a GPU if there is one.

    Raises:
        ModuleNotFoundError: the package of the word vectors is not installed.
        ValueError: other word vectors.

    >>> textcnn(regions=(1, 2), filters=10, device="cpu").dim
    20
    """
    config = TextCNNConfig(vectors, tuple(regions), filters)
    backbone, tokenizer = _untrained(config, torch.Generator().manual_seed(seed))
    encoder = Encoder(backbone, tokenizer, name=f"{PREFIX}{vectors}", pooling="max")
    return encoder.eval().to(device or default_device())


def _untrained(config: TextCNNConfig, generator: torch.Generator) -> tuple[TextCNN, Any]:
    """Return a TextCNN with weights of the generator, and the tokenizer of its word vectors."""
    _validation.choice("vectors", config.vectors, (GLOVE,))
    vectors = word_vectors()
    return TextCNN(config, FrozenVectors(vectors), generator), WordTokenizer(vectors)


def reshaped(
    encoder: Encoder,
    generator: torch.Generator,
    *,
    regions: Sequence[int] | None = None,
    filters: int | None = None,
    attention: bool = False,
) -> Encoder:
    """Return the encoder with a TextCNN of another shape.

    If widths or number of filters change, all filters start untrained, drawn by the generator. Else
    the new encoder shares them.

    Args:
        encoder: an encoder with a TextCNN; any other one is returned if no shape is given.
        generator: draws new filters.
        regions: widths of the filters; None: as they are.
        filters: filters of each width; None: as many as there are.
        attention: whether words are multiplied by their importance. The encoder's own value does
            not stay.

    Raises:
        ValueError: a shape for an encoder that is not a TextCNN.
    """
    current = encoder.backbone
    if not isinstance(current, TextCNN):
        if regions or filters or attention:
            raise ValueError(
                "regions, filters and attention at test time need a TextCNN, and "
                f"{encoder.name!r} is not one; leave them at their defaults, or start from "
                f"{PREFIX}{GLOVE}"
            )
        return encoder
    same_filters = replace(current.config, attention=attention)
    config = replace(
        same_filters,
        regions=tuple(regions or current.config.regions),
        filters=filters or current.config.filters,
    )
    if config == same_filters:
        # A new TextCNN draws filters, which are replaced at once; so they come from a generator of
        # their own, and the caller's stays as it is.
        backbone = TextCNN(config, current.vectors, torch.Generator())
        backbone.filters = current.filters
    else:
        backbone = TextCNN(config, current.vectors, generator)
    return Encoder(
        backbone.to(encoder.device),
        encoder.tokenizer,
        name=encoder.name,
        pooling=encoder.pooling,
        base=encoder.base,
    )


def read_textcnn(folder: Path) -> tuple[TextCNN, Any] | None:
    """Load the TextCNN that :meth:`TextCNN.save_pretrained` wrote, and its tokenizer.

    None if the folder has another kind of model.
    """
    from safetensors.torch import load_file

    settings = json.loads((folder / "config.json").read_text("utf-8"))
    if settings.pop("model_type", None) != TEXT_CNN:
        return None
    settings["regions"] = tuple(settings["regions"])  # JSON has lists
    backbone, tokenizer = _untrained(TextCNNConfig(**settings), torch.Generator())
    backbone.load_state_dict(load_file(folder / WEIGHTS))
    return backbone, tokenizer
