"""The documentation as a site: `python -m sphinx -W -n --keep-going docs build/site`."""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_extensions"))

from ccgkit import __version__  # noqa: E402  the extensions above must be found by their names, too

project = "ccgkit"
author = "the ccgkit developers"
project_copyright = f"2026, {author}"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "commands", "fields", "links", "notebook"]
exclude_patterns = ["_extensions", "pictures"]
suppress_warnings = [
    "myst.header",  # pages that `ccgkit experiment` writes begin with a heading of level 2
    "ref.python",  # names that two rooms offer: either place will do
]
nitpicky = True
highlight_language = "text"  # blocks that do not say what they are in are files and drawings, not Python
nitpick_ignore_regex = [
    ("py:class", r".*\b(T|One|Item|Made|_\w+)"),  # type variables
    ("py:class", "Known"),  # an alias for constraints
    ("py:class", "Tree|AbstractCCGCategory|CCGLexicon"),  # of NLTK, which is imported when it is needed
]

myst_heading_anchors = 4
smartquotes = False  # options have two hyphens
default_role = "code"  # docstrings have code in single backticks

add_module_names = False
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_member_order = "bysource"
maximum_signature_line_length = 88
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"ccgkit {__version__}"
html_copy_source = False
html_show_search_summary = False  # which a page in a file cannot load
html_static_path = ["_extensions/static"]
html_css_files = ["site.css"]
