"""A saved encoder gives the same vectors in sentence-transformers, and the same hidden states in
transformers.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import clwork
from clwork.encoders import Encoder, ProjectionHead, load_encoder, textcnn
from clwork.encoders.encoder import Vectors
from clwork.encoders.heads import ACTIVATIONS
from clwork.encoders.pooling import POOLINGS

from ..test_offline import BLOCKED, OFFLINE
from .conftest import TEXTS, with_head
from .test_folders import Change, edit, remove

LONG = [
    *TEXTS,
    "the cat sat on the mat, the dog ran far " * 8,
]  # the last is longer than the models' 24 places


def by_sentence_transformers(folder: Path, texts: list[str]) -> Vectors:
    from sentence_transformers import SentenceTransformer

    found: Vectors = SentenceTransformer(str(folder), device="cpu").encode(texts)
    return found


def agrees(encoder: Encoder, folder: Path, texts: list[str] = LONG) -> Vectors:
    """Save, load by sentence-transformers and compare; return the vectors."""
    encoder.save(folder)
    want = encoder.encode(texts)
    np.testing.assert_allclose(by_sentence_transformers(folder, texts), want, atol=1e-5, rtol=0)
    assert load_encoder(folder, device="cpu").encode(texts).tobytes() == want.tobytes()
    return want


@pytest.fixture(scope="module")
def headed(bert_folder: Path) -> Encoder:
    return with_head(bert_folder, out=16)


def test_every_pooling(headed: Encoder, tmp_path: Path) -> None:
    for pooling in POOLINGS:
        vectors = agrees(headed.with_pooling(pooling), tmp_path / pooling)
        if pooling != "mean":  # the default of sentence-transformers
            assert np.abs(vectors - headed.with_pooling("mean").encode(LONG)).max() > 0.1, pooling


def test_every_head(headed: Encoder, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    for activation, pooling in zip(ACTIVATIONS, ("cls", "mean", "first_last", "cls"), strict=True):
        head = ProjectionHead(16, 5, activation, generator=torch.Generator().manual_seed(0))
        torch.nn.init.normal_(head.dense.weight, std=0.5)
        torch.nn.init.normal_(head.dense.bias)
        parts = (headed.backbone, headed.tokenizer)
        vectors = agrees(
            Encoder(*parts, name="tiny", pooling=pooling, head=head), tmp_path / activation
        )
        assert vectors.shape == (len(LONG), 5), activation
        model: Any = SentenceTransformer(str(tmp_path / activation), device="cpu")
        model[-1].linear.weight.data *= 2  # trained and saved again, in the same folder
        model.save(str(tmp_path / activation))
        again = load_encoder(tmp_path / activation, device="cpu").encode(LONG)
        np.testing.assert_allclose(again, model.encode(LONG), atol=1e-5, rtol=0)


def test_the_mini_encoder(tmp_path: Path) -> None:
    mini = load_encoder("mini", device="cpu")
    texts = [
        "A cat sat on the mat.",
        "",
        "The stock market fell sharply on Monday.",
        "One dog. " * 80,
    ]
    vectors = agrees(mini.with_pooling("cls_before_pooler"), tmp_path / "saved", texts)
    assert np.abs(vectors - mini.encode(texts)).max() > 1.0


def test_hidden_states_of_transformers(headed: Encoder, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    headed.with_pooling("first_last").save(tmp_path / "saved")
    model, tokenizer = (
        AutoModel.from_pretrained(tmp_path / "saved"),
        AutoTokenizer.from_pretrained(tmp_path / "saved"),
    )
    batch = tokenizer(TEXTS, return_tensors="pt", padding=True, truncation=True, max_length=24)
    with torch.no_grad():
        theirs = model.eval()(**batch, output_hidden_states=True).hidden_states
        ours = headed.eval().hidden_states(
            headed.collate([row.ids for row in headed.tokenize(TEXTS)])
        )
    assert len(theirs) == len(ours) == 3
    tokens = batch["attention_mask"].bool()
    for one, other in zip(theirs, ours, strict=True):
        torch.testing.assert_close(one[tokens], other[tokens], atol=1e-6, rtol=0)


def test_a_textcnn_is_saved_for_clwork_alone(tmp_path: Path) -> None:
    encoder = textcnn(device="cpu")
    encoder.save(tmp_path / "saved")
    assert not (tmp_path / "saved" / "modules.json").exists()
    with pytest.raises(ValueError, match="clwork-textcnn"):
        by_sentence_transformers(tmp_path / "saved", TEXTS)
    assert (
        load_encoder(tmp_path / "saved", device="cpu").encode(TEXTS).tobytes()
        == encoder.encode(TEXTS).tobytes()
    )


Spec = tuple[str, dict[str, Any]]  # a class of sentence-transformers, and its arguments
MEAN: Spec = ("Pooling", {"embedding_dimension": 16, "pooling_mode": "mean"})
CLS: Spec = ("Pooling", {"embedding_dimension": 16, "pooling_mode": "cls"})
NORMALIZE: Spec = ("Normalize", {})
LAYERS: Spec = (
    "WeightedLayerPooling",
    {"embedding_dimension": 16, "num_hidden_layers": 2, "layer_start": 1},
)
BERT, LISTED, TOKENIZER = "sentence_bert_config.json", "modules.json", "tokenizer_config.json"
ABOUT, POOLING = "config_sentence_transformers.json", "1_Pooling/config.json"
OTHER_LAYER = {"text": {"method": "forward", "method_output_name": ["hidden_states", 1]}}


ALL_LAYERS = {"output_hidden_states": True}


def pooled(mode: str) -> Spec:
    return "Pooling", {"embedding_dimension": 16, "pooling_mode": mode}


def pickled_dense(folder: Path) -> None:
    safe = folder / "2_Dense" / "model.safetensors"
    torch.save(load_file(safe), safe.with_name("pytorch_model.bin"))
    safe.unlink()


def dense(out: int, inputs: int = 16, **settings: Any) -> Spec:
    return "Dense", {"in_features": inputs, "out_features": out} | settings


def replace(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


def rename(old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        (folder / old).rename(folder / new)
        replace(LISTED, old, new)(folder)

    return change


# Modules after the transformer, changes of the folder, and the words of the error; none if it is
# read.
FOREIGN: dict[str, tuple[list[Spec], list[Change], str]] = {
    "a narrow Dense": ([MEAN, dense(8)], [], ""),
    "a wide Dense": ([CLS, dense(16)], [], ""),
    "two Dense": ([MEAN, dense(8), dense(4, 8)], [], ""),
    "SiLU": (
        [MEAN, dense(8, bias=False, activation_function=torch.nn.SiLU())],
        [rename("2_Dense", "last")],
        "",
    ),
    "a Dense of tokens": ([dense(16, module_input_name="token_embeddings"), MEAN], [], ""),
    "pickled weights": ([MEAN, dense(8)], [pickled_dense], "has no weights in safetensors"),
    "Normalize": ([CLS, dense(8), NORMALIZE], [], ""),
    "a mean of layers": ([LAYERS, MEAN], [edit(BERT, config_args=ALL_LAYERS)], ""),
    "LayerNorm": ([MEAN, ("LayerNorm", {"dimension": 16})], [], ""),
    "the last token": ([pooled("lasttoken"), NORMALIZE], [], ""),
    "the maximum": ([pooled("max")], [], ""),
    "no settings": ([MEAN], [remove(POOLING)], "Pooling"),
    "two poolings": ([MEAN], [edit(POOLING, pooling_mode=["cls", "mean"])], ""),
    "own code": ([MEAN], [replace(LISTED, "sentence_transformers.", "own.")], "own"),
    "a length": ([MEAN], [edit(TOKENIZER, model_max_length=5), edit(BERT, max_seq_length=8)], ""),
    "0_Transformer": ([CLS, dense(8)], [edit(f"0_Transformer/{BERT}", max_seq_length=8)], ""),
    "cased": ([MEAN], [replace("tokenizer.json", '"lowercase": true', '"lowercase": false')], ""),
    "prompts": ([MEAN], [edit(ABOUT, prompts={"q": "the cat: "})], ""),
    "a prompt": (
        [MEAN, dense(8)],
        [edit(ABOUT, prompts={"q": "a "}, default_prompt_name="q")],
        "",
    ),
    "a prompt alone": (
        [MEAN],
        [edit(ABOUT, prompts={"q": "the dog: "}, default_prompt_name="q")],
        "",
    ),
    "a prompt left out": (
        [MEAN],
        [
            edit(ABOUT, prompts={"q": "the dog "}, default_prompt_name="q"),
            edit(POOLING, include_prompt=False),
        ],
        "a setting of its transformer, tokenizer or prompt",
    ),
    "fewer numbers": ([MEAN], [edit(ABOUT, truncate_dim=8)], ""),
    "fewer numbers of [CLS]": (
        [CLS, dense(16)],
        [edit(ABOUT, truncate_dim=4, prompts={"q": "a "}, default_prompt_name="q")],
        "",
    ),
    "another layer": ([MEAN], [edit(BERT, modality_config=OTHER_LAYER)], "a setting of its"),
}
# Cases whose pooling clwork lacks.
BY_ITS_MODULES = {"a Dense of tokens", "a mean of layers", "the last token", "two poolings"}


def written(case: str, bert_folder: Path, folder: Path) -> None:
    """Write the folder of a case by sentence-transformers, and change it."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    specs, changes, _ = FOREIGN[case]
    torch.manual_seed(0)
    parts = [
        modules.Transformer(str(bert_folder)),
        *(getattr(modules, kind)(**settings) for kind, settings in specs),
    ]
    parts[0].save_in_root = case != "0_Transformer"  # the older layout
    SentenceTransformer(modules=parts, device="cpu").save(str(folder))
    for change in changes:
        change(folder)


@pytest.mark.parametrize("case", FOREIGN)
def test_a_foreign_folder_gives_its_own_vectors_or_is_refused(
    case: str, bert_folder: Path, tmp_path: Path
) -> None:
    folder, texts, words = tmp_path / "folder", [*LONG, "The CAT sat"], FOREIGN[case][2]
    written(case, bert_folder, folder)
    if words:
        with pytest.raises(Exception, match=words) as error:
            load_encoder(folder, device="cpu")
        if "set pooling=" in str(error.value):  # the remedy works
            want = load_encoder(bert_folder, pooling="mean", device="cpu").encode(TEXTS)
            assert np.allclose(
                load_encoder(folder, pooling="mean", device="cpu").encode(TEXTS), want, atol=1e-5
            )
        return
    encoder = load_encoder(folder, device="cpu")
    assert (encoder.pooling == "declared") == (case in BY_ITS_MODULES)
    vectors, theirs = encoder.encode(texts), by_sentence_transformers(folder, texts)
    assert encoder.dim == vectors.shape[1]
    cosines = (
        (vectors * theirs).sum(1) / np.linalg.norm(vectors, axis=1) / np.linalg.norm(theirs, axis=1)
    )
    np.testing.assert_allclose(cosines, 1, atol=1e-6)
    agrees(encoder, tmp_path / "saved", texts)
    again = load_encoder(tmp_path / "saved", device="cpu")
    assert again.fingerprint() == encoder.fingerprint()
    assert again.base == encoder.base.rpartition("/")[2]
    assert pickle.loads(pickle.dumps(encoder)).encode(texts).tobytes() == vectors.tobytes()


def test_modules_and_prompt_belong_to_the_fingerprint(bert_folder: Path, tmp_path: Path) -> None:
    found = {}
    cases = ("the maximum", "Normalize", "two Dense", "a narrow Dense", "a prompt", "fewer numbers")
    for case in cases:
        written(case, bert_folder, tmp_path / case)
        found[load_encoder(tmp_path / case, device="cpu").fingerprint()] = case
    assert len(found) == len(cases)


def test_modules_that_a_pooling_skips_are_not_saved(bert_folder: Path, tmp_path: Path) -> None:
    written("a wide Dense", bert_folder, tmp_path / "theirs")
    encoder = load_encoder(tmp_path / "theirs", device="cpu")
    raw = encoder.with_pooling("cls_before_pooler")
    vectors = agrees(raw, tmp_path / "raw")
    assert np.abs(vectors - encoder.encode(LONG)).max() > 0.1
    assert raw.with_pooling("cls").encode(LONG).tobytes() == encoder.encode(LONG).tobytes()


def test_training_replaces_modules_that_clwork_lacks(bert_folder: Path, tmp_path: Path) -> None:
    """Of such a pooling, [CLS] is trained; the result is saved and read."""
    written("the last token", bert_folder, tmp_path / "theirs")
    run = clwork.train(
        "simcse",
        encoder=str(tmp_path / "theirs"),
        sentences=[f"a good day {letter}" for letter in "abcdefgh"],
        steps=2,
        batch_size=4,
        device="cpu",
    )
    assert (run.encoder.pooling, run.encoder.head) == ("cls_before_pooler", None)
    agrees(run.encoder, tmp_path / "trained")


def test_sentence_transformers_is_imported_for_its_own_folders_alone(
    bert_folder: Path, tmp_path: Path
) -> None:
    """The mini, a plain folder, and one that clwork saved need transformers; nothing asks for the
    network.
    """
    written("the last token", bert_folder, tmp_path / "theirs")
    code = f"""
import sys
import clwork
saved = {str(tmp_path / "saved")!r}
mini = clwork.load_encoder("mini", device="cpu")
mini.save(saved)
for name in (saved, {str(bert_folder)!r}):
    clwork.load_encoder(name, device="cpu").encode(["a"])
assert "sentence_transformers" not in sys.modules
clwork.load_encoder({str(tmp_path / "theirs")!r}, device="cpu").encode(["a"])
assert "sentence_transformers" in sys.modules
print("requested:", requested)
"""
    environment = {name: value for name, value in os.environ.items() if name not in OFFLINE}
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED + code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.splitlines()[-1:] == ["requested: []"], done.stderr[-2000:]
