"""Types and operations of sdk/python, generated from the contracts. scripts/bundle calls it and writes the
files.

An object of a contract becomes a TypedDict, a list of words a Literal, and an operation a method that calls
`self.ask`. Parameters and results have the structure of the contract; nothing is converted."""

import json
import keyword
import re

NOTE = (
    '"""{about} Made by scripts/bundle from {source}; do not change it here."""\n\nfrom __future__ import'
    " annotations\n\n"
)
COLUMNS_MAX = 110
METHODS = ("get", "put", "post", "patch", "delete")
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def safe(name):
    """The name as a valid Python identifier."""
    return f"{name}_" if keyword.iskeyword(name) else name


class Types:
    """The types of one contract, in the order of first use."""

    def __init__(self, schemas, prefix=""):
        self.schemas, self.prefix = schemas, prefix
        self.made, self.aliases = {}, {}
        self.taken = {self.named(name) for name in schemas}

    def text(self):
        """The source code: classes first, whose annotations are evaluated lazily, then other names, each
        after those on which it depends."""
        text = "\n\n".join(text for _, text in sorted(self.made.items())) + "\n\n"
        left = dict(sorted(self.aliases.items()))
        while left:
            ready = [
                name
                for name, kind in left.items()
                if not set(re.findall(r"\b\w+\b", kind)) & left.keys() - {name}
            ]
            for name in ready:
                text += f"{name}: TypeAlias = {left.pop(name)}\n"
        return text

    def named(self, name):
        """The type of a named schema."""
        name = camel(name)
        return f"{self.prefix}{name}"

    def all(self):
        for name, schema in self.schemas.items():
            self.declare(self.named(name), schema)

    def declare(self, name, schema):
        if schema.get("type") == "object" and "properties" in schema:
            self.object(name, schema)
        else:
            self.aliases[name] = self.of(schema, name)
        return name

    def object(self, name, schema):
        self.made[name] = ""  # registered before recursion
        required = schema.get("required", ())
        rows = []
        for member, of in schema["properties"].items():
            kind = self.of(of, name + camel(member))
            rows.append(
                (member, kind if member in required else f"NotRequired[{kind}]", of.get("description", ""))
            )
        about = " ".join(schema.get("description", "").split())
        if any(keyword.iskeyword(member) for member, _, _ in rows):
            inside = "".join(f'    "{member}": {kind!r},\n' for member, kind, _ in rows)
            self.made[name] = f'{name} = TypedDict("{name}", {{\n{inside}}})\n'
            return
        doc = f'    """{about}"""\n\n' if about and len(about) < COLUMNS_MAX - 10 else ""
        self.made[name] = f"class {name}(TypedDict):\n{doc}" + "".join(
            f"    {member}: {kind}\n" for member, kind, _ in rows
        )

    def of(self, schema, name):
        """A type as an annotation. name: used for a schema without its own name."""
        if "$ref" in schema:
            return self.named(schema["$ref"].split("/")[-1])
        if "const" in schema:
            return f"Literal[{self.word(schema['const'])}]"
        known = schema.get("enum", schema.get("x-extensible-enum"))  # in responses, the current values
        if known:
            words = [word for word in known if word is not None]
            null = " | None" if len(words) < len(known) or "null" in schema.get("type", ()) else ""
            return f"Literal[{', '.join(map(self.word, words))}]{null}"
        for some in ("oneOf", "anyOf"):
            if some in schema and all(
                "$ref" in one or "type" in one or "const" in one for one in schema[some]
            ):
                kinds = [self.of(one, f"{name}{at or ''}") for at, one in enumerate(schema[some])]
                return " | ".join(dict.fromkeys(kinds))
        kinds = schema.get("type", ())
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return " | ".join(self.plain(kind, schema, name) for kind in kinds) or "Any"

    def word(self, value):
        return json.dumps(value) if isinstance(value, str) else repr(value)

    def plain(self, kind, schema, name):
        if kind == "array":
            return f"list[{self.of(schema.get('items', {}), name + 'Item')}]"
        if kind != "object":
            return SIMPLE[kind]
        if "properties" in schema:
            while name in self.taken:
                name += "Data"
            self.object(name, schema)
            return name
        of = schema.get("additionalProperties")
        return f"dict[str, {self.of(of, name + 'Value') if isinstance(of, dict) else 'Any'}]"


def wrapped(line):
    """A line with a bracketed list, wrapped if it is too long."""
    if len(line) <= COLUMNS_MAX or "Literal[" not in line:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    head, rest = line.split("Literal[", 1)
    inside, tail = rest.rsplit("]", 1)
    rows, row = [], ""
    for word in inside.split(", "):
        if len(indent) + len(row) + len(word) + 2 > COLUMNS_MAX:
            rows.append(row.rstrip())
            row = ""
        row += f"{word}, "
    rows.append(row.rstrip(", "))
    return head + "Literal[\n" + "\n".join(indent + row for row in rows) + "\n" + indent[4:] + "]" + tail


def tidy(text):
    return "\n".join(wrapped(line) if line[-1:] != '"' else line for line in text.split("\n")).rstrip() + "\n"


def imports(text, names):
    used = [name for name in names if re.search(rf"\b{name}\b", text)]
    return f"from typing import {', '.join(used)}\n\n\n"


NAMES = ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict")


# --- REST ---


def schemas_py(contract):
    types = Types(contract["components"]["schemas"])
    types.all()
    text = types.text()
    return NOTE.format(about="Bodies of REST.", source="openapi.yaml") + imports(text, NAMES) + tidy(text)


class Operations:
    def __init__(self, contract):
        self.contract = contract
        self.types = Types(contract["components"]["schemas"])
        self.used = set()

    def resolved(self, node):
        while "$ref" in node:
            _, _, section, name = node["$ref"].split("/")
            node = self.contract["components"][section][name]
        return node

    def kind(self, schema):
        """Annotation of an operation's input or output; an unnamed schema becomes Any."""
        text = (
            self.types.of(schema, "X")
            if "$ref" in schema or schema.get("type") != "object"
            else "dict[str, Any]"
        )
        if "X" in re.findall(r"\b\w+\b", text):
            text = "Any"
        self.used.update(re.findall(r"\b[A-Z]\w+\b", re.sub(r'"[^"]*"', "", text)))
        return text

    def answer(self, operation):
        for status, response in operation["responses"].items():
            if status.startswith("2"):
                content = self.resolved(response).get("content", {})
                if "application/json" in content:
                    return self.kind(content["application/json"]["schema"]), "json"
                return ("str", "text") if content else ("None", "nothing")
        return "None", "nothing"

    def method(self, path, method, operation):
        before, after, query = ["self"], [], []
        parameters = [self.resolved(p) for p in operation.get("parameters", [])]
        for p in parameters:
            if p["in"] == "path":
                before.append(f"{safe(p['name'])}: str")
        call = [f'"{method.upper()}"', f'"{path}"', *(safe(name) for name in re.findall(r"\{(\w+)\}", path))]
        body = operation.get("requestBody")
        if body:
            body = self.resolved(body)
            kind = self.kind(next(iter(body["content"].values()))["schema"])
            before.append(f"body: {kind}" if body.get("required") else f"body: {kind} | None = None")
            call.append("body=body")
        for p in parameters:
            if p["in"] == "query":
                kind = self.kind(p["schema"])
                after.append(f"{safe(p['name'])}: {kind}" + ("" if p.get("required") else " | None = None"))
                query.append(f'"{p["name"]}": {safe(p["name"])}')
        if query:
            call.append(f"query={{{', '.join(query)}}}")
        if any(p["name"] == "Idempotency-Key" for p in parameters):
            after.append("key: str | None = None")
            call.append("key=key or new_key()")
        gives, form = self.answer(operation)
        if form == "text":
            call.append("text=True")
        arguments = ", ".join([*before, *(["*", *after] if after else [])])
        about = " ".join(operation["summary"].split()).rstrip(".")
        head = f"    def {snake(operation['operationId'])}({arguments}) -> {gives}:"
        if len(head) > COLUMNS_MAX:
            head = head.replace(f"({arguments})", "(\n" + filled("        " + arguments, 8) + "\n    )")
        asked = f"self.ask({', '.join(call)})"
        if len(asked) + 16 > COLUMNS_MAX:
            asked = "self.ask(\n" + filled(" " * 12 + ", ".join(call), 12) + "\n        )"
        return (
            f'{head}\n        """{about}."""\n        return {asked}\n'
            if form != "nothing"
            else (f'{head}\n        """{about}."""\n        {asked}\n')
        )


def operations_py(contract):
    operations = Operations(contract)
    methods = []
    for path, item in contract["paths"].items():
        methods += [operations.method(path, method, item[method]) for method in METHODS if method in item]
    text = "\n".join(methods)
    names = [name for name in operations.used if name not in NAMES and name not in ("None",)]
    head = NOTE.format(about="Every operation of REST.", source="openapi.yaml")
    head += f"from abc import ABC, abstractmethod\n{imports(text + ' Any', NAMES)[:-1]}"
    head += f"from .keys import new_key\nfrom .schemas import (\n    {', '.join(sorted(names))},\n)\n\n\n"
    head = re.sub(r"(?m)^    (\w+, )+\w+,$", lambda found: filled(found[0], 4), head)
    ask = '''class Operations(ABC):
    """One method per operation, named after its operationId. Requests that create something have a `key`; by
    default, each call generates a new one."""

    @abstractmethod
    def ask(
        self, method: str, path: str, *names: str,
        body: Any = None, query: Any = None, key: str | None = None, text: bool = False,
    ) -> Any:
        """Sends a request and returns the body of the response, or raises ApiError. names: values for the
        parameters in the path."""

'''
    return head + ask + text


def filled(line, indent):
    """A list, wrapped to as many lines as needed with this indentation."""
    rows, row = [], " " * (indent - 1)
    for word in line.strip().rstrip(",").split(", "):
        if len(row) + len(word) + 2 > COLUMNS_MAX:
            rows.append(row)
            row = " " * (indent - 1)
        row += f" {word},"
    return "\n".join([*rows, row])


# --- frames ---


def frames_py(contract):
    messages = contract["components"]["messages"]
    types = Types(contract["components"]["schemas"])
    types.all()
    for name, message in messages.items():
        types.declare("Frame" + camel(name), message["payload"])
    text = types.text()
    unions = ""
    for operation, of in contract["operations"].items():
        names = ["Frame" + camel(m["$ref"].split("/")[-1]) for m in of["messages"]]
        unions += (
            f"\n\n# {of['summary']}\n{camel(operation)}: TypeAlias = (\n    "
            + "\n    | ".join(f'"{n}"' for n in names).replace('"', "")
            + "\n)\n"
        )
    closes = "".join(
        f"# {row['text']}.\n{row['name'].upper()} = {row['code']}\n" for row in contract["x-close-codes"]
    )
    back = contract["x-back-off"]
    closes += "\n# Retry delays after some of them.\n"
    for name, value in back.items():
        closes += f"BACK_OFF_{name.upper()} = {tuple(value) if isinstance(value, list) else value}\n"
    head = NOTE.format(about="Frames of the live tables and the lobby.", source="asyncapi.yaml")
    return (
        head
        + imports(text, NAMES)
        + "# ---- Close codes\n"
        + closes
        + "\n\n# ---- Types\n"
        + tidy(text)
        + unions
    )


def files(rest, live):
    """Name → text of the files generated from openapi.yaml and asyncapi.yaml."""
    folder = "sdk/python/rummyd"
    return {
        f"{folder}/schemas.py": schemas_py(rest),
        f"{folder}/operations.py": operations_py(rest),
        f"{folder}/frames.py": frames_py(live),
    }
