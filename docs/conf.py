"""How the documentation becomes a site; `make docs` lays its source together and builds it."""

from __future__ import annotations

from pathlib import Path

import thresher

project = "thresher"
author = "the authors of thresher"
copyright = "the authors of thresher, BSD-3-Clause"
version = release = thresher.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["README.md"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_html_meta = {
    "description": "Linear classifiers learned from a stream, one example at a time, with theorems "
    "that limit their mistakes and certificates that anyone with the data can check.",
}
myst_heading_anchors = 4
# A dollar in a page is mathematics only where nothing stands between it and the formula.
myst_dmath_allow_space = False
myst_dmath_allow_digits = False

autodoc_member_order = "groupwise"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
# `Names` in docstrings are names of code.
default_role = "code"

# KaTeX comes with the site: no page asks anybody for anything.
mathjax_path = "katex/katex.min.js"
html_static_path = ["static"]
html_extra_path = ["extra"]
html_css_files = ["katex/katex.min.css", "site.css"]
html_js_files = [
    ("no-modules.js", {"priority": 100}),
    ("katex/auto-render.min.js", {"defer": "defer"}),
    ("katex/render.js", {"defer": "defer"}),
]
html_theme = "pydata_sphinx_theme"
html_title = "thresher"
html_show_sourcelink = False
html_copy_source = False
# A page on disk may not read others, and the search would have to for its excerpts.
html_show_search_summary = False
html_search_scorer = str(Path(__file__).with_name("static") / "scorer.js")
# Nothing hangs below these, and an empty bar at the left would say so at length.
html_sidebars = {"errata": [], "service": []}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],  # on a phone, too, without opening the menu
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 9,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "show_nav_level": 1,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
