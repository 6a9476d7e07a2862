"""Random draws of somebody else's code, kept away from the user's generators."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class IsolatedRng(TorchDispatchMode):
    """Inside, torch draws from a generator of this block; the global ones are neither read nor moved.

    ``torch.random.fork_rng`` puts the global state back at the end instead, and so takes back what another thread
    drew meanwhile. This mode belongs to the thread that enters it, and touches no global state at all. The numbers
    are those that the global generator would give after ``torch.manual_seed(seed)``.

    It sees every operation, which costs some microseconds each: meant for making a model, not for training it.

    Args:
        seed: of the generators, one for each device.
        most_operations: stop with a ``ValueError`` when so many have run; None for no bound. A description of a model
            that would be far larger than its weights is found out this way before it takes time and memory.

    >>> with IsolatedRng(seed=1):
    ...     first = torch.randn(2)
    >>> torch.equal(first, torch.randn(2, generator=torch.Generator().manual_seed(1)))
    True
    """

    def __init__(self, seed: int = 0, most_operations: int | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._seed, self._left = seed, most_operations
        self._generators: dict[torch.device, torch.Generator] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run one operation, with a generator of this block if it draws."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise ValueError("it describes a model of far more parts than its weights have")
        if torch.Tag.nondeterministic_seeded not in func.tags:
            return func(*args, **(kwargs or {}))
        return self._draw(func, args, dict(kwargs or {}))

    def _draw(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        device = next((arg.device for arg in args if isinstance(arg, torch.Tensor)), kwargs.get("device"))
        device = torch.device("cpu" if device is None else device)
        if device.type == "meta" or kwargs.get("generator") is not None:
            return func(*args, **kwargs)
        if not any(argument.name == "generator" for argument in func._schema.arguments):
            func = self._with_generator(func)
        if device not in self._generators:
            self._generators[device] = torch.Generator(device).manual_seed(self._seed)
        kwargs["generator"] = self._generators[device]
        return func(*args, **kwargs)

    @staticmethod
    def _with_generator(func: Any) -> Any:
        """The overload of the same operation that takes a generator, as ``randn`` has."""
        packet, name = func.overloadpacket, func._overloadname
        wanted = "generator" if name == "default" else f"{name}_generator"
        if wanted not in packet.overloads():
            raise RuntimeError(f"{func} draws from the global generator, which no part of clwork may do")
        return getattr(packet, wanted)
