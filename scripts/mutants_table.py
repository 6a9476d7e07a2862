"""Which tests hold which module, and which mutants ask them nothing. What ``scripts/mutants.py`` goes by."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("losses", "metrics", "training")
# What every module of a room is held by, after the test file of its own name.
SHARED = {
    "losses": ("losses/test_defaults.py", "bad_input/test_losses.py", "losses/test_properties.py"),
    "metrics": ("metrics/test_defaults.py", "bad_input/test_metrics.py", "metrics/test_properties.py"),
    "training": (),
}
# Modules that no test file is named for, or that others hold too; those that kill most come first.
ALSO = {
    "losses/checks": ("losses/test_bad_input.py",),
    "losses/infonce": ("losses/test_bad_input.py",),
    "losses/simcse_loss": ("losses/test_infonce.py", "losses/test_bad_input.py"),
    "losses/distillation_loss": ("losses/test_dclr.py",),
    "metrics/arguments": (
        "metrics/test_sts.py",
        "metrics/test_retrieval.py",
        "metrics/test_proxy.py",
        "metrics/test_transfer.py",
    ),
    "metrics/clusters": ("metrics/test_diagnose.py",),
    "metrics/vectors": ("metrics/test_geometry.py", "metrics/test_diagnose.py"),
    "training/arguments": ("training/test_limits.py", "bad_input/test_start.py", "training/test_run.py"),
    "training/batches": ("methods/test_dclr.py",),
    "training/checkpoints": ("training/test_folder.py", "training/test_resume.py", "training/test_strangers.py"),
    "training/controls": ("training/test_run.py",),
    "training/diverged": ("training/test_run.py",),
    "training/termination": ("training/test_run.py", "training/test_resume.py"),
    "training/short_digests": ("training/test_state.py", "training/test_resume.py", "training/test_folder.py"),
    "training/folder": ("training/test_strangers.py", "training/test_stored.py"),
    "training/run_trend": ("training/test_run.py", "metrics/test_trend.py"),
    "training/outside": ("training/test_strangers.py",),
    "training/locked_folder": ("training/test_replaced_folders.py", "training/test_folder.py"),
    "training/launch": ("training/test_folder.py", "training/test_stored.py", "training/test_run.py"),
    "training/run_view": ("training/test_run.py", "training/test_look_schedule.py"),
    "training/loop": ("training/test_run.py", "methods/test_steps.py", "training/test_resume.py"),
    "training/plain_files": ("training/test_limits.py", "training/test_strangers.py", "training/test_folder.py"),
    "training/preparation": ("training/test_run.py", "training/test_resume.py"),
    "training/recipe": ("training/test_stored.py", "training/test_folder.py", "bad_input/test_start.py"),
    "training/record": ("training/test_folder.py", "training/test_run.py"),
    "training/run": ("training/test_resume.py",),
    "training/schema": ("training/test_limits.py", "training/test_strangers.py", "training/test_folder.py"),
    "training/stored": ("training/test_folder.py",),
    "training/state": ("training/test_strangers.py", "training/test_folder.py"),
    "training/fair_lock": ("training/test_run.py",),
    "training/opening": ("training/test_resume.py", "training/test_strangers.py", "training/test_stored.py"),
    "training/progress_bar": ("training/test_run.py",),
    "training/run_like": ("training/test_stored.py",),
    "training/signature": ("methods/test_registering.py",),
    "training/gate": ("training/test_stepping.py", "training/test_any_sequence.py"),
    "training/steering": ("training/test_stepping.py", "training/test_run.py"),
    "training/comparing": ("training/test_replaying.py",),
    "training/as_recording": ("training/test_recording.py",),
    "training/devices": ("training/test_resume.py",),
    "training/moment": ("training/test_forces.py",),
    "training/pair_forces": ("training/test_forces.py",),
    "training/untrained": ("training/test_forces.py",),
    "training/preparation_progress": ("training/test_run.py", "methods/test_dclr.py"),
}

ARITHMETIC, BITS = "(Add|Sub|Mul|Div|FloorDiv|Mod|Pow)", "(RShift|LShift|BitOr|BitAnd|BitXor)"
ORDER, IDENTITY = "(Eq|NotEq|Lt|LtE|Gt|GtE)", "(Is|IsNot)"
# Mutants that die by themselves, and would make the share of the killed look good, or that live by Python's interning.
WITHOUT_A_QUESTION = re.compile(
    rf"core/Replace(Binary|Unary)Operator_({ARITHMETIC}_{BITS}|{BITS}_{ARITHMETIC}|USub_(Invert|Not))"
    rf"|core/ReplaceComparisonOperator_({ORDER}_{IDENTITY}|{IDENTITY}_{ORDER})"
)
SIGNS = re.compile(r"core/Replace(Binary|Unary)Operator")


def modules(named: list[str], root: Path = ROOT) -> list[str]:
    """Modules as ``room/name``, all those of the three rooms or those that are named, a room standing for its own.

    Raises:
        ValueError: there is no such module or room.
    """
    every = [f"{room}/{path.stem}" for room in ROOMS for path in sorted((root / "clwork" / room).glob("[!_]*.py"))]
    for name in named:
        if name not in ROOMS and name not in every:
            raise ValueError(f"no module or room is called {name!r}; write for instance 'losses' or '{every[0]}'")
    return [module for module in every if not named or module in named or module.split("/")[0] in named]


def tests_of(module: str, root: Path = ROOT, quick: bool = False) -> list[str]:
    """The paths that pytest gets for a module: the test file of its name, what else holds it, and its own doctests.

    Doctests come last. Were they first, pytest would put the module ``losses.dclr`` where the room has the function of
    that name, and every test would fail, mutant or not.

    ``quick`` leaves out what takes long where a mutant survives: tests of drawn examples, and for ``training`` all
    but the first file.
    """
    room, name = module.split("/")
    own = [f"{room}/test_{name}.py"] if (root / "tests" / room / f"test_{name}.py").is_file() else []
    paths = [f"tests/{path}" for path in [*own, *ALSO.get(module, ()), *SHARED[room]]]
    if quick:
        paths = paths[:1] if room == "training" else [path for path in paths if not path.endswith("test_properties.py")]
    return [*dict.fromkeys(paths), f"clwork/{module}.py"]


def asks_nothing(operator: str, leaf: object) -> bool:
    """Whether a mutant at ``leaf``, a leaf of parso's tree, is no change of what the program does.

    Signs in annotations are never computed, since every module has ``from __future__ import annotations``; the bare
    ``*`` of a signature and the ``**`` of a display are no operators at all, though cosmic-ray takes them for some.
    """
    if WITHOUT_A_QUESTION.match(operator):
        return True
    if not SIGNS.match(operator):
        return False
    node, parent = leaf, getattr(leaf, "parent", None)
    if parent is not None and parent.type in ("parameters", "lambdef", "dictorsetmaker", "arglist"):
        return True
    while parent is not None:
        place = parent.children.index(node)
        if parent.type in ("annassign", "tfpdef") and parent.children[place - 1] == ":":
            return True
        if parent.type == "funcdef" and parent.children[place - 1] == "->":
            return True
        node, parent = parent, parent.parent
    return False
