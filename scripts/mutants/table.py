"""The tests of each module, and the mutants that no test could kill."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("losses", "metrics", "training")
# Tests of every module of a room, after the test file of its own name.
SHARED = {
    "losses": ("losses/test_defaults.py", "bad_input/test_losses.py", "losses/test_properties.py"),
    "metrics": ("metrics/test_defaults.py", "bad_input/test_metrics.py", "metrics/test_properties.py"),
    "training": (),
}
# Further tests of a module, those that kill most first.
ALSO = {
    "training/forces/step_forces": ("training/test_forces.py",),
    "training/forces/one_step": ("training/test_audit.py",),
    "training/forces/step_audit": ("training/test_audit.py",),
    "training/disk/run_files": ("training/test_housekeeping.py", "training/test_forking.py"),
    "training/stored/replay": ("training/test_replaying.py",),
    "training/stored/sweep": ("training/test_sweeping.py",),
    "losses/checks": ("losses/test_bad_input.py",),
    "losses/dclr_loss": ("losses/test_gradient_shares.py",),
    "losses/infonce": ("losses/test_scores.py", "losses/test_bad_input.py"),
    "losses/simcse_loss": (
        "losses/test_infonce.py",
        "losses/test_bad_input.py",
    ),
    "losses/distillation_loss": ("losses/test_dclr.py",),
    "metrics/vectors": (
        "metrics/test_sts.py",
        "metrics/test_retrieval.py",
        "metrics/test_proxy.py",
        "metrics/test_transfer.py",
        "metrics/test_geometry.py",
        "metrics/test_diagnose.py",
    ),
    "metrics/collapse_diagnosis": ("metrics/test_diagnose.py",),
    "training/run/arguments": (
        "training/test_limits.py",
        "bad_input/test_start.py",
        "training/test_run.py",
    ),
    "training/loop/batches": ("methods/test_dclr.py",),
    "training/disk/checkpoints": (
        "training/test_folder.py",
        "training/test_resume.py",
        "training/test_strangers.py",
    ),
    "training/run/controls": ("training/test_run.py",),
    "training/loop/following": ("processes/test_launch.py",),
    "training/loop/passes": ("training/test_run.py", "processes/test_launch.py"),
    "training/loop/shards": ("processes/test_gradients.py", "processes/test_launch.py"),
    "training/loop/processes": ("processes/test_launch.py",),
    "training/run/launching": ("processes/test_launch.py",),
    "training/run/command": ("processes/test_launch.py",),
    "training/loop/loop": (
        "training/test_run.py",
        "methods/test_steps.py",
        "training/test_resume.py",
    ),
    "training/run/termination": (
        "training/test_run.py",
        "training/test_resume.py",
    ),
    "training/disk/folder": (
        "training/test_strangers.py",
        "training/test_stored.py",
    ),
    "training/loop/probe": (
        "training/test_run.py",
        "metrics/test_trend.py",
    ),
    "training/loop/outside": ("training/test_strangers.py",),
    "training/disk/locked_folder": (
        "training/test_limits.py",
        "training/test_replaced_folders.py",
        "training/test_folder.py",
    ),
    "training/run/start": (
        "training/test_folder.py",
        "training/test_stored.py",
        "training/test_run.py",
        "methods/test_registering.py",
    ),
    "training/loop/preparation": (
        "training/test_run.py",
        "training/test_resume.py",
        "methods/test_dclr.py",
    ),
    "training/disk/recipe": (
        "training/test_state.py",
        "training/test_stored.py",
        "training/test_folder.py",
        "bad_input/test_start.py",
    ),
    "training/disk/record": (
        "training/test_replaying.py",
        "training/test_folder.py",
        "training/test_run.py",
    ),
    "training/run/run": (
        "training/test_resume.py",
        "training/test_stepping.py",
        "training/test_look_schedule.py",
    ),
    "training/disk/schema": (
        "training/test_limits.py",
        "training/test_strangers.py",
        "training/test_folder.py",
    ),
    "training/stored/stored": ("training/test_folder.py",),
    "training/stored/listing": ("lab/test_desk.py",),
    "training/disk/tensors": (
        "training/test_strangers.py",
        "training/test_folder.py",
    ),
    "training/run/step_gate": (
        "training/test_run.py",
        "training/test_stepping.py",
        "training/test_any_sequence.py",
    ),
    "training/run/training_thread": (
        "training/test_stepping.py",
        "training/test_run.py",
    ),
    "training/stored/recording": ("training/test_recording.py",),
    "training/loop/precision": ("training/test_resume.py",),
    "training/forces/frozen_step": ("training/test_forces.py",),
}

ARITHMETIC, BITS = "(Add|Sub|Mul|Div|FloorDiv|Mod|Pow)", "(RShift|LShift|BitOr|BitAnd|BitXor)"
ORDER, IDENTITY = "(Eq|NotEq|Lt|LtE|Gt|GtE)", "(Is|IsNot)"
# Mutants that fail in any program, which would flatter the share of the killed, or survive by Python's interning.
WITHOUT_A_QUESTION = re.compile(
    rf"core/Replace(Binary|Unary)Operator_({ARITHMETIC}_{BITS}|{BITS}_{ARITHMETIC}|USub_(Invert|Not))"
    rf"|core/ReplaceComparisonOperator_({ORDER}_{IDENTITY}|{IDENTITY}_{ORDER})"
)
SIGNS = re.compile(r"core/Replace(Binary|Unary)Operator")


def modules(named: list[str], root: Path = ROOT) -> list[str]:
    """Modules as ``room/name`` or ``room/sub-room/name``: all of the three rooms, or those that are named.

    A room stands for all of its modules.

    Raises:
        ValueError: there is no such module or room.
    """
    package = root / "clwork"
    files = [path for room in ROOMS for path in sorted((package / room).rglob("[!_]*.py"))]
    every = [path.relative_to(package).with_suffix("").as_posix() for path in files]
    for name in named:
        if name not in ROOMS and name not in every:
            raise ValueError(f"no module or room is called {name!r}; write for instance 'losses' or '{every[0]}'")
    return [module for module in every if not named or module in named or module.split("/")[0] in named]


def tests_of(module: str, root: Path = ROOT, quick: bool = False) -> list[str]:
    """Paths for pytest of a module: the test file of its name, its further tests, and its doctests.

    Doctests come last. Were they first, pytest would put the module ``losses.dclr`` where the room has the function of
    that name, and every test would fail, mutant or not.

    ``quick`` leaves out property tests, and for ``training`` all but the first file.
    """
    room, name = module.split("/")[0], module.split("/")[-1]
    own = [f"{room}/test_{name}.py"] if (root / "tests" / room / f"test_{name}.py").is_file() else []
    paths = [f"tests/{path}" for path in [*own, *ALSO.get(module, ()), *SHARED[room]]]
    if quick:
        paths = paths[:1] if room == "training" else [path for path in paths if not path.endswith("test_properties.py")]
    return [*dict.fromkeys(paths), f"clwork/{module}.py"]


def asks_nothing(operator: str, leaf: object) -> bool:
    """Whether a mutant at ``leaf``, a leaf of parso's tree, leaves the program's behaviour unchanged.

    Signs in annotations are never computed, since every module has ``from __future__ import annotations``; the bare
    ``*`` of a signature and the ``**`` of a display are no operators, though cosmic-ray mutates them.
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
