"""What the page of two encoders holds: weights in few bits that stand for the encoders', and clear refusals."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from transformers import BertConfig, BertModel

import clwork
from clwork import lab
from clwork.encoders import Encoder
from clwork.lab.encoder import page_encoder as room
from clwork.lab.encoder.weights import packed, rounded, tensors

from .small import TEXTS, moved

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def raw() -> Encoder:
    return clwork.load_encoder("mini")


@pytest.fixture(scope="module")
def trained(raw: Encoder) -> Encoder:
    return moved(raw)


def test_weights_are_few_bytes_and_stand_for_both_encoders(raw: Encoder, trained: Encoder) -> None:
    order, content = packed(raw, trained)
    assert len(content) < 8e6
    data = gzip.decompress(content)
    at = 0
    for told, (name, first, matrix), (_, second, _) in zip(order, tensors(raw), tensors(trained), strict=True):
        rows, columns = told["rows"], told["columns"]
        assert (told["name"], told["matrix"]) == (name, matrix)
        if not matrix:
            found = np.frombuffer(data, "<f4", 2 * columns, at).reshape(2, columns)
            assert np.array_equal(found, np.stack([first.ravel(), second.ravel()]))
            at += 8 * columns
            continue
        scales = np.frombuffer(data, "<f4", rows, at)[:, None]
        levels = np.frombuffer(data, np.int8, rows * columns, at + 4 * rows).reshape(rows, columns)
        at += rows * (4 + columns)
        steps = np.frombuffer(data, "<f4", rows, at)[:, None]
        pairs = np.frombuffer(data, np.uint8, rows * columns // 2, at + 4 * rows).reshape(rows, -1)
        at += rows * (4 + columns // 2)
        differences = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(rows, columns).astype(int) - 8
        assert (np.abs(levels * scales - first) <= 0.501 * scales + 1e-7).all()
        assert (np.abs(levels * scales + differences * steps - second) <= 0.501 * steps + 1e-7).all()
    assert at == len(data)


def test_a_row_of_zeros_has_no_scale() -> None:
    levels, scales = rounded(np.zeros((1, 3), dtype=np.float32), 127)
    assert levels.tolist() == [[0, 0, 0]] and scales.tolist() == [0]


def test_a_page_is_saved_beside_its_weights(raw: Encoder, trained: Encoder, tmp_path: Path) -> None:
    made = lab.page_encoder(trained, raw=raw, sentences=TEXTS)
    assert made.save(tmp_path / "there") == tmp_path / "there" / "index.html"
    files = sorted(path.name for path in (tmp_path / "there").iterdir())
    assert files[0] == "index.html" and len(files) == 1 + len(made._pieces)
    assert "script-src 'unsafe-inline' 'self' file:" in made.html and made._pieces[0] not in made.html
    assert made.names[0] == "mini, [CLS]" and "40 sentences" in repr(made)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file; name a folder"):
        made.save(tmp_path / "file")


def test_a_kernel_sends_the_piece_that_is_asked_for(raw: Encoder, trained: Encoder) -> None:
    made = lab.page_encoder(trained, raw=raw, sentences=TEXTS)
    widget = room.EncoderWidget(made._state, made._pieces)
    sent = list[object]()
    widget.send = sent.append
    for asked in ({"piece": 1}, {"piece": -1}, {"piece": len(made._pieces)}, {"piece": "1"}, None):
        widget._answer(widget, asked, [])
    assert sent == [{"piece": 1, "text": made._pieces[1]}]
    shown = made._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown[0] and "data:image/svg+xml" in shown[0]["text/html"]


def test_the_default_is_trained_once_and_a_run_shows_its_own(
    raw: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLWORK_HOME", str(tmp_path))
    monkeypatch.setattr(room, "STEPS", 2)
    first = lab.page_encoder(sentences=TEXTS)
    monkeypatch.setattr(room, "train", lambda *_, **__: pytest.fail("trained again"))
    again = lab.page_encoder(sentences=TEXTS)
    assert first._parts == again._parts
    assert first._parts[2]["vectors"] != first._parts[0]["vectors"]
    run = clwork.train("simcse", encoder=raw, sentences=TEXTS, steps=1, batch_size=4, folder=tmp_path / "run")
    for given in (run, tmp_path / "run"):
        assert lab.page_encoder(given, sentences=TEXTS).names[2] == "simcse, [CLS]"


def test_what_the_page_cannot_compute_is_refused(raw: Encoder, trained: Encoder) -> None:
    with pytest.raises(ValueError, match="2 different sentences were given; give 3 or more"):
        lab.page_encoder(trained, sentences=["a", "b", "a"])
    with pytest.raises(TypeError, match="give a run, its folder or an encoder"):
        lab.page_encoder(3)  # type: ignore[arg-type]
    config = BertConfig(
        vocab_size=8192, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
    )
    small = Encoder(BertModel(config), raw.tokenizer, name="small", pooling="mean")
    with pytest.raises(ValueError, match="'small' has other layers or another vocabulary than 'mini'"):
        lab.page_encoder(small, sentences=TEXTS)
    config.hidden_act = "relu"
    other = Encoder(BertModel(config), raw.tokenizer, name="other", pooling="mean")
    with pytest.raises(ValueError, match="'bert' with activation 'relu'; the page computes BERT's"):
        lab.page_encoder(other, sentences=TEXTS)
