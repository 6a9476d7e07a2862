"""Small networks between the pooled vector and the loss, with weights of a generator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .._validation import choice

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "tanh": nn.Tanh,
    "gelu": nn.GELU,
    "relu": nn.ReLU,
    "none": nn.Identity,
}


class ProjectionHead(nn.Module):
    """SimCSE's head: ``activation(W h + b)``, at first with ``W ~ N(0, 0.02²)`` and ``b = 0``.

    Gao, Yao, Chen (2021), §6.3 and the released code. It replaces BERT's own pooler, whose
    pre-training on next-sentence prediction did not help. ``activation`` is ``"tanh"``, ``"gelu"``,
    ``"relu"`` or ``"none"``; the generator draws W.

    Shapes: ``(B, dim)`` -> ``(B, out)``; ``out`` is ``dim`` by default.

    Raises:
        ValueError: an unknown activation.

    >>> ProjectionHead(4, generator=torch.Generator())(torch.zeros(2, 4)).shape
    torch.Size([2, 4])
    """

    def __init__(
        self,
        dim: int,
        out: int | None = None,
        activation: str = "tanh",
        *,
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.dim = dim
        self.out = dim if out is None else out
        self.activation = choice("activation", activation, tuple(ACTIVATIONS))
        self.dense = empty_layer(nn.Linear, self.dim, self.out)
        self.act = ACTIVATIONS[activation]()
        nn.init.normal_(self.dense.weight, std=0.02, generator=generator)
        nn.init.zeros_(self.dense.bias)

    def forward(self, pooled: Tensor) -> Tensor:
        """Project pooled vectors ``(B, dim)`` to ``(B, out)``."""
        projected: Tensor = self.act(self.dense(pooled))
        return projected


def gelu_head(dim: int, hidden: int, out: int, *, generator: torch.Generator) -> nn.Sequential:
    """Make two linear layers with GELU after both (SG-BERT §3.1, MoCoUTRL eq. 2 to 5).

    Shapes: ``(B, dim)`` -> ``(B, out)``.
    """
    first = ProjectionHead(dim, hidden, "gelu", generator=generator)
    return nn.Sequential(first, ProjectionHead(hidden, out, "gelu", generator=generator))


class DeclaredModules(nn.Module):
    """What sentence-transformers computes after the transformer of one of its folders.

    Args:
        steps: its own modules, without a pooling that clwork computes itself.
        out: width of the result; a vector of the modules that is longer is truncated to it.

    Shapes: ``(B, D)`` -> ``(B, out)``; of :meth:`of_tokens`, L layers ``(B, T, D)`` and a mask
    ``(B, T)`` -> ``(B, out)``.
    """

    def __init__(self, steps: Sequence[nn.Module], *, out: int) -> None:
        super().__init__()
        self.steps = nn.ModuleList(steps)
        self.out = out

    def forward(self, pooled: Tensor) -> Tensor:
        """Compute the vectors from pooled ones ``(B, D)``."""
        return self._computed({"sentence_embedding": pooled})

    def of_tokens(self, layers: Sequence[Tensor], mask: Tensor) -> Tensor:
        """Compute the vectors from all layers ``(B, T, D)`` and a mask ``(B, T)``.

        The keys of ``features`` are the names that modules of sentence-transformers read. One of
        the modules adds the vectors as "sentence_embedding"; a later module may replace them.
        """
        features = {
            "token_embeddings": layers[-1],
            "all_layer_embeddings": tuple(layers),
            "attention_mask": mask,
        }
        return self._computed(features)

    def _computed(self, features: dict[str, Any]) -> Tensor:
        """Pass the features through all modules; return the vectors ``(B, out)``."""
        for step in self.steps:
            features = step(features)
        vectors: Tensor = features["sentence_embedding"]
        return vectors[:, : self.out]

    def extra_repr(self) -> str:
        """Return the modules' settings, which their own texts do not show.

        An encoder's fingerprint covers the text of this module, so it differs for other settings.
        """
        steps: Any = self.steps
        return f"out={self.out}, {[step.get_config_dict() for step in steps]}"


def projector(
    dim: int, width: int, *, last_norm: bool = True, generator: torch.Generator
) -> nn.Sequential:
    """Make three linear layers with batch norm, the first two with ReLU (GCLSR §4.1).

    Shapes: ``(B, dim)`` -> ``(B, width)``. Without ``last_norm``, the third layer has a bias
    instead of batch norm.
    """
    first = _linear(dim, width, generator, bias=False)
    second = _linear(width, width, generator, bias=False)
    third = _linear(width, width, generator, bias=not last_norm)
    layers = [first, _norm(width), nn.ReLU(), second, _norm(width), nn.ReLU(), third]
    if last_norm:
        layers.append(_norm(width, affine=False))
    return nn.Sequential(*layers)


def predictor(width: int, hidden: int, *, generator: torch.Generator) -> nn.Sequential:
    """Make two linear layers: to ``hidden`` with batch norm and ReLU, and back to ``width``.

    Shapes: ``(B, width)`` -> ``(B, width)``.
    """
    return nn.Sequential(
        _linear(width, hidden, generator, bias=False),
        _norm(hidden),
        nn.ReLU(),
        _linear(hidden, width, generator),
    )


def _linear(inputs: int, outputs: int, generator: torch.Generator, bias: bool = True) -> nn.Module:
    """Make a linear layer whose weights the generator draws."""
    layer: nn.Module = empty_layer(nn.Linear, inputs, outputs, bias=bias)
    draw_weights(layer, generator)
    return layer


def _norm(width: int, affine: bool = True) -> nn.Module:
    """Make a batch norm; ``affine``: with a trained scale and shift."""
    return nn.BatchNorm1d(width, affine=affine, device="cpu", dtype=torch.float32)


def empty_layer(layer_class: type[nn.Module], *sizes: int, **options: bool) -> Any:
    """Make a float32 layer on the CPU, whatever torch's defaults are, without initial weights.

    The constructor alone would draw them from the global random state; on the device "meta" it
    draws nothing.
    """
    layer = layer_class(*sizes, **options, device="meta", dtype=torch.float32)
    return layer.to_empty(device="cpu")


def draw_weights(layer: nn.Module, generator: torch.Generator) -> None:
    """Draw PyTorch's default weights of a linear or convolutional layer, U(±1/√inputs)."""
    weight: Any = layer.weight  # the first dimension is that of the outputs
    bound = 1 / math.sqrt(weight[0].numel())
    nn.init.uniform_(weight, -bound, bound, generator=generator)
    if isinstance(layer.bias, Tensor):
        nn.init.uniform_(layer.bias, -bound, bound, generator=generator)
