"""JupyterLab typesets no formula in texts that clwork shows, such as prices in dollars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .jupyterlab import MINUTES, error_outputs, open_and_run

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from .conftest import Lab

pytestmark = pytest.mark.browser

PRICES = "from $5 to $10"
CELLS = (
    "import pandas as pd\nfrom IPython.display import HTML\nfrom clwork import lab",
    f"pd.DataFrame({{'sentence': ['The fee rose {PRICES}.']}})",
    f"lab.predict('Did the fee rise {PRICES}?', ['yes', 'no'], '{PRICES}')",
    f"lab.exercise('Rise {PRICES}.', lambda: 'not {PRICES}', title='1')",
    "HTML('<p id=guard>$x^2$</p>')",
)


def test_dollars_stay_dollars(lab: Lab, page: Page) -> None:
    open_and_run(page, lab.write("dollars.ipynb", *CELLS))
    page.locator(f".jp-InputPrompt >> text=[{len(CELLS)}]").first.wait_for(timeout=3 * MINUTES)
    # a guard: formulas are typeset in this notebook
    page.locator("#guard mjx-container").wait_for()
    page.locator(".clwork-exercise button").click()
    page.get_by_text(f"Not yet. not {PRICES}").wait_for()
    assert page.locator(".jp-OutputArea mjx-container").count() == 1
    for text in (f"The fee rose {PRICES}.", f"Did the fee rise {PRICES}?", f"Rise {PRICES}."):
        assert page.get_by_text(text).first.is_visible(), text
    assert error_outputs(page) == []
