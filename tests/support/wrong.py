"""Invalid bodies and parameters, generated from their schemas, with the allowed refusals and the location
that these must name. This module only generates them; tests/http/test_operations.py sends them."""

import json
import re
from typing import NamedTuple

from .contract import resolve


class Wrong(NamedTuple):
    what: str
    sent: object  # bytes of a body, or text of a parameter, escaped for sending
    refusals: set  # pairs (status, code), one of which must be returned
    place: tuple = ()  # ("pointer", "/email"), which the problem must name, or empty


BAD_JSON, BAD_UTF8 = {(400, "bad_json")}, {(400, "bad_utf8")}

# Bodies that are not a JSON object, for any endpoint.
NO_OBJECT = [
    ("a blank", b" ", BAD_JSON),
    ("null", b"null", BAD_JSON),
    ("a list", b"[]", BAD_JSON),
    ("a list of an object", b"[{}]", BAD_JSON),
    ("a text", b'"x"', BAD_JSON),
    ("a number", b"7", BAD_JSON),
    ("true", b"true", BAD_JSON),
    ("half an object", b"{", BAD_JSON),
    ("a member without a value", b'{"email":}', BAD_JSON),
    ("single quotes", b"{'email':1}", BAD_JSON),
    ("a name without quotes", b"{email:1}", BAD_JSON),
    ("a comma behind the last", b'{"email":"a@b.de",}', BAD_JSON),
    ("a comment", b'{"email":1/* x */}', BAD_JSON),
    ("a brace too many", b"{}}", BAD_JSON),
    ("two objects", b'{} {"x":1}', BAD_JSON),
    ("a byte order mark", b"\xef\xbb\xbf{}", BAD_JSON),
    ("a NUL behind it", b"{}\x00", BAD_JSON),
    ("no number", b'{"email":NaN}', BAD_JSON),
    ("a number with zeros", b'{"email":007}', BAD_JSON),
    ("half a pair", b'{"email":"\\ud800"}', BAD_JSON),
    ("a line break in a text", b'{"email":"a\nb"}', BAD_JSON),
    ("far too deep", b"[" * 200, BAD_JSON),
    (
        "deep and whole",
        b'{"a":' * 100 + b"1" + b"}" * 100,
        {(400, "bad_json"), (422, "unknown_member"), (413, "body_too_large")},
    ),
    ("another encoding", '{"email":"ä"}'.encode("latin-1"), BAD_UTF8),
    ("UTF-16", '{"a":1}'.encode("utf-16"), BAD_UTF8),
    ("overlong bytes", b'{"email":"\xc0\xaf"}', BAD_UTF8),
    ("a surrogate in UTF-8", b'{"email":"\xed\xa0\x80"}', BAD_UTF8),
    ("half a character", b'{"email":"\xc3"}', BAD_UTF8),
]

SAMPLES = {
    "string": '"x"',
    "integer": "1",
    "number": "1.5",
    "boolean": "true",
    "null": "null",
    "array": "[]",
    "object": "{}",
}
OPTION = {(422, "bad_option")}  # the variant defines the members of `options`
LENGTH, FORMAT, RANGE, TYPE = (
    {(422, "bad_length")},
    {(422, "bad_format")},
    {(422, "out_of_range")},
    {(422, "wrong_type")},
)


def types_of(schema):
    said = schema.get("type", [])
    return [said] if isinstance(said, str) else said


def lengths_of(schema):
    """The minimum and maximum length of a text."""
    least, most = schema.get("minLength"), schema.get("maxLength")
    bounds = re.search(r"\{(\d+),(\d+)\}\$?$", schema.get("pattern", ""))
    if most is None and bounds:
        return int(bounds[1]), int(bounds[2])
    return least or 0, most


def wrong_texts(schema):
    """(name, JSON, refusals) of texts that do not match a schema."""
    least, most = lengths_of(schema)
    if most is not None:
        yield "too long", json.dumps("a" * (most + 1)), LENGTH
        yield (
            "too long by a wide character",
            json.dumps("😀" * (most + 1), ensure_ascii=False),
            LENGTH | {(413, "body_too_large")},
        )
    if least:
        yield "empty", '""', LENGTH
    if least > 1:
        yield "too short", json.dumps("a" * (least - 1)), LENGTH
    fits = max(least, 1)
    if "pattern" in schema:
        for letter in "'", "é", " ", "\n":
            if not re.fullmatch(schema["pattern"].strip("^$"), letter * fits):
                yield f"with {letter!r}", json.dumps(letter * fits), FORMAT
    if "enum" in schema:
        for word in ("a" * fits, schema["enum"][0].upper(), schema["enum"][0] + " "):
            yield f"{word!r}, which is not a choice", json.dumps(word), FORMAT | LENGTH
    if schema.get("format") == "email":
        for address in (
            "no address",
            "a@b@example.org",
            "a b@example.org",
            "abc@",
            "@example.org",
            "a@example.org\n",
            "a@example.org, b@example.org",
        ):
            yield f"{address!r}", json.dumps(address), FORMAT
    nul = ("a" * fits)[:-1] + "\\u0000"
    yield "with a NUL", f'"{nul}"', FORMAT


def wrong_values(schema):
    """(name, JSON, refusals) of values that do not match a schema."""
    allowed = types_of(schema)
    for kind, text in SAMPLES.items():
        if kind not in allowed and not (kind == "integer" and "number" in allowed):
            yield f"of type {kind}", text, TYPE
    if "integer" in allowed:
        yield "a number that is not whole", "1.5", TYPE
        if "string" not in allowed:
            yield "a number in quotes", '"1"', TYPE
        if "minimum" in schema:
            yield "too small", str(schema["minimum"] - 1), RANGE
        if "maximum" in schema:
            yield "too large", str(schema["maximum"] + 1), RANGE
            yield "larger than 32 bits", str(2**32 + schema["maximum"]), RANGE
        yield "beyond 64 bits", str(2**64), RANGE
        yield "below 64 bits", str(-(2**63) - 1), RANGE
        yield "beyond all numbers", "1e999", RANGE | TYPE
    if "string" in allowed:
        yield from wrong_texts(schema)
    if "array" in allowed and "maxItems" in schema:
        yield "too many items", json.dumps([0] * (schema["maxItems"] + 1)), LENGTH | TYPE


def pointer(*names):
    return ("pointer", "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names))


def wrong_inside(name, schema):
    """(name, JSON of the member, refusals, place) of faults inside an object or a list."""
    if "object" in types_of(schema):
        if isinstance(schema.get("additionalProperties"), dict):
            for what, text, refusals in wrong_values(resolve(schema["additionalProperties"])):
                if (422, "wrong_type") in refusals:
                    yield f"whose member is {what}", f'{{"x": {text}}}', refusals, pointer(name, "x")
        for inner, said in schema.get("properties", {}).items():
            for what, text, refusals in wrong_values(resolve(said)):
                more = OPTION if name == "options" else set()
                yield (
                    f"whose {inner} is {what}",
                    f'{{"{inner}": {text}}}',
                    refusals | more,
                    pointer(name, inner),
                )
        if "maxProperties" in schema:
            yield (
                "with too many members",
                json.dumps({f"x{i}": 1 for i in range(schema["maxProperties"] + 1)}),
                LENGTH,
                pointer(name),
            )
    if "array" in types_of(schema) and "items" in schema:
        for what, text, refusals in wrong_values(resolve(schema["items"])):
            # If the JSON cannot be parsed, the error names the member, not an item in it.
            place = pointer(name) if what == "with a NUL" else pointer(name, "0")
            yield f"whose item is {what}", f"[{text}]", refusals, place


def body_of(members):
    """members: name → JSON of its value."""
    return ("{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in members.items()) + "}").encode()


def wrong_members(schema, good):
    """Bodies with exactly one fault."""
    texts = {name: json.dumps(value) for name, value in good.items()}
    for name, said in schema.get("properties", {}).items():
        said = resolve(said)
        for what, text, refusals in wrong_values(said):
            yield Wrong(f"{name} {what}", body_of({**texts, name: text}), refusals, pointer(name))
        for what, text, refusals, place in wrong_inside(name, said):
            yield Wrong(f"{name} {what}", body_of({**texts, name: text}), refusals, place)
    for name in schema.get("required", []):
        rest = {other: text for other, text in texts.items() if other != name}
        yield Wrong(f"{name} missing", body_of(rest), {(422, "missing_member")}, pointer(name))
    for name in "colour", "__proto__", "", "a/b~c", "é", *(name.upper() for name in list(texts)[:1]):
        for value in "1", "null", "{}":
            yield Wrong(
                f"{name!r} is not known",
                body_of({**texts, name: value}),
                {(422, "unknown_member")},
                pointer(name),
            )
    yield Wrong(
        "a number beyond all, not known", body_of({**texts, "colour": "1e999"}), RANGE, pointer("colour")
    )
    yield Wrong("a NUL, not known", body_of({**texts, "colour": '"\\u0000"'}), FORMAT, pointer("colour"))
    for name, text in (texts or {"colour": "1"}).items():
        for other in text, "null":
            twice = body_of({**texts, name: text})[:-1] + f", {json.dumps(name)}: {other}}}".encode()
            yield Wrong(f"{name} twice", twice, {(400, "duplicate_member")}, pointer(name))
        hidden = f'"\\u{ord(name[0]):04x}{name[1:]}"'
        yield Wrong(
            f"{name} twice, once in disguise",
            body_of({**texts, name: text})[:-1] + f", {hidden}: {text}}}".encode(),
            {(400, "duplicate_member")},
        )


def wrong_bodies(operation, good):
    """All invalid bodies of this operation."""
    yield from (Wrong(what, sent, refusals) for what, sent, refusals in NO_OBJECT)
    if not operation.body_optional:
        yield Wrong("no body", b"", BAD_JSON)
    yield from wrong_members(operation.body, good)


# --- parameters ---

# Allowed replies to odd path segments, with which the address may be unknown.
NOWHERE = {(400, "bad_path"), (400, "bad_parameter"), (404, "not_found")}
ODD_PARTS = [
    "%00",
    "1%00",
    "%0A",
    "1%0d%0aX:y",
    "%2F",
    "1%2F",
    "%2F1",
    "..%2F1",
    "%2e%2e",
    "%2e",
    "%5C",
    "%FF",
    "%C0%AF",
    "%ED%A0%80",
    "x" * 63,
    "x" * 64,
    "x" * 500,
    "%20",
    "%F0%9F%98%80",
    "%27%20OR%201=1--",
    "%7Bx%7D",
    "%25",
    "%",
    "%zz",
]
NO_IDS = [
    "x",
    "0",
    "-1",
    "+1",
    "01",
    "1.0",
    "1e3",
    "0x1f",
    "%201",
    "1%20",
    "1_0",
    "%C2%B2",
    "%D9%A1",
    "9223372036854775808",
    "99999999999999999999",
    "1;2",
    "1,2",
]
NO_NAMES = ["A-B", "a%20b", "a.b", "%C3%BC", "x" * 33, "a%27b"]


def is_id(schema):
    return schema.get("pattern", "").startswith("^[1-9]")


def wrong_parts(name, schema, unknown):
    """Invalid path parameters. unknown: the refusals of a well-formed value that does not exist. Its form
    distinguishes an id from other text."""
    for part in ODD_PARTS:
        yield Wrong(f"{name} {part[:40]}", part, NOWHERE | unknown)
    for part in NO_IDS if is_id(schema) else NO_NAMES:
        refusals = {(400, "bad_parameter")} if is_id(schema) else {(400, "bad_parameter")} | unknown
        yield Wrong(f"{name} {part}", part, refusals, ("parameter", name) if is_id(schema) else ())


# Parameters without listed values in the contract: some accept anything, others must name an existing item.
FREE, NAMES_SOMETHING = {"q", "nickname", "player", "tag"}, {"key", "action"}


def wrong_queries(name, schema):
    """Invalid query parameters, as query strings."""
    place = ("parameter", name)
    bad = {(400, "bad_parameter")}
    if schema.get("type") == "integer":
        for text in (
            str(schema["minimum"] - 1),
            str(schema["maximum"] + 1),
            str(2**32 + 1),
            str(2**63),
            "-" + str(2**64),
            "",
            "x",
            "1.0",
            "1e0",
            "0x1",
            "%201",
            "1%20",
            "1%2C2",
            "%D9%A1",
            "null",
            "true",
        ):
            yield Wrong(f"{name}={text}", f"{name}={text}", bad, place)
    elif schema.get("type") == "boolean":
        for text in "", "x", "TRUE", "true%20", "1", "0", "yes", "true,false", "%FF", "null":
            yield Wrong(f"{name}={text}", f"{name}={text}", bad, place)
    elif name == "cursor":
        for text in "", "x", "A" * 22, "A" * 80, "A" * 201, "%FF", "AAAA%3D%3D", "..", "null":
            yield Wrong(f"{name}={text[:30]}", f"{name}={text}", {(400, "bad_cursor")}, place)
    elif "enum" in schema:
        for text in (
            "",
            "x",
            schema["enum"][0].upper(),
            schema["enum"][0] + "%20",
            ",".join(schema["enum"]),
            "%FF",
            "null",
        ):
            yield Wrong(f"{name}={text}", f"{name}={text}", bad, place)
    elif schema.get("format") == "date-time":
        for text in (
            "",
            "x",
            "now",
            "0",
            "1795203000",
            "2026-11-20",
            "2026-11-20T19:30:00",
            "2026-11-20T19:30:00%2B01:00",
            "2026-11-20%2019:30:00Z",
            "2026-11-31T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T19:30:00.Z",
            "x" * 31,
            "%FF",
            "-infinity",
        ):
            yield Wrong(f"{name}={text}", f"{name}={text}", bad, place)
    else:
        assert name in FREE or name in NAMES_SOMETHING, (
            f"{name}: say in wrong.py whether any value is good, or list the values in the contract"
        )
        if name in NAMES_SOMETHING:
            yield Wrong(f"{name}=no_such_value", f"{name}=no_such_value", bad, place)
        least, most = lengths_of(schema)
        for text in (
            ([""] if least else [])
            + ["x" * (most + 1), "%FF", "%C0%AF"]
            + [odd for odd in ("A-B", "a%20b", "%C3%BC") if not re.search(schema.get("pattern", ""), odd)]
        ):
            yield Wrong(f"{name}={text[:30]}", f"{name}={text}", bad, place)
    for text in (
        f"{name}=1&{name}=1",
        f"{name}=1&{name}=2",
        f"{name}&{name}",
        f"{name}=1&%{ord(name[0]):x}{name[1:]}=1",
    ):
        yield Wrong(text, text, bad, place)
    yield Wrong(
        f"{name} without a value", name, bad | ({(400, "bad_cursor")} if name == "cursor" else set()), place
    )


def unknown_queries(known):
    for name in (
        "colour",
        "",
        "%FF",
        "%22%3C",
        "__proto__",
        "limit%5B%5D",
        *(n.upper() for n in known),
        *{"limit", "cursor", "q", "hand", "variant", "since", "until", "cause", "format"} - set(known),
    ):
        yield Wrong(f"?{name}=1", f"{name}=1", {(400, "bad_parameter")})


# --- keys ---

WRONG_KEYS = [
    ("none", None, "idempotency_key_missing"),
    ("empty", "", "idempotency_key_bad"),
    ("too long", "k" * 65, "idempotency_key_bad"),
    ("far too long", "k" * 1000, "idempotency_key_bad"),
    *((f"with {c!r}", f"a{c}b", "idempotency_key_bad") for c in " ./\"',;:=\u00e4{"),
]
