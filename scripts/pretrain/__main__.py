"""``python -m scripts.pretrain CORPUS --out FOLDER``: pre-train a small BERT by masked words."""

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
from clwork.training.scores import read_sts
from scripts.pretrain.card import fill_masks, model_card
from scripts.pretrain.corpus import Packed, encode_text, pack, stretches, train_tokenizer
from scripts.pretrain.initialise import log_frequencies, ppmi_svd
from scripts.pretrain.late_masks import LateMasks
from scripts.pretrain.loop import PretrainConfig, build_model, pretrain
from scripts.pretrain.sources import documents

# Rows, in random order, that the warm start reads: 19 million pieces at 128 a row.
COUNTED = 150_000
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
    """Tokenizer, rows to train on, held-out rows, and their source.

    They are read from the work folder if an earlier call has written them.
    """
    tokenizer_folder = args.work / "tokenizer"
    train_file = args.work / "train.npz"
    held_out_file = args.work / "held_out.npz"
    corpus_file = args.work / "corpus.json"
    if train_file.exists() and held_out_file.exists() and corpus_file.exists():
        tokenizer = BertTokenizer.from_pretrained(tokenizer_folder)
        corpus = json.loads(corpus_file.read_text())
        return tokenizer, Packed.load(train_file), Packed.load(held_out_file), corpus
    if args.tokenizer:
        tokenizer = BertTokenizer.from_pretrained(args.tokenizer)
    else:
        every = (sentence for document in documents(args.corpus) for sentence in document)
        tokenizer = train_tokenizer(every, config.vocab_size, config.longest)
    train, held_out, count = pack_corpus(tokenizer, args.corpus, config)
    print(f"{len(train):,} rows of {config.pack_length}, {train.fill:.1%} filled")
    args.work.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(tokenizer_folder)
    train.save(train_file)
    held_out.save(held_out_file)
    # Without a path of this machine.
    text = Path(args.corpus).name
    source = {
        "text": text,
        "name": args.name or text,
        "licence": args.text_licence,
        "sentences": count,
    }
    corpus = {"sources": [source]}
    corpus_file.write_text(to_json(corpus))
    return tokenizer, train, held_out, corpus


def pack_corpus(
    tokenizer: BertTokenizer, corpus: str, config: PretrainConfig
) -> tuple[Packed, Packed, int]:
    """Rows to train on, rows held out (never trained on), and the number of sentences."""
    generator = np.random.default_rng(config.seed)
    text = encode_text(tokenizer, documents(corpus))
    # The shipped encoder's order of rows comes after these draws.
    generator.random(len(text.ends))
    share = min(0.1, config.held_out_rows * config.pack_length / len(text.ids))
    inputs = stretches(text, config.longest)
    shuffled = generator.permutation(len(inputs))
    chosen = set(shuffled[: round(share * len(inputs))].tolist())
    held_out = [stretch for k, stretch in enumerate(inputs) if k in chosen]
    train = [stretch for k, stretch in enumerate(inputs) if k not in chosen]
    order = generator.permutation(len(train))
    train_rows = pack([train[k] for k in order], config.pack_length)
    held_out_rows = pack(held_out, config.pack_length)
    return train_rows, held_out_rows, len(text.ends)


def scorer(
    folder: Path | None, tokenizer: BertTokenizer
) -> Callable[[BertForMaskedLM], dict[str, float]] | None:
    """Function that scores a model on the STS tasks in ``folder``; None without a folder."""
    if folder is None:
        return None
    tasks = read_sts(folder)

    def evaluator(model: BertForMaskedLM) -> dict[str, float]:
        raw = Encoder(model.bert, tokenizer, name="pre-training", pooling="mean")
        scores: dict[str, float] = {}
        for pooling in POOLINGS:
            values = metrics.sts(raw.with_pooling(pooling), tasks)
            scores |= {f"{task}_{pooling}": values[task] for task in tasks}
        return scores

    return evaluator


def warm_start(model: BertForMaskedLM, train: Packed, config: PretrainConfig) -> None:
    """Output bias from log frequencies; by default, token embeddings from co-occurrences.

    If ``config.start`` is the folder of an earlier ``--out``, all weights are those of it.
    """
    if Path(config.start).is_dir():
        model.load_state_dict(BertForMaskedLM.from_pretrained(config.start).state_dict())
        return
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
    device = torch.device(args.device)
    record = pretrain(
        model,
        train,
        held_out,
        config,
        checkpoint,
        device=device,
        precision=getattr(torch, args.precision),
        evaluator=scorer(args.sts, tokenizer),
    )

    if isinstance(model, LateMasks):
        model = model.without_extra_layers()
    # Half the size; it is loaded as float32.
    half = model.to("cpu", dtype=torch.float16)  # type: ignore[arg-type]
    half.save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    settings = {"config": asdict(config), "record": record, "versions": versions}
    (args.out / "pretrain.json").write_text(to_json(corpus | settings, indent=1) + "\n")
    if device.type == "cuda":
        hardware = torch.cuda.get_device_name(device)
    else:
        cores = f"{torch.get_num_threads()} CPU cores ({platform.machine()})"
        hardware = f"{cores}, {args.precision}"
    card = model_card(
        config=config,
        record=record,
        sources=corpus["sources"],
        licence=args.licence,
        name=args.out.name,
        filled=fill_masks(model.float(), tokenizer),  # type: ignore[no-untyped-call]
        millions=sum(p.numel() for p in model.parameters()) / 1e6,
        held_out_pieces=int((held_out.segments > 0).sum()),
        hardware=hardware,
    )
    (args.out / "README.md").write_text(card)
    print(f"held-out: {record['final']}\nwritten: {args.out}")


if __name__ == "__main__":
    main()
