"""Writes the operations of docs/backend-api.yaml into the page reference/rest.md, in place of its last line."""

from pathlib import Path

import yaml

PAGE = "reference/rest.md"
MARK = "<!-- operations -->"
METHODS = ("get", "post", "put", "patch", "delete")


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri != PAGE:
        return markdown
    description = yaml.safe_load((Path(config["docs_dir"]) / "backend-api.yaml").read_text(encoding="utf-8"))
    if MARK not in markdown:
        raise ValueError(f"{PAGE} lacks the line {MARK}")
    return markdown.replace(MARK, _page(description))


def _page(description):
    parts = ["## Bounds\n\n" + description["info"]["description"].strip()]
    by_tag = {}
    for path, item in description["paths"].items():
        for method in METHODS:
            if method in item:
                by_tag.setdefault(item[method].get("tags", ["other"])[0], []).append((method, path, item, item[method]))
    for tag in sorted(by_tag):
        parts.append(f"## {tag}")
        parts += [_operation(*operation) for operation in by_tag[tag]]
    parts.append("## Types")
    for name, schema in sorted(description["components"]["schemas"].items()):
        parts.append(f"### {name}\n\n{_type(schema)}")
    return "\n\n".join(parts) + "\n"


def _operation(method, path, item, operation):
    lines = [f"### {method.upper()} {path}", ""]
    lines += [text.strip() + "." * (text.strip()[-1:] not in ".:|") for text in _texts(operation)]
    parameters = item.get("parameters", []) + operation.get("parameters", [])
    if parameters:
        lines += ["", "| parameter | in | type | |", "|---|---|---|---|"]
        lines += [
            f"| `{parameter['name']}` | {parameter['in']} | {_name(parameter.get('schema', {}))} | {_cell(parameter)} |"
            for parameter in parameters
        ]
    body = _content(operation.get("requestBody", {}))
    if body:
        lines += ["", f"Body: {body}."]
    answers = [
        f"{status} {_content(answer)}".strip()
        for status, answer in operation.get("responses", {}).items()
        if status.isdigit() and status < "300"
    ]
    if answers:
        lines += ["", "Answer: " + "; ".join(answers) + "."]
    return "\n".join(lines)


def _texts(operation):
    return [operation[key] for key in ("summary", "description") if operation.get(key)]


def _content(holder):
    schemas = [_name(content.get("schema", {})) for content in holder.get("content", {}).values()]
    return ", ".join(dict.fromkeys(schema for schema in schemas if schema))


def _cell(value):
    texts = [value.get("description", "").strip()] + [
        f"default `{value['schema']['default']}`" for _ in [0] if "default" in value.get("schema", {})
    ]
    return "; ".join(text for text in texts if text).replace("|", "\\|").replace("\n", " ")


def _name(schema):
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(_name(part) for part in schema.get("anyOf", schema.get("oneOf")))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return "list of " + _name(schema.get("items", {}))
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return "map of " + _name(schema["additionalProperties"])
    return kind


def _type(schema):
    if schema.get("enum"):
        return "One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + "."
    properties = schema.get("properties")
    if not properties:
        return " ".join(filter(None, [f"A {_name(schema)}.", schema.get("description", "")]))
    required = set(schema.get("required", []))
    rows = [
        f"| `{name}` | {_name(value)} | {'required' if name in required else ''} | {_cell(value)} |"
        for name, value in properties.items()
    ]
    return "\n".join(["| field | type | | |", "|---|---|---|---|", *rows])
