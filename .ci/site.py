"""Hooks of mkdocs.yml: pages outside of docs/ join the site, and the page of the interface is made.

Links are written for the repository's web page; here they lead to where a file is on the site."""

import ast
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
OUTSIDE = {"README.md": "index.md"}
OUTSIDE |= {name: name for name in ("AGENTS.md", "CHANGELOG.md", "lab/LOG.md")}
INSIDE = {site: path for path, site in OUTSIDE.items()}
LINK = re.compile(r"(\]\()([^)\s#:]+)(?=[)#])")
PACKAGE = "transactional_attention"


def on_files(files, config):
    """Add the pages that are not in docs/."""
    for path, site in OUTSIDE.items():
        files.append(File.generated(config, site, content=(ROOT / path).read_text("utf-8")))
    files.append(File.generated(config, "api.md", content=interface()))
    return files


def interface():
    """A heading for every public name, which mkdocstrings fills from its docstring."""
    tree = ast.parse((ROOT / "src" / PACKAGE / "__init__.py").read_text("utf-8"))
    set_here = {
        node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)
    }
    homes = {
        name: f"{PACKAGE}.{home}"
        for home, given in ast.literal_eval(set_here["HOMES"]).items()
        for name in given.split()
        if home.startswith("engines.")
    }
    names = [name for name in ast.literal_eval(set_here["__all__"]) if name != "__version__"]
    parts = [f"::: {homes.get(name, PACKAGE)}.{name}" for name in names]
    return "\n\n".join(["# The interface", f"What `import {PACKAGE}` gives.", *parts])


def on_page_markdown(markdown, page, **_):
    """Lead links to their place on the site; leave raw tables and reports out of the search."""
    here = page.file.src_uri
    if here.startswith(("tables/", "report")):
        page.meta["search"] = {"exclude": True}
    folder = posixpath.dirname(INSIDE.get(here, f"docs/{here}"))

    def placed(link):
        path = posixpath.normpath(posixpath.join(folder, link[2]))
        site = OUTSIDE.get(path, path.removeprefix("docs/"))
        return link[1] + posixpath.relpath(site, posixpath.dirname(here) or ".")

    return LINK.sub(placed, markdown)
