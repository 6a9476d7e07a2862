"""Settings of the pages that ``make site`` makes.

The pages load nothing from elsewhere, and work from a disk.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import clwork
from clwork.lab.page.markup import mathml

project = "clwork"
version = release = clwork.__version__
copyright = "the authors of clwork; sentences of Wikipedia: CC BY-SA 4.0, by its authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# index.html is the page in which SimCSE trains, from scripts/site/start.py.
root_doc = "contents"
# `make site` has executed them.
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, Any] = {}
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_html_meta = {"viewport": "width=device-width"}
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type", "misc.highlighting_failure"]
autodoc_typehints = "signature"
# Else attributes are described twice.
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
html_theme = "furo"
html_title = "clwork"
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["clwork.css"]
html_js_files = [(f"{name}.js", {"defer": "defer"}) for name in ("clwork", "evidence", "claims")]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
exclude_patterns = ["_extra"]


def inline(self: Any, node: nodes.Element) -> None:
    """A formula in a line, as MathML."""
    self.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def block(self: Any, node: nodes.Element) -> None:
    """A formula of its own, as MathML."""
    self.body.append(f'<div class="math-block">{mathml(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the formulas."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))  # type: ignore[arg-type]
