"""Encoder folders that somebody made in bad faith, or that broke on the way: what was done to a good one, by name."""

from __future__ import annotations

import base64
import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import torch

Change = Callable[[Path, Path], None]  # of a folder, with another beside it that nobody may touch
KERNEL = "someone/kernel"


def edit(name: str, **values: Any) -> Change:
    def change(folder: Path, outside: Path) -> None:
        path = folder / name
        path.write_text(json.dumps(json.loads(path.read_text()) | values))

    return change


def write(name: str, content: str | bytes) -> Change:
    def change(folder: Path, outside: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    return change


def replace_text(name: str, old: str, new: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


def link_out(name: str, content: str | None = None) -> Change:
    """The file itself goes out, or one with this content is there, and a link in its place leads to it."""

    def change(folder: Path, outside: Path) -> None:
        path, target = folder / name, outside / Path(name).name
        path.parent.mkdir(exist_ok=True)
        if content is None:
            shutil.move(path, target)
        else:
            target.write_text(content)
        path.symlink_to(target)

    return change


def link(name: str, target: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return change


def folder_out(name: str, file: str, content: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        (outside / file).write_text(content)
        (folder / name).symlink_to(outside, target_is_directory=True)

    return change


def fifo(name: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    return change


def remove(*names: str) -> Change:
    def change(folder: Path, outside: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return change


def weights(alter: Callable[[dict[str, torch.Tensor]], object], name: str = "model.safetensors") -> Change:
    def change(folder: Path, outside: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(folder / name)
        alter(tensors)
        save_file(tensors, folder / name, {"format": "pt"})

    return change


def query(tensors: dict[str, torch.Tensor]) -> str:
    return next(name for name in tensors if name.endswith("layer.0.attention.self.query.weight"))


def poison(value: float) -> Callable[[dict[str, torch.Tensor]], object]:
    def alter(tensors: dict[str, torch.Tensor]) -> None:
        next(iter(tensors.values())).view(-1)[0] = value

    return alter


def too_large_a_number(tensors: dict[str, torch.Tensor]) -> None:
    tensors[query(tensors)] = torch.full((16, 16), 1e300, dtype=torch.float64)


def truncate(name: str, share: float) -> Change:
    def change(folder: Path, outside: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * share)])

    return change


def index(places: object) -> Change:
    def change(folder: Path, outside: Path) -> None:
        shutil.move(folder / "model.safetensors", outside / "model.safetensors")
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))

    return change


def larger_vocabulary(folder: Path, outside: Path) -> None:
    found = json.loads((folder / "tokenizer.json").read_text())
    found["model"]["vocab"] |= {f"extra{i}": 200 + i for i in range(100)}
    (folder / "tokenizer.json").write_text(json.dumps(found))


def ids_from_nowhere(folder: Path, outside: Path) -> None:
    found = json.loads((folder / "tokenizer.json").read_text())
    found["post_processor"]["special_tokens"]["[CLS]"]["ids"] = [99999]
    (folder / "tokenizer.json").write_text(json.dumps(found))


def sep_without_an_id(folder: Path, outside: Path) -> None:
    """The library in Rust panics, which Python does not count among its exceptions."""
    found = json.loads((folder / "tokenizer.json").read_text())
    found["post_processor"]["single"][0]["SpecialToken"]["id"] = "nobody"
    (folder / "tokenizer.json").write_text(json.dumps(found))


def only_special_words(folder: Path, outside: Path) -> None:
    found = json.loads((folder / "tokenizer.json").read_text())
    found["model"]["vocab"] = dict(list(found["model"]["vocab"].items())[:5])
    (folder / "tokenizer.json").write_text(json.dumps(found))


def writer(folder: Path, outside: Path) -> None:
    """GPT-2 with a padding token: it loads, and looks like an encoder."""
    import transformers

    sizes: dict[str, Any] = {"vocab_size": 71, "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 24}
    config = transformers.GPT2Config(bos_token_id=2, eos_token_id=3, pad_token_id=0, **sizes)
    transformers.GPT2Model(config).save_pretrained(folder)


NASTY: list[Any] = [
    None,
    True,
    0,
    -1,
    3,
    10**6,
    2**63,
    1.5,
    -1e308,
    "",
    "x",
    "../x",
    [],
    ["a"],
    {},
    {"a": 1},
    "A" * 9999,
]


def damage(folder: Path, random: Random) -> str:
    """One value of a JSON file, or some bytes of any file, become something else; returns what was done."""
    path = random.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    if path.suffix == ".json" and random.random() < 0.7:
        found = json.loads(path.read_text())
        steps: list[Any] = []
        place = found
        while isinstance(place, dict | list) and place and (not steps or random.random() < 0.7):
            above, step = place, random.choice([*place] if isinstance(place, dict) else range(len(place)))
            steps.append(step)
            place = above[step]
        above[step] = random.choice(NASTY)
        path.write_text(json.dumps(found))
        return f"{path.name} {steps} = {above[step]!r:.40}"
    content = bytearray(path.read_bytes())
    start = random.randrange(len(content))
    kind = random.choice(["cut", "change", "insert", "remove"])
    if kind == "change":
        content[start] ^= random.randrange(1, 256)
    else:
        end = {"cut": len(content), "insert": start, "remove": start + 9}[kind]
        content[start:end] = random.randbytes(9) if kind == "insert" else b""
    path.write_bytes(content)
    return f"{path.name} {kind} at {start}"


def note(**values: Any) -> Change:
    good = {"format": 1, "made_from": "x", "pooling": "mean", "first_layer": 1, "head": None, "files": []}
    return write("clwork.json", json.dumps(good | values))


def sequence(*rules: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": list(rules)}


def replaces(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def splits(regex: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def charsmap(text: bytes) -> str:
    """A table of letters as sentencepiece writes it, its first part empty."""
    return base64.b64encode((4).to_bytes(4, "little") + bytes(4) + text + b"\0").decode()


CONFIG, WEIGHTS, TOKENIZER, SETTINGS = "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"
NOT_SUCH = "weights .* are not of such a model; one of the two files is damaged or forged"
DAMAGED = r"is damaged JSON \({}.*\); take the file from its source again"

# of a plain BERT
HOSTILE: dict[str, tuple[Change, str]] = {
    **{
        f"{name} is a link out": (link_out(name), "is a link that leads out of its folder.*copy the file itself")
        for name in (CONFIG, WEIGHTS, TOKENIZER, SETTINGS)
    },
    **{
        f"{name} is a link to a stranger": (link_out(name, "{}"), "is a link that leads out of its folder")
        for name in ("clwork.json", "special_tokens_map.json", "vocab.txt", "adapter_config.json")
    },
    "1_Pooling is a link out": (folder_out("1_Pooling", CONFIG, '{"pooling_mode": "max"}'), "leads out of its folder"),
    "its pooling is a link out": (link_out("1_Pooling/config.json", '{"pooling_mode": "max"}'), "out of its folder"),
    "config.json is an endless device": (link(CONFIG, "/dev/zero"), "is a link that leads out of its folder"),
    "config.json leads in a circle": (link(CONFIG, CONFIG), "leads nowhere or in a circle; remove it"),
    "tokenizer.json leads nowhere": (link(TOKENIZER, "gone.json"), "leads nowhere or in a circle; remove it"),
    **{
        f"{name} is a FIFO": (fifo(name), "is no regular file but a FIFO, a socket or a device; remove it")
        for name in (
            CONFIG,
            WEIGHTS,
            TOKENIZER,
            SETTINGS,
            "clwork.json",
            "vocab.txt",
            "special_tokens_map.json",
            "chat_template.jinja",
            "additional_chat_templates/a.jinja",
            "1_Pooling/config.json",
        )
    },
    "JSON that is cut off": (truncate(CONFIG, 0.5), DAMAGED.format("")),
    "JSON in Latin-1": (write(CONFIG, b'{"a": "\xe9"}'), DAMAGED.format(".*utf-8")),
    "JSON that is a list": (write(CONFIG, "[]"), DAMAGED.format("it holds a list")),
    "deep JSON": (write(CONFIG, "[" * 100_000), DAMAGED.format("brackets nested deeper than 32")),
    "rather deep JSON": (edit(CONFIG, a=json.loads("[" * 90 + "]" * 90)), DAMAGED.format("brackets nested deeper")),
    "a number of 5,000 digits": (
        replace_text(CONFIG, '"vocab_size": 71', f'"vocab_size": {"9" * 5000}'),
        DAMAGED.format("a number of 5000"),
    ),
    "a number of 4,000 digits": (
        replace_text(CONFIG, '"vocab_size": 71', f'"vocab_size": {"9" * 4000}'),
        DAMAGED.format("a number of 4000"),
    ),
    "NaN in JSON": (replace_text(CONFIG, "1e-12", "NaN"), DAMAGED.format("NaN where a number should be")),
    "17 MB of JSON": (write(CONFIG, "{" + " " * (17 << 20) + "}"), "holds more than 16,777,216 bytes"),
    **{
        f"{key}={value:.0e}": (edit(CONFIG, **{key: int(value)}), f"says {key}={int(value)}, and its {NOT_SUCH}")
        for key, value in {
            "num_hidden_layers": 1e6,
            "hidden_size": 1e9,
            "vocab_size": 1e10,
            "intermediate_size": 1e9,
            "max_position_embeddings": 1e9,
            "num_labels": 1e8,
            "pad_token_id": 1e9,
            "type_vocab_size": 1e9,
        }.items()
    },
    "more layers than there are": (edit(CONFIG, num_hidden_layers=200), "lacks weights of its own model, such as"),
    "layers of layers": (
        edit(CONFIG, model_type="albert", num_hidden_groups=200, inner_group_num=200, embedding_size=16),
        "a model of far more parts than its weights have",
    ),
    "a table made number by number": (
        edit(CONFIG, model_type="distilbert", sinusoidal_pos_embds=True, dim=16, max_position_embeddings=131_072),
        NOT_SUCH,
    ),
    "architectures that are no names": (edit(CONFIG, architectures=[["a"]]), "architectures=.*must be a list of names"),
    "heads that do not divide": (edit(CONFIG, num_attention_heads=3), "cannot be loaded.*multiple.*attention heads"),
    "text for a number": (edit(CONFIG, layer_norm_eps="x"), "cannot be loaded.*layer_norm_eps"),
    "an unknown activation": (edit(CONFIG, hidden_act="nope"), "cannot be loaded.*nope"),
    "chunks that do not divide": (edit(CONFIG, chunk_size_feed_forward=7), "cannot encode a word"),
    "an unknown kind": (edit(CONFIG, model_type="homemade"), r"kind \('homemade'\).*without running code"),
    "no kind": (edit(CONFIG, model_type=None), r"kind \(None\).*without running code"),
    "a kernel of the hub": (edit(CONFIG, attn_implementation=KERNEL), "attn_implementation='someone/kernel': code"),
    "a hidden kernel": (edit(CONFIG, _attn_implementation=KERNEL), "code from elsewhere, which clwork never runs"),
    "kernels by part": (edit(CONFIG, attn_implementation={"": KERNEL}), "code from elsewhere, which clwork never runs"),
    "a kernel further in": (edit(CONFIG, text_config={"attn_implementation": KERNEL}), "code from elsewhere"),
    "experts of the hub": (edit(CONFIG, experts_implementation=KERNEL), "code from elsewhere, which clwork never runs"),
    "quantised": (edit(CONFIG, quantization_config={"quant_method": "gptq"}), "'quantization_config', which clwork"),
    "fused": (edit(CONFIG, fusion_config={"x": 1}), "'fusion_config', which clwork does not follow"),
    "weights elsewhere": (edit(CONFIG, transformers_weights="../outside/a.safetensors"), "'transformers_weights'"),
    "a decoder by its word": (edit(CONFIG, is_decoder=True), r"\(bert\) is a decoder.*give an encoder"),
    "a decoder by its head": (edit(CONFIG, architectures=["BertLMHeadModel"]), r"\(bert\) is a decoder"),
    "a decoder by its kind": (writer, r"\(gpt2\) is a decoder.*give an encoder, such as a BERT"),
    "NaN among the weights": (weights(poison(float("nan"))), r"hold NaN or infinity: 1 of \d+ numbers of .*a copy"),
    "infinity among the weights": (weights(poison(float("inf"))), "hold NaN or infinity: 1 of"),
    "a weight beyond float32": (weights(too_large_a_number), r"hold NaN or infinity: 256 of 256 numbers of .*query"),
    "8-bit weights": (weights(lambda t: t.update({query(t): t[query(t)].to(torch.int8)})), "as I8: quantised weights"),
    "a weight of another shape": (
        weights(lambda t: t.update({query(t): t[query(t)][:8].clone()})),
        r"query.weight of shape \(8, 16\), config.json describes \(16, 16\)",
    ),
    "a weight too small for its config": (
        edit(CONFIG, intermediate_size=64),
        r"intermediate.dense.* of shape \(32,( 16)?\), config.json describes \(64,",
    ),
    "a missing weight": (weights(lambda t: t.pop(query(t))), "lacks weights of its own model.*query.weight"),
    "truncated weights": (truncate(WEIGHTS, 0.5), "is no whole safetensors file.*copy or download it again"),
    "weights cut in the header": (truncate(WEIGHTS, 0.01), "is no whole safetensors file"),
    "no weights but a name": (write(WEIGHTS, b""), "is no whole safetensors file"),
    "a header of 2^60 bytes": (write(WEIGHTS, struct.pack("<Q", 1 << 60) + b"{}"), "is no whole safetensors file"),
    "a pointer in place of weights": (write(WEIGHTS, "version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"),
    "no tokenizer at all": (remove(TOKENIZER, SETTINGS), "has no tokenizer: no file of it holds words"),
    "a tokenizer without words": (remove(TOKENIZER), "has no tokenizer: no file of it holds words"),
    "a tokenizer of special words": (only_special_words, "has no tokenizer: no file of it holds words"),
    "a damaged tokenizer": (write(TOKENIZER, "{"), "cannot be loaded"),
    "a deep tokenizer": (write(TOKENIZER, '{"a":' + "[" * 100_000), "cannot be loaded"),
    "a tokenizer of 65 MB": (write(TOKENIZER, b" " * (65 << 20)), "bytes, more than a tokenizer can need"),
    "settings that are a list": (write(SETTINGS, "[]"), DAMAGED.format("it holds a list")),
    "more words than rows": (larger_vocabulary, r"ids up to 299 \('extra99' has 299\), its embeddings 71 rows"),
    "a tokenizer that grows text": (
        edit(TOKENIZER, normalizer=sequence(*[replaces({"String": "a"}, "a" * 10)] * 6)),
        "1e\\+06 times as long",
    ),
    "a tokenizer that fills gaps": (
        edit(TOKENIZER, normalizer=sequence(*[replaces({"String": ""}, "x")] * 9)),
        "puts 'x' in place of",
    ),
    "a tokenizer that adds a book": (
        edit(TOKENIZER, normalizer={"type": "Prepend", "prepend": "x" * 10**6}),
        "rule of the kind 'Prepend' that puts",
    ),
    "a tokenizer of many rules": (edit(TOKENIZER, normalizer=sequence(*[{"type": "NFC"}] * 1000)), "has 1001 rules"),
    "bytes of bytes of bytes": (
        edit(TOKENIZER, normalizer=sequence(*[{"type": "ByteLevel"}] * 30)),
        "may make a text 1.07e\\+09 times as long",
    ),
    "a letter that becomes a book": (
        edit(TOKENIZER, normalizer={"type": "Precompiled", "precompiled_charsmap": charsmap(b"x" * 10**6)}),
        "a table of letters in which one becomes",
    ),
    "a tokenizer without an end": (edit(TOKENIZER, pre_tokenizer=splits("(a+)+$")), "a regular expression of its own"),
    "an endless rule of a decoder": (
        edit(TOKENIZER, decoder=replaces({"Regex": "(a+)+$"}, "")),
        "a regular expression of its own",
    ),
    "a rule of an unknown kind": (edit(TOKENIZER, normalizer={"type": "Shell"}), "a rule of the kind 'Shell'"),
    "a book around each sentence": (
        edit(TOKENIZER, post_processor={"type": "TemplateProcessing", "single": [{}] * 99, "pair": []}),
        "more than 64 tokens around each sentence",
    ),
    "300,000 keys": (edit(CONFIG, **{f"k{number}": 0 for number in range(300_000)}), "300,0.. keys in one place"),
    "a tokenizer that panics": (sep_without_an_id, "cannot be loaded: its files do not describe"),
    "ids from nowhere": (ids_from_nowhere, "ids up to 99999.*its embeddings 71 rows"),
    "a model as the tokenizer": (edit(SETTINGS, tokenizer_class="BertModel"), "'BertModel' as its tokenizer's class"),
    "a tokenizer that asks": (edit(SETTINGS, tokenizer_class="AutoTokenizer"), "'AutoTokenizer' as its tokenizer's"),
    "a model as config's tokenizer": (edit(CONFIG, tokenizer_class="Trainer"), "'Trainer' as its tokenizer's class"),
    "a tokenizer from a file": (edit(SETTINGS, init_inputs=["/etc/passwd"]), "init_inputs.*may name files elsewhere"),
    "a dictionary elsewhere": (edit(SETTINGS, mecab_kwargs={"mecab_option": "-d /x"}), "may name files elsewhere"),
    "a path in the settings": (edit(SETTINGS, sudachi_config_path="/x"), "sudachi_config_path.*may name files"),
    "versions of a tokenizer": (edit(SETTINGS, fast_tokenizer_files=["../tokenizer.1.0.json"]), "not one beside it"),
    "no places": (edit(SETTINGS, model_max_length=-5), "model_max_length=-5; it must be a number of 3 or more"),
    "places in words": (edit(SETTINGS, model_max_length="x"), "model_max_length='x'; it must be a number"),
    "no padding": (edit(SETTINGS, pad_token=None), "has no padding token; give an encoder"),
    "a pooling of no name": (write("1_Pooling/config.json", '{"pooling_mode": ["mean"]}'), "name a pooling yourself"),
    "a pooling in a list": (write("1_Pooling/config.json", "[1]"), DAMAGED.format("it holds a list")),
    "a shard that is a pickle": (index({"a": "pytorch_model.bin"}), "'pytorch_model.bin'; shards are plain"),
    "a shard elsewhere": (index({"a": "../outside/model.safetensors"}), "shards are plain .*safetensors files"),
    "a shard by its whole path": (index({"a": "/etc/passwd"}), "'/etc/passwd'; shards are plain"),
    "a shard that is not there": (index({"a": "a.safetensors"}), "names a.safetensors, which is not there"),
    "an index that is a list": (index([1]), "has no 'weight_map'"),
    "an index of numbers": (index({"a": 1}), "has no 'weight_map'"),
    "2,000 shards": (index({str(i): f"{i}.safetensors" for i in range(2000)}), "names 2,000 files, more than 1,024"),
    "a note of another pooling": (note(pooling="nope"), 'clwork.json is damaged .pooling: not one of .*got "nope"'),
    "a note of layer 10^9": (note(first_layer=10**9), "clwork.json is damaged .first_layer"),
    "a note with a wide head": (
        note(head={"kind": "projection", "dim": 10**9, "out": 10**5, "activation": "tanh"}),
        "damaged .head.dim.*65536",
    ),
    "a note with an odd head": (
        note(head={"kind": "projection", "dim": 16, "out": 4, "activation": "__class__"}),
        "damaged .head.activation",
    ),
    "a note about files elsewhere": (note(files=["../../thesis.txt"]), "damaged .files.0: not a plain file name"),
    "a note of format '1'": (note(format="1"), "damaged .format: Input should be a valid integer"),
    "a note of more": (note(command="rm"), "damaged .command"),
    "a note without its head": (
        note(head={"kind": "projection", "dim": 16, "out": 4, "activation": "tanh"}),
        "the head .* is missing",
    ),
}

# of an encoder that clwork saved, with a head of width 7
HEAD = "head.safetensors"
HOSTILE_SAVED: dict[str, tuple[Change, str]] = {
    "head is a link out": (link_out(HEAD), "is a link that leads out of its folder"),
    "head is a FIFO": (fifo(HEAD), "is no regular file but a FIFO"),
    "head is truncated": (truncate(HEAD, 0.5), "is no whole safetensors file"),
    "head of NaN": (weights(poison(float("nan")), HEAD), "hold NaN or infinity"),
    "head of another shape": (
        replace_text("clwork.json", '"out": 7', '"out": 65000'),
        r"of shape \(7, 16\), its .* says \(65000, 16\)",
    ),
    "head with more": (weights(lambda t: t.update(x=torch.ones(1)), HEAD), "holds a tensor 'x' that its description"),
    "a layer that is not there": (replace_text("clwork.json", '"first_layer": 0', '"first_layer": 9'), "cannot encode"),
}

# of a saved TextCNN over a file of word vectors, with three filters each of one and two words
NOT_VECTORS = "names as its word vectors, holds none; put the file"
HOSTILE_TEXTCNN: dict[str, tuple[Change, str]] = {
    "vectors are a FIFO": (fifo("few.txt"), "is no regular file but a FIFO"),
    "vectors are a link out": (link_out("few.txt", "a 1 2\n"), "is a link that leads out of its folder"),
    "vectors are a system's file": (edit(CONFIG, vectors="/etc/passwd"), NOT_VECTORS),
    "vectors are a device": (edit(CONFIG, vectors="/dev/zero"), NOT_VECTORS),
    "other vectors": (write("few.txt", "the 1 2 3 4 5 6\n"), "was trained on other word vectors than"),
    "10^6 regions": (edit(CONFIG, regions=[1] * 10**6), "is damaged .regions: List should have at most 1024"),
    "a region of 10^9 words": (edit(CONFIG, regions=[10**9]), "is damaged .regions.0"),
    "10^9 filters": (edit(CONFIG, filters=10**9), "is damaged .filters"),
    "more filters than there are": (edit(CONFIG, filters=60_000), "its description says .60000, 6, 1"),
    "more regions than there are": (edit(CONFIG, regions=[1] * 1000), "its description says"),
    "filters of NaN": (weights(poison(float("nan"))), "hold NaN or infinity"),
    "text for a switch": (
        edit(CONFIG, attention="yes"),
        "is damaged .attention[.a-z]*: Input should be a valid boolean",
    ),
    "a field too many": (edit(CONFIG, code="evil"), "is damaged .code"),
    "no filters": (remove(WEIGHTS), "has no model.safetensors"),
}
