"""``encode_corpus``: write the vectors of a corpus to a memory-mapped file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from .. import _validation
from .._validation import checked
from ..data import sentences
from ..disk import disk_errors, to_json, write_file
from ..precision import forward_pass, resolve
from .encoder import ENCODER, Encoder
from .model_files import read_json

WINDOW = 2048  # sentences that are sorted by length and written together


@checked(encoder=ENCODER)
def encode_corpus(
    encoder: Encoder,
    source: str | os.PathLike[str] | Iterable[str] | Mapping[str, Any],
    out: str | Path,
    *,
    precision: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
    dtype: Literal["float32", "float16"] = "float32",
    progress: bool = True,
) -> np.memmap[Any, np.dtype[Any]]:
    """Write the vectors of a corpus to a ``.npy`` file, and return the memory-mapped file.

    At most 2,048 sentences of a file are in memory at a time. Vectors are first written to ``out.part``, and
    ``out.json`` counts the rows. After an interrupt, the same call resumes; if the file is complete, the call only
    opens it.

    Args:
        encoder: as returned by :func:`clwork.load_encoder`.
        source: any source of :func:`clwork.data.sentences`; a file is streamed.
        out: path of the file, ending in ``.npy``; ``np.load(out, mmap_mode="r")`` opens it.
        precision: of the forward pass; ``"auto"`` chooses as in training.
        dtype: of the file; ``"float16"`` halves the file and changes cosines by less than 0.001.
        progress: show a bar with the remaining time.

    Shapes: returns ``(N, encoder.dim)``, read-only; rows are in the corpus's order and not scaled to length 1.

    Raises:
        TypeError: ``encoder`` or ``source`` has another type.
        ValueError: ``out`` was made with another encoder, corpus, precision or dtype; NaN or infinity in the vectors.
        FileNotFoundError: no such source, or no such folder.
        DiskError: the file cannot be written.

    >>> vectors = encode_corpus(encoder, "sentences.txt", "vectors.npy")  # doctest: +SKIP
    """
    from tqdm.auto import tqdm

    target = _validation.path("out", out).absolute()
    if target.suffix != ".npy":
        raise ValueError(f"out={_validation.shown(str(out), 200)} must end in .npy")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent} for out; create it first")
    part, counter = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.json")
    texts: Any = sentences(source, streaming=isinstance(source, str | os.PathLike) and os.path.isfile(source))
    count = len(texts) if hasattr(texts, "__len__") else sum(1 for _ in texts)
    about = {"encoder": encoder.fingerprint(), "corpus": texts.fingerprint(), "sentences": count, "dtype": dtype}
    about["precision"] = resolve(precision, encoder.device.type).name
    stored = read_json(counter) if counter.exists() else {}
    done = int(stored.pop("rows", 0)) * part.exists()
    if (stored and stored != about) or (not stored and target.exists()):
        raise ValueError(
            f"{target} holds vectors of another encoder, corpus or setting; give another path, or delete it"
        )
    if target.exists():
        return np.load(target, mmap_mode="r")  # type: ignore[no-any-return]
    with disk_errors(target), tqdm(total=count, initial=done, desc="encode", disable=not progress) as bar:
        file = np.lib.format.open_memmap(part, "r+" if done else "w+", dtype, (count, encoder.dim))
        rest = islice(texts, done, None)
        for start in range(done, count, WINDOW):
            window = list(islice(rest, WINDOW))
            with forward_pass(encoder.device, about["precision"]), np.errstate(over="ignore"):
                vectors = encoder.encode(window).astype(dtype)
            if not np.isfinite(vectors).all():
                raise ValueError(f"{encoder.name} returns vectors that are not finite in {dtype}; use another")
            file[start : start + len(window)] = vectors
            file.flush()
            write_file(counter, to_json({**about, "rows": start + len(window)}))
            bar.update(len(window))
        os.replace(part, target)
    return np.load(target, mmap_mode="r")  # type: ignore[no-any-return]
