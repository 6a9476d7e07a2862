"""Every public function crossed with bad values: what is public, the kind of each argument, and what is bad for a kind.

All of it is derived from signatures. A new public function is swept without a word said about it where its arguments
have the names and annotations of others; else :func:`kind_of` or :data:`GOOD` has to learn what they are.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

import clwork
from clwork.checks import shown
from clwork.renamed import RenamedAttribute

NAN, INF = float("nan"), float("inf")
ROOMS = ("augmenters", "claims", "data", "encoders", "lab", "losses", "methods", "metrics", "training", "views")
# Made by clwork itself and handed out, or called by the training loop: their constructors are no edge.
INNER = {
    "Answer",
    "Arm",
    "Audit",
    "BusyRunError",
    "Candidates",
    "ChangedError",
    "Claim",
    "CollapsedEncoderError",
    "CommonAxes",
    "Comparison",
    "Control",
    "Controls",
    "CorpusRef",
    "CorpusSource",
    "Deleted",
    "Desk",
    "Diagnosis",
    "Difference",
    "DivergedError",
    "Draws",
    "DropoutRates",
    "Effect",
    "Encoder",
    "Evaluation",
    "Expectation",
    "Explorer",
    "Field",
    "Figure",
    "Cloud",
    "Evidence",
    "ForceView",
    "Forces",
    "Frozen",
    "GradientShares",
    "Labelled",
    "Masses",
    "Measure",
    "Method",
    "MethodConfig",
    "MethodName",
    "Metric",
    "Needs",
    "Neighbours",
    "OddOne",
    "Pair",
    "Panel",
    "PcaBasis",
    "Player",
    "PostProcessed",
    "PostProcessing",
    "IndexedBatches",
    "JudgedPairs",
    "PeakMemory",
    "Playground",
    "Pooling",
    "Positions",
    "Probe",
    "ProjectionHead",
    "Reading",
    "Reference",
    "ReferenceCloud",
    "ReferenceRun",
    "Replay",
    "Run",
    "RunFolder",
    "RunLike",
    "ScoreGradients",
    "Slack",
    "Slot",
    "Scores",
    "Sphere",
    "StepForces",
    "Stored",
    "StreamedSentences",
    "StsLike",
    "StsPairs",
    "Swaps",
    "Sweep",
    "Temperature",
    "Terms",
    "Tokens",
    "TreeRow",
    "Trend",
    "RunColumns",
    "TransferLike",
    "TransferTask",
    "Triplets",
    "WordAugmentation",
    "WordVectors",
    "Dropout",
    "MomentumDictionary",
    "Sentences",
    "Views",
    "DistanceReduction",
    "EdaOperation",
    "GuidedForm",
    "LongForm",
    "Similarity",
    "TokenForm",
    "Variant",
    "Reported",
    "Results",
    "ScoreTable",
    "Dial",
    "Exercise",
    "PageEncoder",
    "Prediction",
    "ProcessDiedError",
}
# Of these the methods are swept, on an object that the test makes.
OBJECTS = (
    "Cloud",
    "Encoder",
    "Evidence",
    "ForceView",
    "PcaBasis",
    "Panel",
    "Player",
    "Playground",
    "Run",
    "Stored",
    "Sweep",
    "RunColumns",
)
# What a method's author builds on, a decorator, a pass-through to plotly, and what takes no more than it is given.
NO_EDGE = {
    "claims.answers": "takes Results of clwork's own",
    "claims.corpus": "reads files by the ledger's names; tests/claims/test_corpora.py has its bad input",
    "claims.load": "reads a folder of results; tests/claims/test_asking.py has its bad input",
    "claims.test": "trains for a claim; tests/claims/test_asking.py has its bad input",
    "lab.dial": "takes a function of one's own; tests/lab/lesson has its bad input",
    "lab.exercise": "takes a function of one's own; tests/lab/lesson has its bad input",
    "lab.steered": "takes a panel; tests/lab/lesson has its bad input",
    "lab.predict": "takes a function of one's own; tests/lab/lesson has its bad input",
    "Panel.current_run": "takes nothing",
    "lab.page_encoder": "takes two encoders that belong together; tests/lab/encoder has its bad input",
    "lab.explore": "reads stored runs; tests/lab/test_explore.py has its bad input",
    "views.against": "takes a Reference; tests/views/test_reference_bands.py has its bad input",
    "views.outside": "takes a Reference; tests/views/test_reference_bands.py has its bad input",
    "clwork.reference": "reads stored runs; tests/claims/test_reference.py has its bad input",
    "claims.count_verdicts": "takes answers of clwork's own",
    "augmenters.at_embeddings": "takes a module and a function of one's own",
    "augmenters.register_augmentation": "takes a WordAugmentation of one's own",
    "augmenters.replace_word": "takes a found Slot",
    "augmenters.same_masks": "takes nothing",
    "augmenters.span_means": "inner step of MoCoUTRL's views",
    "augmenters.span_pieces": "inner step of MoCoUTRL's views",
    "augmenters.span_weights": "inner step of the same",
    "data.register_source": "takes a CorpusSource of one's own",
    "encoders.register_pooling": "takes a Pooling of one's own",
    "encoders.evaluating": "takes a module",
    "losses.at_least_float32": "takes a tensor inside a loss",
    "losses.normalize": "takes a tensor inside a loss",
    "methods.hyper": "declares a field when a class is made",
    "methods.like": "declares a field when a class is made",
    "methods.score_table": "inner step of a method's forces",
    "methods.with_softmax": "inner step of a method's forces",
    "methods.register": "decorates a class",
    "methods.train_step": "takes a method and a batch inside a loop",
    "views.styled": "hands plotly's arguments on",
    "views.subplots": "hands plotly's arguments on",
    "encoders.save_encoder": "swept as Encoder.save",
    "Encoder.forward": "takes what collate gives",
    "Encoder.hidden_states": "takes what collate gives",
    "Encoder.forward_by_length": "takes rows of the loop",
    "Encoder.collate": "takes rows of the loop",
    "losses.check_vectors": "is a check",
    "losses.check_same_shape": "is a check",
    "losses.check_weight": "is a check",
    "losses.parameter_distance": "takes two modules",
    "Run.start": "called once by clwork.start",
    "Stored.of": "takes a Run inside clwork",
    "Run.step_once": "takes a run that is paused",
    "Run.listen": "takes nothing",
    "training.launch": "takes start's arguments; tests/processes/test_launch.py has the bad input of its own",
    "training.watch": "takes a Run inside clwork",
    "Sweep.start": "called once by clwork.sweep",
}


@dataclasses.dataclass(frozen=True)
class Argument:
    """An argument of a public function, by its full name: ``losses.simcse`` and ``temperature``."""

    function: str
    name: str
    annotation: str
    optional: bool

    @property
    def kind(self) -> str:
        """What it holds."""
        return kind_of(self)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, and every public method of the objects that readers hold, under one name each."""
    seen: set[int] = set()
    for room in ROOMS:
        module = getattr(clwork, room)
        for name in module.__all__:
            found = getattr(module, name)
            if id(found) in seen or not callable(found) or name in INNER:
                continue
            seen.add(id(found))
            yield f"{room}.{name}", found
    yield "clwork.recording", clwork.recording
    yield "clwork.reference", clwork.reference
    for name in OBJECTS:
        home: Any = next(getattr(getattr(clwork, r), name) for r in ROOMS if name in getattr(clwork, r).__all__)
        for method, found in inspect.getmembers(home, inspect.isroutine):
            if isinstance(inspect.getattr_static(home, method), RenamedAttribute):
                continue  # an old name
            if not method.startswith("_") and getattr(found, "__module__", "").startswith("clwork"):
                yield f"{name}.{method}", found


@functools.cache
def swept() -> dict[str, list[Argument]]:
    """The arguments of each function that is an edge."""
    found = {}
    for name, function in public():
        if name in NO_EDGE:
            continue
        arguments = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name == "self" or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            annotation = str(parameter.annotation)
            optional = "None" in annotation or annotation in ("Any", "typing.Any", "EncoderChoice")
            arguments.append(Argument(name, parameter.name, annotation, optional))
        found[name] = arguments
    return found


def kind_of(argument: Argument) -> str:
    """The kind of an argument: by what its function calls it, else by its name, else by its annotation.

    Raises:
        LookupError: nothing here knows.
    """
    plain = re.sub(r" \| None$", "", argument.annotation)
    for key in (f"{argument.function}.{argument.name}", argument.name):
        if key in BY_NAME:
            return BY_NAME[key]
    if plain in BY_ANNOTATION:
        return BY_ANNOTATION[plain]
    if plain.startswith("Literal["):
        return "word"
    if plain.startswith("Mapping["):
        return "mapping"
    raise LookupError(f"{argument.function}({argument.name}: {argument.annotation}): say its kind in {__file__}")


BY_ANNOTATION = {
    "int": "whole",
    "float": "number",
    "bool": "flag",
    "Tensor": "tensor",
    "str": "word",
    "str | Path": "path",
    "str | os.PathLike[str]": "path",
    "Vectors": "vectors",
    "torch.Generator": "generator",
    "Sequence[str]": "texts",
    "Iterable[str]": "texts",
    "RunSource | None": "run",
    "Tokens": "tokens",
    "tuple[float, float]": "pair",
    "Sequence[str | None]": "labels",
    "Sequence[Hashable | None]": "labels",
    "Encoder": "encoder",
    "nn.Module": "function",
    "OnRow": "function",
    "go.Figure": "figure",
    "npt.NDArray[Any]": "vectors",
    "Sequence[Stored]": "runs",
    "Progress": "function",
    "Sequence[float]": "numbers",
    "Sequence[int]": "numbers",
    "Numbers": "numbers",
    "Sequence[float] | npt.NDArray[Any]": "numbers",
    "Pairs": "numbers",
    "CommonAxes": "axes",
    "Sequence[Mapping[str, Hashable]]": "mappings",
    "Sequence[Difference]": "mappings",
    "Sequence[PairLike]": "mappings",
    "Iterable[Mapping[str, Any]]": "mappings",
    "Encodes": "encoder",
    "Sequence[npt.NDArray[Any]]": "looks",
    "tuple[str, str]": "texts",
    "RunSource": "run",
    "Sequence[Tensor]": "tensors",
    **dict.fromkeys(
        (
            "Aggregation",
            "DistanceReduction",
            "EdaOperation",
            "GuidedForm",
            "LongForm",
            "Similarity",
            "TokenForm",
            "Variant",
        ),
        "word",
    ),
}
BY_NAME = {
    "metrics.trend.rows": "mappings",
    "parts": "mappings",
    "picture": "text",
    "look": "text",
    "augmenters.slots.parts": "word",
    "augmenters.swap_word.parts": "word",
    "seed": "seed",
    "seeds": "seeds",
    "device": "device",
    "sts": "place",
    "name": "name",
    "on_row": "function",
    "encoders.load_encoder.name": "place",
    "claims.get.name": "word",
    "methods.get.name": "word",
    "methods.config.name": "word",
    "views.force_matrix.name": "text",
    "RunColumns.last.name": "text",
    "RunColumns.xy.name": "text",
    "ForceView.figure.name": "word",
    "Cloud.show_plane.name": "word",
    "Cloud.wait.timeout": "number",
    "Evidence.figure.name": "word",
    "Evidence.choose.name": "word",
    "lab.evidence.own": "mapping",
    "title": "text",
    "x_title": "text",
    "y_title": "text",
    "unit": "text",
    "description": "text",
    "Run.wait.timeout": "number",
    "first": "text",
    "second": "text",
    "column": "text",
    "views.overlay.columns": "texts",
    "encoder": "place",
    "sentences": "corpus",
    "data.sentences.source": "corpus",
    "encoders.encode_corpus.source": "corpus",
    "data.check_examples.given": "examples",
    "training.forces_at.examples": "examples",
    "lab.player.other": "run",
    "run": "run",
    "sources": "place",
    "state": "text",
    "question": "text",
    "settings": "text",
    "work": "text",
    "text": "text",
    "sentence": "text",
    "positions": "vectors",
    "mix": "numbers",
    "shape": "shape",
    "lab.sphere.shape": "word",
    "points": "vectors",
    "lab.sphere.points": "whole",
    "angles": "numbers",
    "data.transfer_task.source": "place",
    "data.sts_pairs.source": "place",
    "data.triplets.source": "place",
    "data.word_vectors.source": "place",
    "records": "history",
    "lab.sphere.start": "word",
    "histories": "mapping",
    "reference": "reference",
    "true": "labels",
    "predicted": "labels",
    "scores": "scores",
    "cosines": "scores",
    "texts": "texts",
    "filters": "whole",
    "encoders.textcnn.vectors": "place",
    "names": "texts",
    "views.pair_map.texts": "pairs of texts",
    "log": "axes' names",
    "methods.fields.config": "config",
    "label": "tensor",
    "forms": "texts",
    "training.changed_keys.settings": "mappings",
    "measure": "text",
    "regions": "numbers",
    "aggregation": "word",
    "tasks": "mapping",
    "metrics.sts_correlations.pairs": "rated pairs",
    "run_or_encoder": "run",
    "training.evaluate.tasks": "texts",
    "views.around.matrix": "vectors",
    "data.sentences.split": "text",
    "split": "word",
    "confidence": "number",
}

GENERATOR = torch.Generator().manual_seed(0)
BYTES = 200 * "é"  # 200 letters, 400 bytes
FAR = 10**39  # a seed of 40 digits
NOT_TEXT: tuple[Any, ...] = (3, 3.5, True, b"x", ["x"], object())
UNREADABLE = ("a\0b", "a\ud800b")
NOT_WHOLE: tuple[Any, ...] = ("3", 1.5, True, NAN, INF, [3], b"3", object())
NOT_NUMBER: tuple[Any, ...] = ("0.1", True, [0.1], b"1", object(), 1j)
NOT_LIST: tuple[Any, ...] = ("abc", b"abc", 3, 0.5, True, object())
NOT_VECTORS: tuple[Any, ...] = ("abc", b"abc", 3, True, object(), [["a"]], np.array(["a"]), np.array([[NAN, 1.0]]))
# Values that are wrong for an argument of a kind, whatever the function: each has to be refused.
BAD: dict[str, tuple[Any, ...]] = {
    "whole": (*NOT_WHOLE, -FAR),
    "number": (*NOT_NUMBER, NAN),
    "flag": ("no", "yes", "", 0, 1, 0.0, b"no", [], object()),
    "seed": (*NOT_WHOLE, -1, 2**32, FAR),
    "seeds": ("3", 1.5, True, NAN, b"3", object(), [], ["0"], [FAR], [-1], [True], 0, -1, FAR),
    "path": (*NOT_TEXT, *UNREADABLE, "", "  ", BYTES, "~nobody-such/x", "x/" * 3000),
    "place": (3, 3.5, True, b"x", object(), *UNREADABLE, "", "  ", BYTES, "~nobody-such/x", "x/" * 3000),
    "name": (*NOT_TEXT, *UNREADABLE, "", "  ", BYTES, "a/b", "..", "/tmp/x", "a\nb"),
    "word": (*NOT_TEXT, "", "no-such-word", *UNREADABLE),
    "text": (3, 3.5, True, b"x", ["x"], object()),
    "texts": (*NOT_LIST, [3], [None], [b"x"]),
    "labels": (*NOT_LIST, [[]] * 6, ["a"] * 99),
    "tensor": ("abc", 3, 1.5, True, [[1.0]], object(), np.eye(3)),
    "tensors": ("abc", 3, 1.5, True, [], [3], object()),
    "vectors": NOT_VECTORS,
    "numbers": ("abc", b"abc", object(), ["a"], [[]]),
    "scores": ("abc", b"abc", object(), 3, True),
    "generator": (3, "0", True, object(), np.random.default_rng(0)),
    "device": (3, True, b"cpu", [], object(), "nope", "cuda:99", "meta", "", *UNREADABLE),
    "tokens": ("abc", 3, [1, 2], object()),
    "pair": ("ab", 3, object(), (1.0,), ("a", "b"), (NAN, 1.0)),
    "encoder": ("mini", 3, True, object()),
    "corpus": (3, 3.5, True, b"x", object(), *UNREADABLE, "", "  ", BYTES + ".txt", "~nobody-such/x.txt"),
    "examples": (3, 3.5, True, b"x", object(), {1, 2}, ["", "a"]),
    "run": (3, 3.5, True, b"x", object(), ["x"], "no such run", *UNREADABLE, BYTES, "~nobody-such"),
    "runs": (3, "abc", True, object(), [3], ["abc"]),
    "function": (3, "print", True, object()),
    "figure": (3, "abc", True, object(), {}),
    "mapping": (3, "abc", b"abc", True, object(), [1], {3: [1.0]}, {"a": object()}),
    "mappings": (3, "abc", b"abc", True, object(), [3]),
    "axes": (3, "abc", object(), {}),
    "looks": (3, "abc", object(), [3], ["abc"], [np.eye(3)[:2]]),
    "shape": (3, "ab", object(), (1.5, 2), (-1, 2), (True, 2)),
    "history": (3, "abc", b"abc", True, object(), [3], [{}], {"a": 1}),
    "reference": (3, "abc", object(), (1, 2, 3), ("a", "b"), (3, 1.0)),
    "pairs of texts": (3, "abc", object(), [3]),
    "rated pairs": (3, "abc", object(), {}),
    "axes' names": (3, object(), ["z"], "z"),
    "config": (3, "abc", object(), None),
}
# What some function takes for a reason of its own: its argument, and the value as it is shown.
TAKEN: set[tuple[str, str]] = {("since", shown(-FAR))}  # rows are counted from the end, as in a slice


def bad_values(argument: Argument) -> list[Any]:
    """What the argument has to refuse; None where it is not optional."""
    kind = argument.kind
    values = [*BAD[kind], *(() if argument.optional else (None,))]
    full = f"{argument.function}.{argument.name}"
    return [value for value in values if not {(full, shown(value)), (argument.name, shown(value))} & TAKEN]


def cases() -> Iterator[tuple[Argument, Any]]:
    """Every argument with every value that is bad for its kind."""
    for arguments in swept().values():
        for argument in arguments:
            for value in bad_values(argument):
                yield argument, value
