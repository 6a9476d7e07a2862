"""Layers of a transformer in shards on several processes: each holds a part of every weight, gradient and moment.

The engine is PyTorch's ``fully_shard`` (FSDP2), layer by layer: a pass gathers a layer's weights, computes, and lets
them go; gradients are added up into the shards. What is no layer (word vectors, heads, batch norms) is whole on each
process. The optimizer works on the shards' memory, as on any other parameter's.

Process 0 leads as ever. Where it needs the others between two steps it gives them an order first: to take part in a
pass (``encode``), or to hand over their shards (``gather``).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard, share_comm_ctx
from torch.distributed.tensor import DTensor

from ...encoders import Encoder
from ...encoders.copies import Frozen
from ...encoders.encoder import evaluating
from ...methods import Method
from ...ranks import Ranks, here


class Shards:
    """A method whose encoders' layers lie in shards on the processes of a run; each of them makes one.

    Args:
        method: whole, and equal on all processes; what is not on ``device`` is moved there, layer by layer.
        optimizer: of its parameters; it goes on with the shards, and their part of its state.
        ranks: the processes.
        device: where to train.

    Raises:
        ValueError: an encoder has no layers.
    """

    def __init__(
        self, method: Method[Any], optimizer: torch.optim.Optimizer, ranks: Ranks, device: torch.device
    ) -> None:
        self._method, self._optimizer, self._ranks, self._device = method, optimizer, ranks, device
        self._places = [place for encoder in encoders_of(method) for place in layers_of(encoder)]
        layers = [modules[number] for modules, number in self._places]
        self._layers, self._twins = layers, [_twin(layer) for layer in layers]
        whole = [parameter for layer in layers for parameter in layer.parameters()]
        mesh = init_device_mesh(device.type, (ranks.size,))
        for layer in layers:
            sharded: Any = fully_shard(layer, mesh=mesh, reshard_after_forward=True)
            sharded.set_gradient_divide_factor(1.0)  # gradients are added up, not averaged
            sharded.set_force_sum_reduction_for_comms(True)  # gloo knows no other
        share_comm_ctx(cast(Any, layers))  # buffers of one layer at a time, not of each
        method.to(device)
        self._shards: list[Any] = [parameter for layer in layers for parameter in layer.parameters()]
        self._pieces = [nn.Parameter(here(shard), shard.requires_grad) for shard in self._shards]  # for the optimizer
        self._is_whole, self._group = False, dist.group.WORLD
        ranks.in_shards = True
        states = [self._cut(optimizer.state.get(old, {}), old) for old in whole]
        self._give(whole, self._pieces, states)
        self._move_states(device)
        optimizer.register_step_pre_hook(self._hand_gradients)

    # --- a step ----------------------------------------------------------------------------------------------------

    def _hand_gradients(self, *_: Any) -> None:
        """Before an update: each shard's gradient, for the optimizer."""
        if not self._is_whole:
            for shard, piece in zip(self._shards, self._pieces, strict=True):
                piece.grad = None if shard.grad is None else here(shard.grad)

    # --- between two steps -----------------------------------------------------------------------------------------

    @contextmanager
    def accompanied(self) -> Iterator[None]:
        """Context on process 0, in which the others take part in each pass of its encoder."""
        backbone = self._method.test_encoder().backbone
        hook = backbone.register_forward_pre_hook(lambda *_: self._order(encode=True))
        try:
            yield
        finally:
            hook.remove()

    def take_part(self, order: Mapping[str, Any]) -> None:
        """Do what process 0 orders between two steps: hand over one's shards, or encode a short sentence beside it."""
        if "gather" in order:
            self._gather(order["moments"])
            return
        encoder = self._method.test_encoder()
        with evaluating(encoder):
            encoder(encoder.collate([encoder.tokenize(["a"])[0].ids]))

    @contextmanager
    def whole(self, moments: bool) -> Iterator[None]:
        """Context on process 0, in which the method is whole, on the CPU; with ``moments`` the optimizer's are, too.

        Raises:
            RuntimeError: the other processes are gone, and their shards with them.
        """
        if self._is_whole:
            yield
            return
        if dist.group.WORLD is not self._group:
            raise RuntimeError(
                "the weights lay in shards on several processes, which are gone; clwork.resume goes on from the run's "
                "last checkpoint"
            )
        held = [self._optimizer.state.get(piece, {}) for piece in self._pieces]
        self.make_whole(moments)
        try:
            yield
        finally:
            self._is_whole = False
            self._give(self._whole_parameters(), self._pieces, held)
            self._put(self._layers)
            for twin in self._twins:
                _empty(twin)
            self._method.to(self._device)
            self._move_states(self._device)

    def make_whole(self, moments: bool) -> None:
        """Gather the shards on process 0, and make its method whole, see :meth:`whole`, for good."""
        self._order(gather=True, moments=moments)
        states = self._gather(moments)
        self._put(self._twins)
        self._method.to(CPU)
        self._give(self._pieces, self._whole_parameters(), states)
        self._move_states(CPU)
        self._is_whole = True

    def _gather(self, moments: bool) -> list[dict[str, Tensor]]:
        """Take part in gathering; on process 0, fill the twins, and return the optimizer's state of each parameter."""
        states: list[dict[str, Tensor]] = []
        for (twin, name), shard, piece in zip(self._named_twins(), self._shards, self._pieces, strict=True):
            weight = _gathered(here(shard), shard)
            state = self._optimizer.state.get(piece, {}) if moments else {}
            full = {key: _gathered(t, shard) if t.shape == piece.shape else t for key, t in state.items()}
            if self._ranks.rank == 0:
                _fill(twin, name, weight.to(CPU))
                states.append({key: tensor.to(CPU) for key, tensor in full.items()})
        return states

    def _order(self, **order: bool) -> None:
        self._ranks.order(order)

    def _named_twins(self) -> list[tuple[nn.Module, str]]:
        return [(twin, name) for twin in self._twins for name, _ in twin.named_parameters()]

    def _whole_parameters(self) -> list[nn.Parameter]:
        return [parameter for twin in self._twins for parameter in twin.parameters()]

    def _put(self, layers: Sequence[nn.Module]) -> None:
        """Put layers into their places in the encoders."""
        for (modules, number), layer in zip(self._places, layers, strict=True):
            modules[number] = layer

    def _give(
        self, old: Sequence[nn.Parameter], new: Sequence[nn.Parameter], states: Sequence[dict[str, Tensor]]
    ) -> None:
        """Give the optimizer ``new`` parameters, with their states, for the ``old`` ones that it has."""
        exchanged = {id(one): (other, state) for one, other, state in zip(old, new, states, strict=True)}
        for group in self._optimizer.param_groups:
            for place, parameter in enumerate(group["params"]):
                if id(parameter) in exchanged:
                    other, state = exchanged[id(parameter)]
                    self._optimizer.state.pop(parameter, None)
                    if state:
                        self._optimizer.state[other] = state
                    group["params"][place] = other

    def _cut(self, state: dict[str, Tensor], whole: Tensor) -> dict[str, Tensor]:
        """This process's part of a parameter's state; what is no number for each weight stays as it is."""
        rank, size = self._ranks.rank, self._ranks.size
        cut = {}
        for name, tensor in state.items():
            if tensor.shape == whole.shape:
                parts = tensor.chunk(size)
                tensor = parts[rank].clone() if rank < len(parts) else tensor[:0].clone()
            cut[name] = tensor.to(self._device)
        return cut

    def _move_states(self, device: torch.device) -> None:
        """Move the optimizer's states to a device, where its parameters are."""
        for state in self._optimizer.state.values():
            state |= {name: tensor.to(device) for name, tensor in state.items()}


CPU = torch.device("cpu")


def encoders_of(method: nn.Module) -> list[Encoder]:
    """Encoders of a method, frozen copies too; one of each backbone."""
    found: dict[int, Encoder] = {}
    for module in method.modules():
        inner = module.module.modules() if isinstance(module, Frozen) else (module,)
        for part in inner:
            if isinstance(part, Encoder):
                found.setdefault(id(part.backbone), part)
    return list(found.values())


def layers_of(encoder: Encoder) -> list[tuple[nn.ModuleList, int]]:
    """Where an encoder's layers are: the list of modules with the most weights, and each one's number in it.

    Raises:
        ValueError: there is no such list.
    """
    lists = [module for module in encoder.backbone.modules() if isinstance(module, nn.ModuleList)]
    if not lists:
        raise ValueError(f"encoder {encoder.name!r} has no list of layers, and cannot lie in shards; leave shard out")
    largest = max(lists, key=lambda modules: sum(parameter.numel() for parameter in modules.parameters()))
    return [(largest, number) for number in range(len(largest))]


def _twin(layer: nn.Module) -> nn.Module:
    """A copy of a layer with parameters that have no memory."""
    blank = {id(p): nn.Parameter(p.detach().to("meta"), p.requires_grad) for p in layer.parameters()}
    return copy.deepcopy(layer, blank)


def _fill(module: nn.Module, name: str, weight: Tensor) -> None:
    """Replace a parameter by another of its shape."""
    inner, _, last = name.rpartition(".")
    owner = module.get_submodule(inner)
    setattr(owner, last, nn.Parameter(weight, owner.get_parameter(last).requires_grad))


def _empty(module: nn.Module) -> None:
    """Give back the memory of a module's parameters."""
    for name, parameter in list(module.named_parameters()):
        _fill(module, name, parameter.detach().to("meta"))


def _gathered(own: Tensor, like: Any) -> Tensor:
    """All of a tensor of which each process has its ``own`` part, cut as the shard ``like``."""
    cut: Any = DTensor.from_local(
        own, like.device_mesh, like.placements, run_check=False, shape=like.shape, stride=like.stride()
    )
    whole: Tensor = cut.full_tensor()
    return whole
