"""``python -m scripts.pretrain CORPUS --out FOLDER``: pre-train a small BERT as a masked language model."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from transformers import BertForMaskedLM, BertTokenizer

from clwork import metrics
from clwork.disk import to_json
from clwork.encoders import Encoder
from clwork.training.validation import read_sts
from scripts.pretrain.card import fill_masks, model_card
from scripts.pretrain.corpus import Packed, encode_text, pack, stretches, train_tokenizer
from scripts.pretrain.initialise import log_frequencies, ppmi_svd
from scripts.pretrain.late_masks import LateMasks
from scripts.pretrain.loop import PretrainConfig, build_model, pretrain
from scripts.pretrain.sources import documents

COUNTED = (
    150_000  # rows, in random order, that the warm start reads: 19 million pieces at 128 a row
)
POOLINGS = ("cls_before_pooler", "mean", "first_last")


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line; every field of :class:`PretrainConfig` is an option."""
    parser = argparse.ArgumentParser(prog="python -m scripts.pretrain", description=__doc__)
    parser.add_argument(
        "corpus", help="a .txt(.gz) with blank lines between documents, or a clwork.data.sentences"
    )
    parser.add_argument("--name", help="of the corpus, for the record (default: CORPUS)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished encoder")
    parser.add_argument(
        "--work",
        type=Path,
        help="folder of the checkpoint; run again to resume (default: OUT.work)",
    )
    parser.add_argument(
        "--tokenizer", type=Path, help="folder of a tokenizer; default: learn one of the corpus"
    )
    parser.add_argument("--licence", default="unknown", help="licence of the weights")
    parser.add_argument("--text-licence", default="unknown", help="licence of the corpus")
    parser.add_argument(
        "--sts", type=Path, help="folder of STS validation data: raw scores join the curve"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    for field in fields(PretrainConfig):
        kind = type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
    return parser.parse_args(argv)


def prepare(
    args: argparse.Namespace, config: PretrainConfig
) -> tuple[BertTokenizer, Packed, Packed, dict[str, Any]]:
    """Tokenizer, packed rows and their source, from the work folder if an earlier call has written them."""
    stored = args.work / "tokenizer"
    files = args.work / "train.npz", args.work / "held_out.npz", args.work / "corpus.json"
    if all(path.exists() for path in files):
        tokenizer = BertTokenizer.from_pretrained(stored)
        return (
            tokenizer,
            Packed.load(files[0]),
            Packed.load(files[1]),
            json.loads(files[2].read_text()),
        )
    if args.tokenizer:
        tokenizer = BertTokenizer.from_pretrained(args.tokenizer)
    else:
        every = (sentence for document in documents(args.corpus) for sentence in document)
        tokenizer = train_tokenizer(every, config.vocab_size, config.longest)
    train, held_out, count = pack_corpus(tokenizer, args.corpus, config)
    print(f"{len(train):,} rows of {config.pack_length}, {train.fill:.1%} filled")
    args.work.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(stored)
    train.save(files[0])
    held_out.save(files[1])
    text = Path(args.corpus).name  # without a path of this machine
    source = {
        "text": text,
        "name": args.name or text,
        "licence": args.text_licence,
        "sentences": count,
    }
    corpus = {"sources": [source]}
    files[2].write_text(to_json(corpus))
    return tokenizer, train, held_out, corpus


def pack_corpus(
    tokenizer: BertTokenizer, corpus: str, config: PretrainConfig
) -> tuple[Packed, Packed, int]:
    """Rows to train on, rows held out (never trained on), and the number of sentences."""
    generator = np.random.default_rng(config.seed)
    text = encode_text(tokenizer, documents(corpus))
    generator.random(len(text.ends))  # the shipped encoder's order of rows comes after these draws
    share = min(0.1, config.held_out_rows * config.pack_length / len(text.ids))
    inputs = stretches(text, config.longest)
    chosen = set(generator.permutation(len(inputs))[: round(share * len(inputs))].tolist())
    held_out = [stretch for k, stretch in enumerate(inputs) if k in chosen]
    train = [stretch for k, stretch in enumerate(inputs) if k not in chosen]
    order = generator.permutation(len(train))
    return (
        pack([train[k] for k in order], config.pack_length),
        pack(held_out, config.pack_length),
        len(text.ends),
    )


def scorer(
    folder: Path | None, tokenizer: BertTokenizer
) -> Callable[[BertForMaskedLM], dict[str, float]] | None:
    """Function that scores a model under three poolings on the STS tasks in ``folder``; None without a folder."""
    if folder is None:
        return None
    tasks = read_sts(folder)

    def evaluator(model: BertForMaskedLM) -> dict[str, float]:
        raw = Encoder(model.bert, tokenizer, name="pre-training", pooling="mean")
        scores = {pooling: metrics.sts(raw.with_pooling(pooling), tasks) for pooling in POOLINGS}
        return {f"{task}_{pooling}": of[task] for pooling, of in scores.items() for task in tasks}

    return evaluator


def warm_start(model: BertForMaskedLM, train: Packed, config: PretrainConfig) -> None:
    """Output bias from log frequencies and, with ``start="cooccurrence"``, token embeddings from co-occurrences."""
    counted = train.rows(0, COUNTED)
    with torch.no_grad():
        if config.start == "cooccurrence":
            table = ppmi_svd(
                counted, config.vocab_size, config.dim, config.embedding_std, config.seed
            )
            model.bert.embeddings.word_embeddings.weight.copy_(torch.from_numpy(table))
        model.cls.predictions.bias.copy_(
            torch.from_numpy(log_frequencies(counted, config.vocab_size))
        )


def main(argv: list[str] | None = None) -> None:
    """Pre-train, then write encoder, tokenizer, record and model card to ``--out``."""
    args = arguments(argv)
    args.work = args.work or args.out.with_name(args.out.name + ".work")
    config = PretrainConfig(
        **{field.name: getattr(args, field.name) for field in fields(PretrainConfig)}
    )
    tokenizer, train, held_out, corpus = prepare(args, config)
    model = build_model(config)
    checkpoint = args.work / "checkpoint.safetensors"
    if not checkpoint.exists():
        warm_start(model, train, config)
    device, precision = torch.device(args.device), getattr(torch, args.precision)
    evaluator = scorer(args.sts, tokenizer)
    record = pretrain(
        model,
        train,
        held_out,
        config,
        checkpoint,
        device=device,
        precision=precision,
        evaluator=evaluator,
    )

    if isinstance(model, LateMasks):
        model = model.without_extra_layers()
    half = model.to("cpu", dtype=torch.float16)  # type: ignore[arg-type]
    half.save_pretrained(args.out)  # half the size; loaded as float32
    tokenizer.save_pretrained(args.out)
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    (args.out / "pretrain.json").write_text(
        to_json(
            corpus | {"config": asdict(config), "record": record, "versions": versions}, indent=1
        )
        + "\n"
    )
    hardware = (
        torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else f"{torch.get_num_threads()} CPU cores ({platform.machine()}), {args.precision}"
    )
    card = model_card(
        config=config,
        record=record,
        sources=corpus["sources"],
        licence=args.licence,
        filled=fill_masks(model.float(), tokenizer),  # type: ignore[no-untyped-call]
        millions=sum(p.numel() for p in model.parameters()) / 1e6,
        held_out_pieces=int((held_out.segments > 0).sum()),
        hardware=hardware,
    )
    (args.out / "README.md").write_text(card)
    print(f"held-out: {record['final']}\nwritten: {args.out}")


if __name__ == "__main__":
    main()
