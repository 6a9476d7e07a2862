"""TextCNN (Kim 2014) over frozen word vectors: filters of several widths, and the largest answer of each."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .attention import word_attention
from .encoder import Encoder
from .word_vectors import FrozenVectors, find_vectors

PREFIX = "textcnn:"
MODEL_TYPE = "clwork-textcnn"
WEIGHTS = "model.safetensors"
# The text of GCLSR has 1, 1, 1, 6, 15, 20 and 300 filters of each (C9: its code 10 and 15 for the last two, and 640).
# But the headline row of its Table 2 is the row (1, 1, 1, 1, 1, 1) of its Table 9 (C14), and that is six times cheaper.
REGIONS = (1, 1, 1, 1, 1, 1)
FILTERS = 100


@dataclass(frozen=True)
class TextCNNConfig:
    """Shape of a TextCNN and where its word vectors are.

    ``regions`` are the filters' widths in words, ``filters`` how many there are of each; ``attention`` weighs words
    by :func:`.word_attention` before the filters see them, also at test time.
    """

    vectors: str
    regions: tuple[int, ...] = REGIONS
    filters: int = FILTERS
    attention: bool = False
    max_position_embeddings: int = 512

    def __post_init__(self) -> None:
        if not self.regions or min(self.regions) < 1 or max(self.regions) > 64:
            raise ValueError(f"regions={self.regions!r}; give at least one width, each from 1 to 64 words")
        if self.filters < 1:
            raise ValueError(f"filters={self.filters}; give 1 or more for each region")

    @property
    def hidden_size(self) -> int:
        """Width of the vectors that come out."""
        return len(self.regions) * self.filters


class TextCNN(nn.Module):
    """``[max_t relu(W_r · (x_t … x_{t+r-1}) + b_r)]`` for each region size r, side by side (GCLSR §4.1).

    It answers like a transformer of the ``transformers`` library: called with ids or ``inputs_embeds`` and a mask, it
    gives hidden states ``(B, T, hidden_size)``, one window a word, and the encoder's pooling ``max`` makes the
    sentence's vector of them. A window begins at each word and reaches over the sentence's end into zeros; windows
    that would begin in the padding do not count (C12: the paper pads with a fixed random vector that takes part, so
    that a sentence's vector depends on how much it was padded). There is no layer behind it, and no dropout: the
    paper found both to be harmful.

    ``max_t relu(...)`` is positively homogeneous but for the biases: twice as long word vectors give about twice as
    long a sentence vector in the same direction. Attention, which scales words, can therefore be left out at test.
    """

    def __init__(self, config: TextCNNConfig, vectors: FrozenVectors, generator: torch.Generator) -> None:
        super().__init__()
        self.config, self.vectors = config, vectors
        # made without weights first, for the usual constructor would draw them from the global random state
        self.filters = nn.ModuleList(
            nn.Conv1d(vectors.embedding_dim, config.filters, region, device="meta").to_empty(device="cpu")
            for region in config.regions
        )
        for layer in self.filters:
            draw_weights(layer, generator)

    def get_input_embeddings(self) -> FrozenVectors:
        """The word vectors: ids ``(B, T)`` to ``(B, T, d)``."""
        return self.vectors

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool = False,
    ) -> SimpleNamespace:
        """Word vectors and what the filters answer to them; ``hidden_states`` holds both.

        Shapes: ids and mask ``(B, T)``, or word vectors ``(B, T, d)``; ``last_hidden_state`` is
        ``(B, T, hidden_size)``.
        """
        if inputs_embeds is None:
            inputs_embeds = self.vectors(input_ids)
        assert attention_mask is not None
        words = inputs_embeds * attention_mask[..., None]  # (B, T, d), zeros in the padding
        seen = word_attention(words, attention_mask) if self.config.attention else words
        signal = seen.mT  # (B, d, T)
        answers = [
            F.relu(layer(F.pad(signal, (0, region - 1))))  # (B, F, T)
            for region, layer in zip(self.config.regions, self.filters, strict=True)
        ]
        last = torch.cat(answers, dim=1).mT  # (B, T, R·F)
        return SimpleNamespace(last_hidden_state=last, hidden_states=(words, last) if output_hidden_states else None)

    def save_pretrained(self, folder: str | Path) -> None:
        """Write shape, filters, and name and fingerprint of the word vectors, but not the vectors themselves."""
        from safetensors.torch import save_file

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        about = {"model_type": MODEL_TYPE, **asdict(self.config), "fingerprint": self.vectors.known.fingerprint()}
        (folder / "config.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in self.state_dict().items()}
        save_file(tensors, folder / WEIGHTS)


def draw_weights(layer: nn.Module, generator: torch.Generator) -> None:
    """PyTorch's usual initial weights of a linear or convolutional layer, U(±1/√inputs), from an explicit generator."""
    weight, bias = layer.weight, layer.bias
    assert isinstance(weight, Tensor)
    bound = 1 / math.sqrt(weight[0].numel())
    nn.init.uniform_(weight, -bound, bound, generator=generator)
    if isinstance(bias, Tensor):
        nn.init.uniform_(bias, -bound, bound, generator=generator)


def textcnn(
    vectors: str = "glove-6b-50d",
    *,
    regions: Sequence[int] = REGIONS,
    filters: int = FILTERS,
    attention: bool = False,
    seed: int = 0,
    device: str | None = None,
) -> Encoder:
    """An untrained TextCNN over word vectors, as an encoder; ``load_encoder("textcnn:VECTORS")`` makes the default one.

    Args:
        vectors: ``"mini"`` for the mini encoder's token embeddings, or what :func:`clwork.data.word_vectors` takes.
        regions: widths of the filters, in words.
        filters: filters of each width.
        attention: weigh words by :func:`.word_attention`, always.
        seed: of the filters' initial weights.
        device: such as ``"cuda"``; by default a GPU if there is one.

    Raises:
        ValueError: an impossible shape.
        Exception: what :func:`clwork.data.word_vectors` raises.
    """
    config = TextCNNConfig(vectors, tuple(regions), filters, attention)
    table, tokenizer = find_vectors(vectors)
    backbone = TextCNN(config, table, torch.Generator().manual_seed(seed))
    encoder = Encoder(backbone, tokenizer, name=f"{PREFIX}{vectors}", pooling="max")
    return encoder.to(device or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def reshaped(
    encoder: Encoder,
    generator: torch.Generator,
    *,
    regions: Sequence[int] | None = None,
    filters: int | None = None,
    attention: bool = False,
) -> Encoder:
    """The encoder with a TextCNN of this shape: with new filters if its shape is another, else with the same ones.

    None leaves a size as it is. An encoder that is no TextCNN comes back unchanged.

    Raises:
        ValueError: something is to be changed on an encoder that is no TextCNN, or to an impossible shape.
    """
    old = encoder.backbone
    if not isinstance(old, TextCNN):
        if regions or filters or attention:
            raise ValueError(
                f"regions, filters and attention at test time are those of a TextCNN, and {encoder.name!r} is none; "
                f"leave them as they are, or start from {PREFIX}glove-6b-50d"
            )
        return encoder
    shape = replace(
        old.config, regions=tuple(regions or old.config.regions), filters=filters or old.config.filters,
        attention=attention,
    )  # fmt: skip
    if shape == old.config:
        return encoder
    same_size = (shape.regions, shape.filters) == (old.config.regions, old.config.filters)
    backbone: Any = TextCNN(shape, old.vectors, torch.Generator() if same_size else generator).to(encoder.device)
    if same_size:
        backbone.filters = old.filters
    backbone.clwork_base = encoder.base
    return Encoder(backbone, encoder.tokenizer, name=encoder.name, pooling=encoder.pooling)


def read_textcnn(folder: Path) -> tuple[TextCNN, Any]:
    """The TextCNN that :meth:`TextCNN.save_pretrained` wrote, and its tokenizer.

    The word vectors are looked for where they were, then as a file of the same name in ``folder``.

    Raises:
        ValueError: the vectors are not those it was trained on, or the weights do not fit.
        Exception: what :func:`clwork.data.word_vectors` raises.
    """
    from safetensors.torch import load_file

    about = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    source, wanted = about["vectors"], about["fingerprint"]
    beside = folder / Path(source).name
    table, tokenizer = find_vectors(str(beside) if beside.is_file() else source)
    if table.known.fingerprint() != wanted:
        raise ValueError(
            f"the encoder in {folder} was trained on other word vectors than {source} now holds (the fingerprint "
            f"differs); put the file {Path(source).name} that it was trained on into the folder"
        )
    config = TextCNNConfig(
        source, tuple(about["regions"]), about["filters"], about["attention"], about["max_position_embeddings"]
    )
    backbone = TextCNN(config, table, torch.Generator().manual_seed(0))
    try:
        backbone.load_state_dict(load_file(folder / WEIGHTS))
    except (OSError, RuntimeError) as error:
        raise ValueError(f"the TextCNN in {folder} cannot be read: {error}; save it again") from error
    return backbone, tokenizer
