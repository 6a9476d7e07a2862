"""README and the notebooks agree with the one public address in pyproject.toml."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import readme
from scripts.blocks.scores import augmentation_table_of, methods_table_of, proxies_of, sts_table_of
from scripts.blocks.speed import panel_cost_of, step_time_of, touch_of

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BADGE_TARGET = re.compile(r"https://colab\.research\.google\.com/github/([\w.-]+/[\w.-]+)/blob/([\w.-]+)/([^)\s]+)")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), ROOT / "benchmarks" / "trials.md"]


def links(page: Path) -> list[str]:
    """What a page links to without an address."""
    return [t for t in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")) if "://" not in t]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A small copy of the repository with another public address."""
    (tmp_path / "notebooks").mkdir()
    old = f"| **Colab** | [![x]({readme.BADGE_IMAGE})](https://example.org/old) |"
    title = f"# One\n\n| | |\n|---|---|\n| Time | 3 min |\n{old}\n\n**Go.**\n"
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": title.splitlines(keepends=True)}
    ]
    check = readme.SET_UP.replace('ADDRESS = ""', 'ADDRESS = "git+https://example.org/old"') + "x = 1"
    code: dict[str, Any] = {"cell_type": "code", "id": "b", "metadata": {}, "outputs": [], "execution_count": None}
    cells.append(code | {"source": check.splitlines(keepends=True)})
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "notebooks" / "00_one.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    urls = '[project.urls]\nRepository = "https://github.com/someone/else"\n'
    (tmp_path / "pyproject.toml").write_text(urls, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for page, blocks in readme.BLOCKS.items():
        held = [f"<!-- {name}:begin -->\nold\n<!-- {name}:end -->\n" for name in blocks]
        (tmp_path / page).write_text("a\n" + "".join(held) + "z\n", encoding="utf-8")
    return tmp_path


def test_everything_is_in_step() -> None:
    stale = [path.name for path, text in readme.wanted().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"run python scripts/readme.py: {stale}"


def test_every_badge_leads_to_a_notebook_of_this_repository() -> None:
    seen = 0
    for path in [README, *sorted((ROOT / "notebooks").rglob("*.ipynb"))]:
        for repository, _, target in BADGE_TARGET.findall(path.read_text(encoding="utf-8")):
            assert repository == readme.repository()
            assert (ROOT / target).is_file(), f"{path.name}: no {target}"
            seen += 1
    assert seen == 2 * len(readme.notebooks()) * readme.is_public()


def test_the_address_stands_in_one_place_only() -> None:
    """Every other mention is a badge or a notebook's ADDRESS, which the script rewrites."""
    address, mention = f"github.com/{readme.repository()}", json.dumps(f'ADDRESS = "{readme.address()}"')[1:-1]
    books = [*readme.notebooks(), *readme.solutions()]
    for path in [README, *books, *sorted((ROOT / "docs").rglob("*.md"))]:
        assert address not in BADGE_TARGET.sub("", path.read_text(encoding="utf-8").replace(mention, "")), path.name


def test_a_new_address_reaches_readme_and_notebooks(copy: Path) -> None:
    texts = readme.wanted(copy)
    page, notebook = texts[copy / "README.md"], texts[copy / "notebooks" / "00_one.ipynb"]
    target = "https://colab.research.google.com/github/someone/else/blob/main/notebooks/00_one.ipynb"
    assert f"| [One](notebooks/00_one.ipynb) | 3 min | [![Open in Colab]({readme.BADGE_IMAGE})]({target}) |" in page
    assert page.startswith("a\n<!-- notebooks:begin -->\n| Notebook")
    assert page.endswith("<!-- speed:end -->\nz\n")
    assert texts[copy / "docs" / "measured.md"].endswith("<!-- judges:end -->\nz\n")
    assert "not decided" not in page
    assert target in notebook
    assert "example.org" not in notebook


def test_while_the_address_is_a_placeholder_there_is_no_badge_and_a_real_one_brings_it_back(copy: Path) -> None:
    project, book = copy / "pyproject.toml", copy / "notebooks" / "00_one.ipynb"
    public = readme.wanted(copy)
    assert public[book].count("colab.research") == 2, "picture and target"
    project.write_text('[project.urls]\nRepository = "https://github.com/OWNER/clwork"\n', encoding="utf-8")
    for path, text in readme.wanted(copy).items():
        beside_set_up = text
        for line in readme.SET_UP.splitlines():
            beside_set_up = beside_set_up.replace(json.dumps(line)[1:-1], "")
        assert "colab" not in beside_set_up.lower(), path.name
        path.write_text(text, encoding="utf-8")
    assert "| [One](notebooks/00_one.ipynb) | 3 min |\n" in (copy / "README.md").read_text(encoding="utf-8")
    project.write_text('[project.urls]\nRepository = "https://github.com/someone/else"\n', encoding="utf-8")
    assert readme.wanted(copy) == public


def test_nothing_shown_above_the_fold_leads_to_the_placeholder() -> None:
    shown = [README.read_text(encoding="utf-8")]
    shown += [readme.title_cell(json.loads(path.read_text(encoding="utf-8"))) for path in readme.notebooks()]
    assert not [text[:99] for text in shown if f"/{readme.PLACEHOLDER}/" in text]
    assert readme.is_public() or not [text[:99] for text in shown if "colab-badge" in text]


def first_code(text: str) -> str:
    return "".join(json.loads(text)["cells"][1]["source"])


def test_a_fresh_machine_installs_from_the_repository_and_never_by_name(copy: Path) -> None:
    path = copy / "notebooks" / "00_one.ipynb"
    code = first_code(readme.in_step(path, copy))
    assert 'ADDRESS = "git+https://github.com/someone/else"  #@param {type:"string"}\n' in code
    assert code == readme.set_up(copy) + "x = 1"
    path.write_text(path.read_text(encoding="utf-8").replace("#@title Set-up", "# Set-up"), encoding="utf-8")
    with pytest.raises(ValueError, match="ADDRESS"):
        readme.in_step(path, copy)
    for path in [*readme.notebooks(), *readme.solutions()]:
        cell = first_code(path.read_text(encoding="utf-8"))
        assert re.findall(r"pip install .*", cell) == ['pip install -q "clwork[colab,offline] @ {address}"'], path.name
        assert f"/{readme.PLACEHOLDER}/" not in cell, "the placeholder is a stranger's account"
        at_scale = path.parent.name == "notebooks" and not path.name.startswith(("10_", "11_"))  # both are small
        assert cell.count("lab.at_full_scale(FULL") == at_scale, path.name


def test_a_copy_that_jupyterlab_keeps_is_left_alone(copy: Path) -> None:
    kept = copy / "notebooks" / ".ipynb_checkpoints" / "00_one-checkpoint.ipynb"
    kept.parent.mkdir()
    kept.write_text('{"cells": []}', encoding="utf-8")  # of a time before the set-up
    assert kept not in readme.wanted(copy)


@pytest.mark.slow
def test_what_pip_is_told_installs_this_repository(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        f'[project.urls]\nRepository = "file://localhost{ROOT}"\n', encoding="utf-8"
    )
    cell = first_code(readme.notebooks()[0].read_text(encoding="utf-8"))
    (told,) = re.findall(r'pip install -q "(.*)"', cell)
    wanted = told.format(address=readme.address(tmp_path))
    assert wanted == f"clwork[colab,offline] @ git+file://localhost{ROOT}"
    into = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(into), wanted]
    subprocess.run(command, check=True, timeout=600)
    assert (into / "clwork" / "encoders" / "mini" / "config.json").is_file() and (into / "clwork" / "lab").is_dir()
    (number,) = re.findall(r'^__version__ = "(.+)"$', (into / "clwork" / "__init__.py").read_text(), re.MULTILINE)
    assert (into / f"clwork-{number}.dist-info").is_dir()


def poolings(cls: float, mean: float, first_last: float) -> dict[str, dict[str, float]]:
    values = {"cls_before_pooler": cls, "mean": mean, "first_last": first_last}
    return {name: {"stsb": value, "sickr": value - 10} for name, value in values.items()}


def test_measured_results_reach_their_page(copy: Path) -> None:
    config = {"batch_size": 64, "learning_rate": 1e-4, "precision": "float32"}
    runs = [
        {"text": text, "seed": seed, "scores": poolings(cls, 65.0, 66.0), "seconds": 100.0 + seed, "config": config}
        for text in ("corpus", "stsb_train")
        for seed, cls in enumerate((60.0, 62.0, 64.0))
    ]
    settings: dict[str, Any] = {"sentences": "wikipedia-mini", "steps": 300, "config": {}}
    found = {"raw": poolings(50.0, 63.0, 60.0), "settings": settings, "runs": runs, "machine": {"threads": 2}}
    assert "Not measured yet." in readme.wanted(copy)[copy / "docs" / "measured.md"]
    (copy / "benchmarks" / "results").mkdir(parents=True)
    (copy / "benchmarks" / "results" / "simcse_sts.json").write_text(json.dumps(found), encoding="utf-8")
    page = readme.wanted(copy)[copy / "docs" / "measured.md"]
    stsb, sickr = "50.0 | 62.0 ± 2.0 | -1.0 (-6.0 to +4.0)", "40.0 | 52.0 ± 2.0 | -1.0 (-6.0 to +4.0)"  # t = 4.303
    assert f"| encyclopedia | [CLS] | {stsb} | {sickr} | 101 ± 1 |" in page, "the default run comes first"
    assert "|  | mean over tokens | 63.0 | 65.0 ± 0.0 | +2.0 (+2.0 to +2.0) |" in page
    assert "on STS-B mean over tokens (63.0) and on SICK-R mean over tokens (53.0)" in page
    assert "over 3 seeds" in page and "SimCSE as it comes with 300 steps" in page and "2 CPU threads" in page
    settings["config"] = {"head": "none"}
    assert "SimCSE as it comes, but for head=none, with 300 steps" in sts_table_of(found)


def test_the_table_of_augmentations(copy: Path) -> None:
    scores = {"dropout": (60.0, 61.0, 62.0), "none": (50.0, 51.0, 55.0), "crop": (60.0,)}
    runs = [
        {"arm": arm, "seed": seed, "stsb": value, "seconds": 90.0}
        for arm, values in scores.items()
        for seed, value in enumerate(values)
    ]
    settings = {"steps": 300, "batch_size": 64, "sentences": "w"}
    found = {"runs": runs, "settings": settings, "machine": {"threads": 1}}
    table = augmentation_table_of(found)
    assert "| dropout, at the mini's preset | 61.0 ± 1.0 |  | – |  |  |" in table
    # differences -10, -10, -7; t of 1 - .025 / 2 at 2 degrees of freedom is 6.205
    assert "| no dropout | 52.0 ± 2.6 | -9.0 (-15.2 to -2.8) | – | – | 71.1 |" in table
    assert "| crop 10 % | 60.0 | +0.0 | – | – | 77.8 |" in table, "no interval from one pair"
    assert "widened for 2 comparisons" in table and augmentation_table_of(None) == "Not measured yet."
    assert "augmentation:begin -->\nNot measured yet.\n<!-- augm" in readme.wanted(copy)[copy / "docs" / "measured.md"]


def test_the_sentence_on_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{p} stsb" for p in ("same_article_auc", "topic_knn")]
    summary = {name: [0.5, -0.125, 0.75] for name in (*names, "difference stsb")}
    summary |= {f"gain {name}": [1.25, -1.0, 2.0] for name in names}
    runs: list[dict[str, Any]] = [{"encoders": [{}, {}]}, {"encoders": [{}]}]
    found = {"summary": summary, "runs": runs, "settings": {"representation": "cls"}}
    text = proxies_of(found)
    assert "Over 3 encoders of 2 runs at [CLS]" in text and "same-article AUC 0.50 (-0.12 to 0.75)" in text
    assert "1.2 (-1.0 to 2.0) by the topic k-NN accuracy points more" in text
    assert text.endswith("So no proxy chooses: the last step is kept, and the proxies are only shown.")
    monkeypatch.setattr("clwork.training.loop.validation.TRUSTED", ("topic_knn",))
    assert proxies_of(found).endswith("topic k-NN accuracy chooses the checkpoint.")
    assert proxies_of({"runs": runs}) == "Not measured yet."


def test_the_table_of_methods() -> None:
    score = {"stsb": 60.0, "sickr": 50.0, "alignment": 0.5, "uniformity": -1.0, "effective_rank": 30.0}
    runs: list[dict[str, Any]] = [
        {"method": m, "title": t, "encoder": e, "seed": s, "raw": score, "trained": score | {"stsb": b}, **spent}
        for m, t, e, spent in (
            ("simcse", "SimCSE", "mini", {"seconds": 90.0, "mib": 100.0}),
            ("gclsr", "GCLSR", "glove", {"seconds": 9.0, "mib": None}),
        )
        for s, b in ((0, 61.0), (1, 63.0))
    ]
    del runs[3]["trained"]["stsb"]  # a run that collapsed has no score
    settings = {
        "steps": 100,
        "batch_size": 64,
        "sentences": "w",
        "encoder": "mini",
        "precision": "float32",
        "threads": 1,
    }
    paper = {"simcse": {"backbone": "BERT-base", "stsb": 76.85, "sickr": 72.23, "avg": 76.25}}
    table = methods_table_of({"runs": runs, "settings": settings, "published": paper})
    ours = "60.0 ± 0.0 | **62.0 ± 1.4** | 50.0 ± 0.0 | **50.0 ± 0.0** | 0.50 ± 0.00 | -1.00 ± 0.00 | 30.0 ± 0.0"
    assert f"| SimCSE | {ours} | 90 | 100 | 76.85 / 72.23 (BERT-base) |" in table
    assert "| GCLSR | 60.0 ± 0.0 | **–** |" in table and table.count("| 9 | – | – |") == 1
    assert "over 2 seeds; 100 steps of 64 sentences" in table and "except GCLSR (glove)" in table
    assert methods_table_of(None) == "Not measured yet."


@pytest.mark.parametrize(("default", "ratio"), [("float32", [1.1, 1.2, 1.3]), ("bfloat16", [2.1, 2.5, 2.9])])
def test_the_block_on_speed_says_what_was_reached_and_what_was_not(default: str, ratio: list[float]) -> None:
    whos, precisions = ("clwork", "sentence_transformers"), ("float32", "bfloat16")
    values = {f"{what} {p} {who}": [0.5, 0.4, 0.6] for what in ("step", "encode") for p in precisions for who in whos}
    values |= {"step looking": [0.55] * 3} | {f"matmul {p}": [200.0] * 3 for p in precisions}
    kinds = [f"{what} {p}" for what in ("step", "encode", "share") for p in precisions]
    found = {
        "encoder": "mini",
        "batch_size": 64,
        "rounds": 3,
        "encode": 1000,
        "machine": {"threads": 2},
        "default": {"precision": default, "why": f"{default}: so it is"},
        "gflop_per_step_at_true_lengths": 62.1,
        "values": values,
        "ratios": {"default": ratio} | {kind: [0.5, 0.59, 0.7] for kind in kinds},
    }
    block = step_time_of(found)
    first = next(line for line in block.splitlines() if "by its defaults" in line)
    assert "| 500 ms | 500 ms |" in first
    assert ("at least 2.4: met" if default == "bfloat16" else "at least 2.4: **missed**") in first
    assert ("float32 against float32" in block) == (default == "float32")
    assert block.count("**missed**") == (6 if default == "bfloat16" else 7)
    assert "59 % of the float32 limit of 200 GFLOP/s (at least 0.6: **missed**)" in block
    assert "62 GFLOP at true lengths" in block and step_time_of(None) == "Not measured yet."


def test_what_a_panel_costs() -> None:
    runs = [{"watched": [0.3, 0.31], "alone": [0.3, 0.29], "looks": 0.03}]
    found = {"steps": 300, "runs": runs, "machine": {"threads": 2}}
    text = panel_cost_of(found | {"cost": [0.01, 0.0, 0.02]})
    assert "305 ms with the panel open and 295 ms without: +1.0 %" in text and "of 3 pairs" in text
    assert "take 3.0 % of the time. Together 4.0 %: at most 4 %, met" in text
    assert "at most 4 %, **missed**" in panel_cost_of(found | {"cost": [0.06, 0.02, 0.09]})
    assert panel_cost_of(None) == "Not measured yet."


def test_the_wait_for_an_answer() -> None:
    found: dict[str, Any] = {"frames": 60.1, "points": 256, "marked": [0.4, 0.9, 0.2], "kilobytes": 7.6}
    found |= {"machine": {"cores": 2}}
    found["rounds"] = [{"there": 2.0, "answered": answered} for answered in (2.5, 6.0, 3.0)]
    text = touch_of(found)
    assert "draws 60 pictures a second" in text and "(60: met)" in text
    assert "after 0.40 s (0.20 to 0.90, 3 moves; at most 1 s: met)" in text and "sends 8 kB a second" in text
    slow = touch_of(found | {"frames": 40.0, "marked": [1.2], "kilobytes": 300.0})
    assert "(60: **missed**)" in slow and "at most 1 s: **missed**" in slow and "at most 200 kB: **missed**" in slow
    assert "3.0 s (2.5 to 6.0, 3 fresh browsers, 2 cores)" in text and "at most 5 s: met" in text
    found["rounds"] = [{"there": 5.0, "answered": 6.0}]
    assert "at most 5 s: **missed**" in touch_of(found) and touch_of(None) == "Not measured yet."
    ages = {"p50": 0.1, "p95": 0.6, "max": 1.4}
    found["followed"] = {"busy": {"first_loss": 2.5, "line": ages, "picture": ages}}
    told = touch_of(found)
    assert "beside a busy core: the first loss is seen 2.50 s after its step (at most 2 s: **missed**)" in told
    assert "the curve 0.10 s, 0.60 s and 1.40 s (at most 1 s: **missed**)" in told


def test_pages_have_rows_and_targets() -> None:
    light = {"bytes": {"page": 400_000, "frames": 700_000, "shared": 100_000}, "seconds": [1.0, 1.5, 0.9]}
    heavy = {"bytes": {"page": 400_000, "frames": 2_700_000, "shared": 100_000}, "seconds": [2.5]}
    text = touch_of({"pages": {"index": light}})
    assert "1.2 MB at most (at most 3 MB: met)" in text and "takes 1.00 s at most (at most 2 s: met)" in text
    assert "| index | 1.2 MB | 1.00 (0.90 to 1.50) s |" in text
    text = touch_of({"pages": {"index": light, "notebooks/05_gclsr": heavy}})
    assert "(at most 3 MB: **missed**)" in text and "(at most 2 s: **missed**)" in text and "| 05_gclsr |" in text


def test_writing_twice_changes_nothing_more(copy: Path) -> None:
    for path, text in readme.wanted(copy).items():
        path.write_text(text, encoding="utf-8")
    assert all(path.read_text(encoding="utf-8") == text for path, text in readme.wanted(copy).items())


def test_what_is_missing_is_said(copy: Path) -> None:
    (copy / "README.md").write_text("no markers", encoding="utf-8")
    with pytest.raises(ValueError, match="notebooks:begin"):
        readme.wanted(copy)
    urls = '[project.urls]\nRepository = "https://example.org/someone/else"\n'
    (copy / "pyproject.toml").write_text(urls, encoding="utf-8")
    with pytest.raises(ValueError, match=r"example\.org"):
        readme.repository(copy)
    shutil.copy(ROOT / "pyproject.toml", copy)
    path = copy / "notebooks" / "00_one.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("| Time", "| Tide"), encoding="utf-8")
    with pytest.raises(ValueError, match="Time"):
        readme.notebook_table(copy)


def test_every_file_that_the_readme_links_to_is_there() -> None:
    targets = links(README)
    assert "docs/images/panel.png" in targets
    assert [target for target in targets if not (ROOT / target.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_file_that_a_page_links_to_is_there(page: Path) -> None:
    assert [target for target in links(page) if not (page.parent / target.partition("#")[0]).exists()] == []
