"""``python -m clwork.pretrain CORPUS --out FOLDER``: pre-train a small BERT as a masked language model."""

from __future__ import annotations

import argparse
import json
import platform
from dataclasses import asdict, fields
from pathlib import Path

import torch
from transformers import BertForMaskedLM, BertTokenizer

from clwork import data
from clwork.pretrain.card import fill_masks, model_card
from clwork.pretrain.corpus import Packed, encode_ids, pack, train_tokenizer
from clwork.pretrain.initialise import log_frequencies, ppmi_svd
from clwork.pretrain.loop import PretrainConfig, build_model, pretrain


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line; every field of :class:`PretrainConfig` is an option."""
    parser = argparse.ArgumentParser(prog="python -m clwork.pretrain", description=__doc__)
    parser.add_argument("corpus", help="anything clwork.data.sentences reads: 'wikipedia-mini', a file, a hub dataset")
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished encoder")
    parser.add_argument("--work", type=Path, help="folder of the checkpoint; run again to resume (default: OUT.work)")
    parser.add_argument("--corpus-name", help="how the model card calls the corpus (default: CORPUS)")
    parser.add_argument("--licence", default="unknown", help="licence of the text, as the card states it")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="bfloat16")
    for field in fields(PretrainConfig):
        kind = type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
    return parser.parse_args(argv)


def prepare(args: argparse.Namespace, config: PretrainConfig) -> tuple[BertTokenizer, Packed, Packed, int]:
    """Tokenizer and packed rows, read from the work folder where an earlier call left them."""
    stored = args.work / "tokenizer"
    files = args.work / "train.npz", args.work / "held_out.npz", args.work / "corpus.json"
    if all(path.exists() for path in files):
        tokenizer = BertTokenizer.from_pretrained(stored)
        return tokenizer, Packed.load(files[0]), Packed.load(files[1]), json.loads(files[2].read_text())["sentences"]
    sentences = list(data.sentences(args.corpus))
    print(f"{len(sentences):,} sentences; learning {config.vocab_size:,} word pieces")
    tokenizer = train_tokenizer(sentences, config.vocab_size, config.pack_length)
    ids = encode_ids(tokenizer, sentences, config.pack_length)
    order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(config.seed)).tolist()
    packed = pack([ids[i] for i in order], config.pack_length)
    print(f"{len(packed):,} rows of {config.pack_length}, {packed.fill:.1%} filled")
    cut = min(config.held_out_rows, len(packed) // 10)
    held_out = Packed(packed.ids[:cut], packed.segments[:cut], packed.positions[:cut])
    train = Packed(packed.ids[cut:], packed.segments[cut:], packed.positions[cut:])
    args.work.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(stored)
    train.save(files[0])
    held_out.save(files[1])
    files[2].write_text(json.dumps({"sentences": len(sentences)}))
    return tokenizer, train, held_out, len(sentences)


def warm_start(model: BertForMaskedLM, train: Packed, config: PretrainConfig) -> None:
    """Token embeddings from co-occurrences, output bias from log frequencies."""
    table = ppmi_svd(train, config.vocab_size, config.dim, config.embedding_std, config.seed)
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight.copy_(torch.from_numpy(table))
        model.cls.predictions.bias.copy_(torch.from_numpy(log_frequencies(train, config.vocab_size)))


def main(argv: list[str] | None = None) -> None:
    """Pre-train, then write encoder, tokenizer, record and model card to ``--out``."""
    args = arguments(argv)
    args.work = args.work or args.out.with_name(args.out.name + ".work")
    config = PretrainConfig(**{field.name: getattr(args, field.name) for field in fields(PretrainConfig)})
    tokenizer, train, held_out, sentences = prepare(args, config)
    model = build_model(config)
    checkpoint = args.work / "checkpoint.safetensors"
    if not checkpoint.exists():
        print("warm start of the token embeddings")
        warm_start(model, train, config)
    device, precision = torch.device(args.device), getattr(torch, args.precision)
    record = pretrain(model, train, held_out, config, checkpoint, device=device, precision=precision)

    half = model.to("cpu", dtype=torch.float16)  # type: ignore[arg-type]
    half.save_pretrained(args.out)  # half the size; loaded as float32
    tokenizer.save_pretrained(args.out)
    corpus = args.corpus_name or args.corpus
    (args.out / "pretrain.json").write_text(
        json.dumps({"corpus": corpus, "config": asdict(config), "record": record}, indent=1) + "\n"
    )
    hardware = (
        torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else f"{torch.get_num_threads()} CPU cores ({platform.machine()}), {args.precision} autocast"
    )
    held_sentences = int(held_out.segments.max(1).sum())
    filled = fill_masks(model.float(), tokenizer)  # type: ignore[no-untyped-call]
    card = model_card(
        config=config,
        record=record,
        filled=filled,
        millions=sum(p.numel() for p in model.parameters()) / 1e6,
        corpus=corpus,
        sentences=sentences - held_sentences,
        held_out_sentences=held_sentences,
        licence=args.licence,
        hardware=hardware,
    )
    (args.out / "README.md").write_text(card)
    print(f"held-out: {record['final']}\nwritten: {args.out}")


if __name__ == "__main__":
    main()
