"""Makes pages of the site from files that are not in docs.

The pages in docs link to READMEs, sources and manifests of the repository. The site has a page for each of them, so that no link leaves it.
"""

import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
DOCS = "docs/"
PREFIX = "source/"
LANGUAGES = {
    ".java": "java",
    ".json": "json",
    ".options": "text",
    ".py": "python",
    ".sh": "sh",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
}
FENCE = re.compile(r"^(```|~~~)")
DEFINITION = re.compile(r"^\[([^\]]+)\]:\s*(\S+)\s*$", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s:#]+)(#[^()\s]*)?\)")
NAMES_ONLY = "search:\n  exclude: true\n"

# The path in the repository of each page that is not in docs, by its path in the site.
_origins = {}
# The folder of the repository for each page that lists one.
_folders = set()


def on_files(files, config):
    """Adds a page for each file and folder that a page links to, and the library that draws diagrams."""
    _origins.clear()
    _folders.clear()
    waiting = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
    for file in list(files.documentation_pages()):
        waiting += _targets(DOCS + file.src_uri, Path(file.abs_src_path).read_text(encoding="utf-8"))
    while waiting:
        path = waiting.pop()
        uri = _site_path(path)
        if path.startswith(DOCS) and not (ROOT / path).is_dir() or files.get_file_from_path(uri):
            continue
        _origins[uri] = path
        files.append(File.generated(config, uri, content=_content(path)))
        if path.endswith(".md"):
            waiting += _targets(path, (ROOT / path).read_text(encoding="utf-8"))
        elif (ROOT / path).is_dir():
            waiting += [f"{path}/{child.name}" for child in _text_files(path)]
    mermaid = os.environ.get("OUTPOST_DOCS_MERMAID")
    if mermaid:
        files.append(File.generated(config, "assets/mermaid.min.js", abs_src_path=mermaid))
    return files


def on_page_markdown(markdown, page, config, files):
    """Points links to the pages of the site."""
    uri = page.file.src_uri
    origin = _origins.get(uri, DOCS + uri)
    if not origin.endswith(".md"):
        return markdown

    def moved(link):
        target = _resolve(origin, link.group(1))
        if target is None:
            return link.group()
        relative = posixpath.relpath(_site_path(target), posixpath.dirname(uri) or ".")
        return f"]({relative}{link.group(2) or ''})"

    return _outside_of_code(markdown, lambda text: LINK.sub(moved, text))


def _targets(origin, markdown):
    found = []
    _outside_of_code(markdown, lambda text: found.extend(link.group(1) for link in LINK.finditer(text)) or text)
    return [target for target in (_resolve(origin, path) for path in found) if target is not None]


def _outside_of_code(markdown, change):
    """Applies a function to the lines that are not in a fenced block, with links to classes written out."""
    definitions = dict(DEFINITION.findall(markdown))
    lines, is_code = [], False
    for line in DEFINITION.sub("", markdown).split("\n"):
        if FENCE.match(line.lstrip()):
            is_code = not is_code
        elif not is_code:
            for name, target in definitions.items():
                line = re.sub(re.escape(f"[{name}]") + r"(?![\[(:])", lambda _: f"[{name}]({target})", line)
            line = change(line)
        lines.append(line)
    return "\n".join(lines)


def _resolve(origin, path):
    """Returns the path in the repository that a link of a page means, or nothing if there is no such file."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    if target.startswith("..") or not (ROOT / target).exists():
        return None
    if (ROOT / target / "README.md").exists():
        target += "/README.md"
    return target


def _site_path(path):
    if path.startswith(DOCS) and not (ROOT / path).is_dir():
        return path[len(DOCS) :]
    if (ROOT / path).is_dir():
        return f"{PREFIX}{path}/index.md"
    return PREFIX + path if path.endswith(".md") else f"{PREFIX}{path}.md"


def _text_files(folder):
    return sorted(child for child in (ROOT / folder).iterdir() if child.suffix in LANGUAGES or child.suffix == ".md")


def _content(path):
    file = ROOT / path
    if file.is_dir():
        rows = []
        for child in _text_files(path):
            target = posixpath.relpath(_site_path(f"{path}/{child.name}"), posixpath.dirname(_site_path(path)))
            rows.append(f"- [`{child.name}`]({target})")
        return f"---\ntitle: {file.name}\n{NAMES_ONLY}---\n\n# {path}\n\n" + "\n".join(rows) + "\n"
    text = file.read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    language = LANGUAGES.get(file.suffix, "text")
    return f"---\ntitle: {file.name}\n{NAMES_ONLY}---\n\n# {file.name}\n\n`{path}`\n\n````{language}\n{text.rstrip()}\n````\n"
