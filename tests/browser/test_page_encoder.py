"""The playground in Chromium, without a kernel or a network: its vectors are Python's, and the page responds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import clwork
from clwork.arithmetic import unit_rows
from clwork.encoders import Encoder
from scripts.site.page_encoder import write_page_encoder
from tests.site.small import TEXTS, moved

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
ODD = [
    *("", "  ", "é ﬁ İstanbul ẞ Σίσυφος ΟΔΟΣ", "中文 abc字", "emoji 🙂👩‍👩‍👧 x", "a" * 101, "a" * 100, "word " * 100),
    *("[MASK] [CLS]x[SEP] [mask]", "tab\tnl\nx\u200bzero\u00adsoft\ufeff", "don't—stop… “q” 1,000.50€ £5 a_b+c=d`^~|"),
    *("한국어 ภาษาไทย हिन्दी العربية", "x\u0301\u0327 Å ﷺ ǅ"),
    *("\u3000wide ！？「」", "\ue000 private \U000e0041", "ªº²³½ ŉ"),
    *("\u2028line\u2029par\x85nel\x0bvt\x1c", "\x00nul\x7f\ufffd", "##ing ##", "O'Neil's co-operation"),
]
KERNEL = "document.querySelector('.clwork-playground').page.channel.model"


@pytest.fixture(scope="module")
def pair() -> tuple[Encoder, Encoder]:
    raw = clwork.load_encoder("mini")
    return raw, moved(raw)


@pytest.fixture(scope="module")
def address(pair: tuple[Encoder, Encoder], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("encoder")
    write_page_encoder(folder, *pair, "SimCSE", TEXTS)
    return (folder / "index.html").as_uri()


def test_vectors_equal_those_of_python(page: Page, address: str, pair: tuple[Encoder, Encoder]) -> None:
    page.context.set_offline(True)
    page.goto(address)
    page.get_by_role("button", name="Load the encoders").click()
    page.get_by_text("ms a sentence").wait_for()
    texts = list(clwork.data.sentences("wikipedia-mini").sample(200, 1))
    found: Any = page.evaluate(f"texts => texts.map(text => {KERNEL}.vectors(text).map(row => Array.from(row)))", texts)
    columns = np.array(found).transpose(1, 0, 2)  # (3, 200, 256)
    for column, encoder, pooling in zip(
        columns, (pair[0], *pair), ("cls_before_pooler", "first_last", "cls_before_pooler"), strict=True
    ):
        right = unit_rows(encoder.with_pooling(pooling).encode(texts))
        assert (right * column).sum(1).min() > 0.99


def test_tokens_equal_those_of_python(page: Page, address: str, pair: tuple[Encoder, Encoder]) -> None:
    page.goto(address)
    texts = [*ODD, *TEXTS]
    found = page.evaluate(f"texts => texts.map(text => {KERNEL}.split.encode(text))", texts)
    for text, numbers, tokens in zip(texts, found, pair[0].tokenize(texts), strict=True):
        assert numbers == tokens.ids, repr(text)


def test_a_word_is_changed_and_the_page_responds(page: Page, address: str) -> None:
    page.context.set_offline(True)
    page.goto(address)
    large, near = page.locator(".pair .large"), page.locator(".column-0 .hits")
    near.get_by_role("button").first.wait_for()
    before = large.all_inner_texts()
    assert len(before) == 3 and page.locator(".hit").count() == 30 and page.locator(".between path").count() > 0
    page.locator(".line").nth(0).fill("Parliament passed the law on taxes.")
    page.get_by_text("ms a sentence").wait_for()
    page.locator(".asked", has_text="which was").wait_for()
    after = large.all_inner_texts()
    assert all(one != other for one, other in zip(before, after, strict=True))
    of_one = near.inner_text()
    page.locator(".line").nth(1).focus()
    expect(near).not_to_have_text(of_one, use_inner_text=True)
    page.locator(".line").nth(1).fill("Parliament passed the law on taxes.")
    expect(large).to_have_text(["1.00"] * 3)
    page.get_by_role("button", name="Add").click()
    page.keyboard.type("A third sentence.")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".matrix-2 tbody th")).to_have_count(3)
