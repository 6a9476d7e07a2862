"""Arguments that every public function takes, for a sweep that makes one of them bad at a time."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

import clwork
from clwork import data, lab, metrics, views
from clwork.encoders import Tokens

TEXTS = ["the cat sat", "a dog ran", "the dog sat", "a mat far", "on the cat", "dog and cat"]
LABELS = ["a", "b", "a", "b", "a", "b"]
DRAW = np.random.default_rng(0)
X, Y = DRAW.standard_normal((2, 6, 8)).astype(np.float32)
PLANE, SPACE = X[:, :2], X[:, :3]
Z1, Z2, Z3 = (torch.randn(4, 8, generator=torch.Generator().manual_seed(k)) for k in range(3))
STATES = torch.randn(3, 2, 5, 8, generator=torch.Generator().manual_seed(3))  # layers, sentences, pieces, width
MASK = torch.ones(2, 5)
ROWS = [{"step": s, "loss": 2.0 - s / 9, "alignment": 0.5, "uniformity": -1.0 - s / 9} for s in range(5)]
SCORES = {"a": [1.0, 2.0, 4.0], "b": [2.0, 5.0, 5.5]}
SENTENCE = Tokens([2, 7, 8, 9, 10, 3], [-1, 0, 1, 1, 2, -1])


def seeded() -> torch.Generator:
    """A fresh generator."""
    return torch.Generator().manual_seed(0)


def draw(**more: Any) -> dict[str, Any]:
    """Arguments with a fresh generator."""
    return {**more, "generator": seeded()}


class Workshop:
    """A small encoder, a run that has ended and boards over it, in a folder of its own."""

    def __init__(self, place: Path, encoder: Path) -> None:
        """``encoder`` is the folder of a small one."""
        self.place, self._numbers = place, itertools.count()
        self.tiny = str(encoder)
        self.short: dict[str, Any] = {
            "encoder": self.tiny,
            "sentences": TEXTS * 3 + ["far"],
            "batch_size": 4,
            "probe_every": 2,
            "steps": 2,
            "device": "cpu",
            "precision": "float32",
        }
        self.encoder = clwork.load_encoder(self.tiny, device="cpu")
        self.run = clwork.start("simcse", folder=place / "run", name="run", **self.short).wait()
        self.stored = clwork.open_run(self.run.folder)
        self.player = lab.player("simcse")
        self.forces = lab.forces(self.run)
        self.panel = lab.panel("simcse", encoder=self.tiny, sentences=TEXTS, steps=2)
        self.playground = lab.playground(TEXTS, encoder=self.tiny, sentences=TEXTS, searched=10)
        self.playground.compare()
        self.sweep = clwork.sweep("simcse", seeds=1, temperature=[0.1], **{**self.short, "steps": 1})
        self.playground.wait()
        self.sweep.wait()
        self.basis = views.PcaBasis.fit(X)
        self.axes = views.common_axes({"a": X, "b": Y})
        self.sts = place / "sts"
        rows = [{"sentence1": a, "sentence2": b, "score": 1.0} for a, b in itertools.pairwise(TEXTS)]
        self._write(self.sts / "stsb" / "validation.jsonl", rows)
        self.transfer = place / "transfer"
        rows = [{"text": f"{text} {k}", "label": k % 2} for k, text in enumerate(TEXTS * 5)]
        self._write(self.transfer / "mr" / "all.jsonl", rows)

    def fresh(self) -> Path:
        """A place where nothing is."""
        return self.place / f"fresh-{next(self._numbers)}"

    @functools.cached_property
    def objects(self) -> dict[str, Any]:
        """By class, an object whose methods are swept."""
        return {
            "Cloud": clwork.lab.cloud(X),
            "Encoder": self.encoder,
            "Evidence": clwork.lab.evidence(),
            "ForceView": self.forces,
            "PcaBasis": self.basis,
            "Player": self.player,
            "Panel": self.panel,
            "Playground": self.playground,
            "Sweep": self.sweep,
            "Run": self.run,
            "Stored": self.stored,
            "RunColumns": views.RunColumns(ROWS),
        }

    @functools.cached_property
    def good(self) -> dict[str, Callable[[], dict[str, Any]]]:
        """By function, arguments that it takes; those that may be left out are, but for what others rest on."""
        short = self.short
        z = {"z1": Z1, "z2": Z2}
        noise = torch.zeros(2, 8) + 0.1
        task = SimpleNamespace(sentences1=TEXTS[:5], sentences2=TEXTS[1:], scores=[1.0, 2, 3, 4, 5], subsets=None)
        labelled = data.Labelled(TEXTS * 10, LABELS * 10)
        return {
            "augmenters.ascend_noise": lambda: {**z, "noise": noise},
            "augmenters.background_noise": lambda: draw(vectors=Z1),
            "augmenters.beta_rel": lambda: {"step_size": 1e-3, "steps": 4, "sigma": 1.0, "dim": 8},
            "augmenters.crop": lambda: draw(tokens=SENTENCE, rate=0.1),
            "augmenters.cutoff": lambda: draw(embeddings=STATES[0], mask=MASK, kind="token", rate=0.1),
            "augmenters.delete_one_word": lambda: draw(tokens=SENTENCE),
            "augmenters.delete_words": lambda: draw(tokens=SENTENCE, rate=0.1),
            "augmenters.eda": lambda: draw(sentence="A big dog ran home.", rate=0.1),
            "augmenters.exchange_synonyms": lambda: draw(sentence="A big dog ran home.", rate=0.1),
            "augmenters.fourier": lambda: {"vectors": Z1},
            "augmenters.gaussian_noise": lambda: draw(shape=(2, 8)),
            "augmenters.gaussian_white_noise": lambda: draw(vectors=Z1),
            "augmenters.noise_negatives": lambda: draw(**z, count=2),
            "augmenters.perturb": lambda: draw(vectors=Z1, kind="radial"),
            "augmenters.pwva": lambda: draw(vectors=STATES[0], mask=MASK),
            "augmenters.random_zeros": lambda: draw(vectors=Z1),
            "augmenters.shuffle_tokens": lambda: draw(tokens=SENTENCE),
            "augmenters.slots": lambda: {"sentence": "A big dog."},
            "augmenters.step_size_for": lambda: {"relative": 0.1, "steps": 4, "sigma": 1.0, "dim": 8},
            "augmenters.swap_word": lambda: draw(sentence="A big dog."),
            "data.check_examples": lambda: {"given": TEXTS},
            "data.remember_sts": lambda: {"folder": self.sts},
            "data.sts_pairs": lambda: {"task": "stsb", "source": self.sts},
            "data.transfer_tasks_in": lambda: {"root": self.transfer},
            "data.transfer_task": lambda: {"task": "mr", "source": self.transfer},
            "encoders.base_of": lambda: {"encoder": self.tiny},
            "encoders.encode_corpus": lambda: {
                "encoder": self.encoder,
                "source": TEXTS,
                "out": self.fresh().with_suffix(".npy"),
                "progress": False,
            },
            "encoders.load_encoder": lambda: {"name": self.tiny, "device": "cpu"},
            "encoders.one_layer": lambda: draw(layers=STATES[:, :, 0].transpose(0, 1), sampler="uniform"),
            "encoders.pool": lambda: {"hidden_states": list(STATES), "mask": MASK, "pooling": "mean"},
            "encoders.pool_layers": lambda: {"hidden_states": list(STATES), "mask": MASK, "pooling": "mean"},
            "encoders.wk_pool": lambda: {"hidden_states": list(STATES), "mask": MASK},
            "encoders.readings": lambda: {"encoder": self.encoder, "texts": TEXTS},
            "encoders.token_sample": lambda: draw(encoder=self.encoder, texts=TEXTS),
            "encoders.word_attention": lambda: {"vectors": STATES[0], "mask": MASK},
            "encoders.word_importance": lambda: {"vectors": STATES[0], "mask": MASK},
            "lab.at_full_scale": lambda: {"wanted": False},
            "lab.cloud": lambda: {"vectors": X},
            "lab.evidence": dict,
            "lab.forces": lambda: {"run": self.run},
            "lab.linked": lambda: {"clouds": {"a": X, "b": Y}, "texts": TEXTS},
            "lab.panel": lambda: {"encoder": self.tiny},
            "lab.player": lambda: {"run": "simcse"},
            "lab.playground": lambda: {"encoder": self.tiny},
            "lab.desk": lambda: {"folder": self.place},
            "losses.dclr": lambda: dict(z),
            "losses.gradient_shares": lambda: {**z, "noise": noise},
            "losses.softmax_mass": lambda: dict(z),
            "losses.simcse": lambda: dict(z),
            "losses.simcse_scores": lambda: dict(z),
            "losses.dclr_scores": lambda: {**z, "noise": noise},
            "losses.distillation": lambda: {**z, "teacher": torch.eye(4)},
            "losses.gclsr": lambda: {"p1": Z1, "z2": Z2, "p2": Z2, "z1": Z3, "group_dim": 4},
            "losses.info_nce": lambda: {"anchors": Z1, "candidates": Z2},
            "losses.info_nce_scores": lambda: {"anchors": Z1, "candidates": Z2},
            "losses.instance_weights": lambda: {"similarities": torch.eye(4)},
            "losses.long_span": lambda: {"anchor": Z1, "positive": Z2, "negative": Z3},
            "losses.long_span_scores": lambda: {"anchor": Z1, "positive": Z2, "negative": Z3},
            "losses.mocoutrl": lambda: {
                "anchor": Z1,
                "positive": Z2,
                "negative": Z3,
                "token_label": Z1,
                "token_positive": Z2,
                "token_negative": Z3,
            },
            "losses.self_guided": lambda: {"c": Z1, "h": Z2, "form": "opt1"},
            "losses.self_guided_scores": lambda: {"c": Z1, "h": Z2, "form": "opt1"},
            "losses.token_level": lambda: {"label": Z1, "positive": Z2, "negative": Z3},
            "claims.get": lambda: {"name": "simcse/dropout-against-none"},
            "methods.config": lambda: {"name": "simcse"},
            "methods.get": lambda: {"name": "simcse"},
            "methods.fields": lambda: {"config": clwork.methods.config("simcse")},
            **{
                f"metrics.{name}": lambda: {"x": X}
                for name in (
                    "diagnose",
                    "effective_rank",
                    "mean_cosine",
                    "odd_one_out",
                    "similarity_sum",
                    "singular_values",
                    "std_sqrt_d",
                    "top_eigenvalue_share",
                    "uniformity",
                )
            },
            "metrics.alignment": lambda: {"x": X, "y": Y},
            "metrics.classification_scores": lambda: {"true": LABELS, "predicted": LABELS},
            "metrics.differences": lambda: {"scores": SCORES},
            "metrics.holm": lambda: {"p_values": [0.1, 0.5]},
            "metrics.paired": lambda: {"first": SCORES["a"], "second": SCORES["b"]},
            "metrics.nearest": lambda: {"queries": X, "corpus": Y, "k": 2},
            "metrics.neighbour_agreement": lambda: {"x": X, "y": Y, "k": 2},
            "metrics.retrieval": lambda: {"x": X, "groups": LABELS, "k": 2},
            "metrics.pair_auc": lambda: {"x": X, "groups": LABELS},
            "metrics.sts_correlations": lambda: {"enc": self.encoder, "pairs": task},
            "metrics.sts": lambda: {"enc": self.encoder, "tasks": {"a": task}},
            "metrics.knn_label_accuracy": lambda: {"x": X, "labels": LABELS, "k": 2},
            "metrics.transfer": lambda: {
                "enc": self.encoder,
                "folds": 2,
                "tasks": {"a": data.TransferTask("a", {"all": labelled})},
            },
            "training.audit": lambda: {
                "method": "simcse",
                "encoder": self.tiny,
                "sentences": short["sentences"],
                "batch_size": 4,
                "precision": "float32",
            },
            "training.changed_keys": lambda: {"settings": [{"a": 1}]},
            "training.delete_run": lambda: {"folder": self.copy()},
            "training.rename_run": lambda: {"folder": self.copy(), "name": f"new-{next(self._numbers)}"},
            "training.fork_tree": lambda: {"runs": [self.stored]},
            "training.group_by_recipe": lambda: {"found": [self.stored]},
            "training.evaluate": lambda: {
                "run_or_encoder": self.encoder,
                "data": self.transfer,
                "folds": 2,
                "progress": False,
            },
            "training.forces_at": lambda: {"run": self.run},
            "training.open_run": lambda: {"folder": self.run.folder},
            "training.recording_of": lambda: {"run": self.run},
            "training.replay": lambda: {"folder": self.run.folder},
            "training.resume": lambda: {"folder": self.run.folder},
            "training.start": lambda: {"method": "simcse", **short},
            "training.train": lambda: {"method": "simcse", **short},
            "training.checkpoint_steps": lambda: {"run": self.run},
            "training.sweep": lambda: {"method": "simcse", "seeds": 1, "temperature": [0.1], **short},
            "views.aligned_umap": lambda: {"looks": [X, Y]},
            "views.angle_density": lambda: {"points": PLANE, "angles": [0.0, 1.0]},
            "views.angles": lambda: {"clouds": {"a": PLANE}},
            "views.around": lambda: {"row": 0, "matrix": X @ X.T},
            "views.augmented_vector": lambda: {"before": X[0], "after": {"a": X[1]}},
            "views.circle": lambda: {"points": PLANE},
            "views.method_diagram": lambda: {"method": "simcse"},
            "views.sphere": lambda: {"points": SPACE},
            "views.common_axes": lambda: {"clouds": {"a": X, "b": Y}},
            "views.cosine_histogram": lambda: {"cosines": [0.1, 0.2], "scores": [1.0, 2.0]},
            "views.curves": lambda: {"records": ROWS},
            "views.distance_histogram": lambda: {"distances": {"a": [0.5, 1.0]}},
            "views.force_bars": lambda: {"pairs": self.pairs},
            "views.force_matrix": lambda: {"values": X @ X.T, "texts": TEXTS, "row": 0},
            "views.force_shares": lambda: {"terms": {"a": (1.0, 2.0)}, "kinds": {"positive": 1.0}},
            "views.intervals": lambda: {"differences": metrics.differences(SCORES)},
            "views.layer_grid": lambda: {"scores": {(0, "mean"): 0.5}},
            "views.lines": lambda: {"series": {"a": ([1.0, 2.0], [1.0, 2.0])}, "title": "a"},
            "views.on_circle": lambda: {"vectors": X, "centre": True},
            "views.overlay": lambda: {"groups": {"a": [ROWS]}},
            "views.pair_map": lambda: {"panels": {"a": (X, Y)}},
            "views.plane": lambda: {"histories": {"a": ROWS}},
            "views.projection": lambda: {"coordinates": PLANE},
            "views.seed_dots": lambda: {"scores": SCORES},
            "views.share_above": lambda: {"cosines": {"a": [0.1, 0.2]}},
            "views.side_by_side": lambda: {"axes": self.axes},
            "views.similarity_matrix": lambda: {"vectors": X, "texts": TEXTS},
            "views.similarity_pair": lambda: {"before": X, "after": Y, "texts": TEXTS},
            "views.small_multiples": lambda: {"groups": {"a": [ROWS]}, "column": "loss"},
            "views.softmax_shares": lambda: {"x": [0.1, 1.0], "shares": {"a": [0.5, 0.5]}},
            "views.spectrum": lambda: {"embeddings": {"a": X}},
            "views.to_svg": lambda: {"figure": views.spectrum({"a": X})},
            "views.to_svg_image": lambda: {"figure": views.spectrum({"a": X}), "description": "a"},
            "views.mosaic": lambda: {"parts": [(views.spectrum({"a": X}), 0, 0)]},
            "views.svg_image": lambda: {"picture": "<svg/>", "description": "a"},
            "metrics.trend": lambda: {"rows": [{"step": 0, "mean_cosine": 0.5}], "total_steps": 2},
            "views.trails": lambda: {"groups": {"a": [ROWS]}},
            "views.umap_coordinates": lambda: {"vectors": X},
            "views.word_weights": lambda: {"words": ["a", "b"], "weights": {"w": [1.0, 2.0]}},
            "clwork.recording": lambda: {"run": "simcse"},
            "Encoder.encode": lambda: {"texts": TEXTS},
            "Encoder.layer_grid": lambda: {"texts": TEXTS},
            "Encoder.tokenize": lambda: {"texts": TEXTS},
            "Encoder.with_pooling": lambda: {"pooling": "mean"},
            "Encoder.without_head": lambda: {"pooling": "mean"},
            "Encoder.with_head": lambda: {"head": None, "pooling": "mean"},
            "Encoder.save": lambda: {"folder": self.fresh()},
            "Cloud.show_plane": lambda: {"name": "PCA"},
            "Evidence.choose": lambda: {"name": "simcse/against-whitening"},
            "Evidence.figure": dict,
            "ForceView.choose": lambda: {"row": 0},
            "PcaBasis.fit": lambda: {"vectors": X},
            "PcaBasis.transform": lambda: {"vectors": X},
            "Panel.apply_settings": lambda: {"text": "simcse"},
            "Player.save": lambda: {"path": self.fresh().with_suffix(".html")},
            "Playground.export": lambda: {"path": self.fresh().with_suffix(".npy")},
            "Run.save": lambda: {"folder": self.fresh()},
            "Run.save_page": lambda: {"path": self.fresh().with_suffix(".html")},
            "Run.fork": lambda: {"step": 0, "steps": 1},
            "RunColumns.extend": lambda: {"records": []},
            "RunColumns.joint": lambda: {"first": "loss", "second": "loss"},
            "RunColumns.last": lambda: {"name": "loss"},
            "RunColumns.xy": lambda: {"name": "loss"},
            "Stored.save_page": lambda: {"path": self.fresh().with_suffix(".html")},
        }

    def close(self) -> None:
        """Take the boards away and let the runs go."""
        for board in (self.panel, self.playground):
            board.close()
        for run in clwork.runs():
            run.stop()
        for run in clwork.runs():
            run.wait(30)

    def copy(self) -> Path:
        """A copy of the run, to be deleted or renamed."""
        return self.run.save(self.fresh())

    @functools.cached_property
    def pairs(self) -> Any:
        """What the first sentence of a batch meets."""
        return clwork.training.forces_at(self.run).tables[0].pairs(0)

    @staticmethod
    def _write(path: Path, rows: list[dict[str, Any]]) -> None:
        path.parent.mkdir(parents=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
