"""Opening the panel of a method, or that of a run which exists."""

from __future__ import annotations

from typing import Any

from ..edges import at_least, checked, place
from ..training import Stored
from ..training.arguments import a_corpus, an_encoder
from ..training.run_like import A_RUN
from .panel_widget import Panel
from .run_settings import RunSettings, settings_of
from .unsaved import unsaved


@checked(run=A_RUN, encoder=an_encoder, sentences=a_corpus, sts=place, steps=at_least(1), probe_every=at_least(1))
@unsaved()
def panel(
    method: str | None = None,
    *,
    run: Any = None,
    encoder: Any = None,
    sentences: Any = None,
    steps: int | None = None,
    seed: int | None = None,
    sts: Any = None,
    probe_every: int | None = None,
    settings: str | None = None,
    **config: Any,
) -> Panel:
    """Make the panel of a method; show it by putting it last in a cell (on Colab: in a later cell than this call).

    Every setting has a widget; arguments give their first values. ``run`` attaches the panel to a run that exists,
    say one whose panel was lost: ``lab.panel(run=clwork.runs()[-1])``; all settings are then that run's, and *Start*
    begins another with them. The panel's methods ``start``, ``pause``, ``stop`` and ``wait`` do what the buttons do;
    ``panel.run`` is the run, ``panel.config()`` the hyperparameters, ``panel.settings_text()`` all settings in a line.

    Args:
        method: one of ``clwork.methods.names()``; default: that of ``run``, else ``"simcse"``.
        run: a run to show and steer, or what :func:`clwork.open_run` gave, to look at.
        encoder: name, folder or encoder to start from; default: the method's.
        sentences: a source's name, or a sequence of examples (triplets, for supervised SimCSE).
        steps: optimizer steps of a run; default 300.
        seed: of everything random; default 0.
        sts: folder of STS tasks, ``"hub"``, or None for the folder that was remembered.
        probe_every: steps between two looks at the geometry; default: looks follow the clock.
        settings: a line that ``panel.settings_text()`` gave; it is applied last.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: a setting is unknown, of another kind or out of range; ``run`` is of another method.
    """
    run = run.as_run() if isinstance(run, Stored) else run
    name = method if method is not None else (run.method if run is not None else "simcse")
    if run is not None and run.method != name:
        raise ValueError(f"the run is of method {run.method!r}, the panel of {name!r}: leave the method out")
    if run is not None and run.alive and (config or settings):
        raise ValueError(f"{run.name} goes on with its own settings: move its sliders, or run.controls, or stop it")
    made_of = settings_of(run) if run is not None else RunSettings()
    given = {"encoder": encoder, "sentences": sentences, "steps": steps, "seed": seed}
    told = {name: getattr(made_of, name) if value is None else value for name, value in given.items()}
    column = made_of.column if sentences is None else ""
    more = {**made_of.more, **{k: v for k, v in {"sts": sts, "probe_every": probe_every}.items() if v is not None}}
    made = Panel(name, run, RunSettings(**told, column=column, more=more), config)
    if settings is not None:
        made.apply_settings(settings)
    return made
