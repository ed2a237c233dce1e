"""The data that the program takes from the contracts and the list of languages, as X-macros for C.
scripts/bundle calls it and writes the files."""

import re


class Wrong(Exception):
    """A part cannot be bundled. The text names the file and line, or the operation."""


# Members of the contract that clients do not need.
PRIVATE = re.compile(r"^ *x-(?:rule|bytes|sql|location): .*\n|, x-rule: \w+", re.M)


def published(text):
    """The contract without its private members."""
    return PRIVATE.sub("", text)


def operations(contract):
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def resolved(contract, part):
    """A part, or the part to which it refers."""
    while "$ref" in part:
        kind, name = part["$ref"].split("/")[-2:]
        part = contract["components"][kind][name]
    return part


# --- wire/frames.def ---

FRAMES = """\
/* Made by scripts/bundle from asyncapi.yaml; to be included after defining the macros that are needed:
 *
 *   WIRE_FRAME(ID, name)                 a frame of the server; events: engine/core/events.def
 *   WIRE_MEMBER(ID, name)                a member of the data of commands
 *   WIRE_COMMAND(ID, name, needs, may)   a command; members its data must and may have: WIRE_HAS(ID) | …
 *   WIRE_EMOTE(name)                     what an emote can say
 *   WIRE_CLOSE(ID, code)                 a close code of a socket
 */
"""


def frames_def(contract, known_events):
    """The names of the contract as X-macros, without the events, which the engine defines."""
    messages = contract["components"]["messages"]

    def frames(operation):
        for reference in contract["operations"][operation]["messages"]:
            properties = messages[reference["$ref"].split("/")[-1]]["payload"]["properties"]
            yield properties["t"]["const"], properties.get("d", {})

    events = [name for name, _ in frames("event")]
    if sorted(events) != sorted(known_events):
        differ = sorted(set(events) ^ set(known_events))
        raise Wrong(f"engine/core/events.def and messages/event.yaml differ in {', '.join(differ)}")

    rows = {"FRAME": [], "MEMBER": [], "COMMAND": [], "EMOTE": [], "CLOSE": []}
    for name, _ in [*frames("answer"), *frames("state"), *frames("lobby")]:
        rows["FRAME"].append(f'{name.upper()}, "{name}"')
    members = []
    for name, data in frames("command"):
        required = data.get("required", [])
        optional = [member for member in data.get("properties", {}) if member not in required]
        members += [member for member in required + optional if member not in members]
        needs, may = (
            " | ".join(f"WIRE_HAS({m.upper()})" for m in some) or "0" for some in (required, optional)
        )
        rows["COMMAND"].append(f'{name.upper()}, "{name}", {needs}, {may}')
    rows["MEMBER"] = [f'{member.upper()}, "{member}"' for member in members]
    rows["EMOTE"] = [f'"{emote}"' for emote in contract["components"]["schemas"]["emote"]["enum"]]
    rows["CLOSE"] = [f"{close['name'].upper()}, {close['code']}" for close in contract["x-close-codes"]]
    out = FRAMES
    for macro, listed in rows.items():
        out += f"#ifdef WIRE_{macro}\n" + "".join(f"WIRE_{macro}({row})\n" for row in listed)
        out += f"#undef WIRE_{macro}\n#endif\n"
    return out


# --- api/bodies.def ---

BODIES = """\
/* Made by scripts/bundle from openapi.yaml; to be included after defining the macros that are needed:
 *
 *   API_BODY(name)                             begins the body of a request
 *   API_BODY_MEMBER(name, ID, min, max, ...)   a member, as in struct api_spec_member (api/core/spec.h)
 *   API_BODY_END(name, ...)                    ends it, with members of struct api_spec
 */
"""
TYPES = {
    "string": "TEXT",
    "integer": "INT",
    "boolean": "BOOL",
    "array": "WORDS",
    "object": "OBJECT",
    "['integer', 'null']": "INT_OR_NULL",
}
BOUNDS = (
    ("minLength", "maxLength"),
    ("minimum", "maximum"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
FREE = ("about", "label", "line", "lines")  # rules for free text
BYTES_MIN = 4096  # the smallest body size limit
FREE_BYTES_MIN = 8192  # the same with free text


class Member:
    """A member of a body."""

    def __init__(self, contract, body, name, schema, required):
        schema = resolved(contract, schema)
        self.name, self.required, self.rule = name, required, schema.get("x-rule")
        self.constant = f"{capitals(body)}_{name.upper()}"
        self.choices = schema.get("enum") or resolved(contract, schema.get("items", {})).get("enum", [])
        self.type = TYPES.get(str(schema["type"]))
        bounds = (0, 0) if self.type == "BOOL" else bounds_of(schema)
        if not self.type or (self.type == "WORDS" and not self.choices):
            raise Wrong(f"{body}: api/core/spec.h has no type for {name}")
        if not bounds:
            raise Wrong(f"{body}: {name} has no bounds")
        self.min, self.max = bounds
        if self.type == "TEXT" and bool(self.rule) == bool(self.choices):
            raise Wrong(
                f"{body}: {name} is a string, so it needs either an enum or an x-rule (api/rules.def)"
            )

    def bytes(self):
        """The size of the member with its longest value. A client may escape each character of a free text
        as two sequences of six bytes."""
        value = len("-9223372036854775808")
        if self.type == "TEXT":
            value = self.max * (len("\\ud83d\\ude00") if self.rule in FREE else 1)
        elif self.type == "WORDS":
            value = sum(len(f'"{word}",') for word in self.choices)
        return len(f'"{self.name}":"",') + value

    def row(self, body):
        members = [f'.name = "{self.name}"', f".type = API_SPEC_{self.type}"]
        members += [".required = true"] if self.required else []
        words = "".join(f'"{word}", ' for word in self.choices)
        members += [f".choices = (const char *const[]){{{words}NULL}}"] if words else []
        members += [f".rule = &rule_{self.rule}"] if self.rule else []
        return f"API_BODY_MEMBER({body}, {self.constant}, {self.min}, {self.max}, {', '.join(members)})\n"


class Body:
    """The body of a request, named after its schema or, without one, after the operation."""

    def __init__(self, contract, operation, request, schema):
        name = operation["operationId"]
        self.name = schema["$ref"].split("/")[-1] if "$ref" in schema else name[0].upper() + name[1:]
        schema = resolved(contract, schema)
        required, properties = schema.get("required", ()), schema.get("properties", {})
        self.members = [
            Member(contract, self.name, each, of, each in required) for each, of in properties.items()
        ]
        self.optional = not request.get("required")
        self.object = f"api_body_{self.name}" if self.members else "api_spec_empty"
        most = len("{}") + sum(member.bytes() for member in self.members)
        least = FREE_BYTES_MIN if any(member.rule in FREE for member in self.members) else BYTES_MIN
        self.bytes = schema.get("x-bytes") or max(least, -(-most // 1024) * 1024)
        if self.bytes < most:
            raise Wrong(f"{self.name}: its x-bytes is less than the {most} bytes of its longest values")
        if not self.members and not self.optional:
            raise Wrong(f"{name}: its body has no members, so it cannot be required")

    def rows(self):
        members = "".join(member.row(self.name) for member in self.members)
        end = f".bytes_max = {self.bytes}" + (", .optional = true" if self.optional else "")
        return f"API_BODY({self.name})\n{members}API_BODY_END({self.name}, {end})\n"


def capitals(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def bounds_of(schema):
    """Minimum and maximum of a text's length, of an integer, or of the number of items or members."""
    if "x-graphemes" in schema:
        return schema["x-graphemes"]["min"], schema["x-graphemes"]["max"]
    for least, most in BOUNDS:
        if most in schema:
            return schema.get(least, 0), schema[most]
    found = re.search(r"{(\d+),(\d+)}", schema.get("pattern", ""))
    return (int(found[1]), int(found[2])) if found else None


def body_of(contract, operation):
    """None if there is no body, or one that the program does not parse."""
    request = resolved(contract, operation.get("requestBody", {}))
    schema = request and request["content"]["application/json"]["schema"]
    if not request or resolved(contract, schema)["additionalProperties"]:
        return None
    return Body(contract, operation, request, schema)


def bodies_def(contract):
    """The bodies of requests as X-macros."""
    rows = {}
    for _, _, operation in operations(contract):
        body = body_of(contract, operation)
        if body and body.members and rows.setdefault(body.name, body.rows()) != body.rows():
            raise Wrong(
                f"{operation['operationId']}: elsewhere its body is required, or it is optional only there"
            )
    out = BODIES + "".join(rows[name] for name in sorted(rows))
    return out + "#undef API_BODY\n#undef API_BODY_MEMBER\n#undef API_BODY_END\n"


# --- api/routes.def ---

ROUTES = """\
/* Made by scripts/bundle from openapi.yaml; to be included after defining the macros that are needed:
 *
 *   API_QUERY_PARAMETER(name)       the name of a query parameter
 *   API_ROUTE(operationId, ...)     an operation, with members of struct api_route (api/core/route.h)
 */
"""
SECURITY = {"[]": "ANYONE", "['bearer']": "PLAYER", "['bearer', None]": "READER", "['apiKey']": "KEY"}
# Status codes of a success.
OK, CREATED, EMPTY = "200", "201", "204"
MARKS = {"x-takes-seat": "takes_seat", "x-kept": "kept", "x-secret": "secret", "x-standby": "standby"}


def status_of(operation):
    """The status of a success; None if there is more than one."""
    listed = [str(status) for status in operation["responses"] if str(status).startswith("2")]
    return listed[0] if len(listed) == 1 else None


def route_of(contract, path, method, operation):
    name = operation["operationId"]
    ways = [next(iter(way), None) for way in operation.get("security", contract["security"])]
    role = SECURITY.get(str(ways))
    scope = operation.get("x-token-scope")
    if not role or bool(scope) != (role in ("PLAYER", "READER")):
        raise Wrong(f"{name}: no role of the program has this security and x-token-scope")
    parameters = [resolved(contract, each) for each in operation.get("parameters", [])]
    if re.findall(r"{(\w+)}", path) != [each["name"] for each in parameters if each["in"] == "path"]:
        raise Wrong(f"{name}: its parameters in the path differ from those of {path}")
    headers = [each["name"] for each in parameters if each["in"] == "header"]
    query = [each["name"] for each in parameters if each["in"] == "query"]
    rate = operation.get("x-rate", "read" if method == "get" and role != "KEY" else "write")
    members = [f'.method = "{method.upper()}"', f'.path = "{path}"', f".role = API_{role}"]
    members += [f".rate = API_RATE_{rate.upper()}"]
    members += [f".scope = API_SCOPE_{scope.upper()}"] if scope else []
    members += [f".query = {' | '.join(f'API_QUERY_OF({each})' for each in query)}"] if query else []
    members += [".idempotent = true"] if "Idempotency-Key" in headers else []
    members += [".tagged = true"] if "If-None-Match" in headers else []
    members += [f".{member} = true" for mark, member in MARKS.items() if operation.get(mark)]
    status = status_of(operation)
    members += [f".status = {status}"] if status not in (None, OK) else []
    if "x-location" in operation:
        if status != CREATED:
            raise Wrong(f"{name}: only a 201 has an x-location")
        members += [f'.location = "{operation["x-location"]}"']
    body = body_of(contract, operation)
    members += [f".body = &{body.object}"] if body else []
    return f"API_ROUTE({name}, {', '.join(members)})\n", query


def routes_def(contract):
    """The operations and their query parameters as X-macros."""
    rows, names = "", set()
    for path, method, operation in operations(contract):
        row, query = route_of(contract, path, method, operation)
        rows += row
        names.update(query)
    parameters = "".join(f"API_QUERY_PARAMETER({name})\n" for name in sorted(names))
    out = ROUTES
    for macro, listed in (("API_QUERY_PARAMETER", parameters), ("API_ROUTE", rows)):
        out += f"#ifdef {macro}\n{listed}#undef {macro}\n#endif\n"
    return out


# --- api/sql.def ---

SQL = """\
/* Made by scripts/bundle from openapi.yaml: operations that one SQL function implements (x-sql). To be
 * included after defining what is wanted of
 *
 *   API_SQL(function, SQL, n)   a statement with n parameters
 *   API_SQL_OPERATION(operationId, function, writes, reply, ...)
 *                               an operation; the rest are struct api_bind (api/core/operations.h)
 */
"""
# Arguments of x-sql, and the number of parameters that each binds.
ARGUMENTS = {
    "player": 1,
    "session": 1,
    "key": 1,
    "idem": 1,
    "body_hash": 1,
    "search": 2,
    "page": 4,
    "below": 2,
}
QUOTE = "'"
LITERAL = re.compile(r"true|false|null|'\w+'")
BODY_TYPES = ("TEXT", "INT", "BOOL")
WORD = "^[A-Za-z0-9_:-]{1,64}$"
# Additional columns that a function can return, on which the program acts (api/sql.h).
EFFECTS = ("ended", "seats_of", "cancels", "nickname_changes_at")


class Call:
    """The x-sql of an operation: function(argument, ...) -> effect, ..."""

    def __init__(self, contract, path, operation):
        self.name, self.path = operation["operationId"], path
        call = re.fullmatch(r"(\w+)\((.*?)\)(?: -> (.*))?", operation["x-sql"])
        if not call:
            raise Wrong(f"{self.name}: x-sql is not function(argument, ...) -> effect, ...")
        self.function, self.arguments = call[1], call[2].split(", ")
        self.effects = call[3].split(", ") if call[3] else []
        unknown = [effect for effect in self.effects if effect not in EFFECTS]
        if unknown:
            raise Wrong(f"{self.name}: x-sql has no effect {unknown[0]}")
        self.status = status_of(operation)
        body = body_of(contract, operation)
        self.members = {member.name: member for member in body.members} if body else {}
        parameters = [resolved(contract, each) for each in operation.get("parameters", [])]
        self.schemas = {(each["in"], each["name"]): each["schema"] for each in parameters}
        if (("header", "Idempotency-Key") in self.schemas) != ("idem" in self.arguments):
            raise Wrong(f"{self.name}: x-sql binds idem if there is an Idempotency-Key, and not otherwise")
        bound = [self.bound(argument) for argument in self.arguments]
        self.binds = [bind for binds, _ in bound for bind in binds]
        self.n = sum(n for _, n in bound)

    def bound(self, argument):
        """The binds of an argument, and their number of parameters."""
        kind, _, of = argument.partition(".")
        hashed = re.fullmatch(r"hash\(body\.(\w+)\)", argument)
        if LITERAL.fullmatch(argument):
            text = "" if argument == "null" else f', .text = "{argument.strip(QUOTE)}"'
            return [f"{{.kind = API_BIND_LITERAL{text}}}"], 1
        if argument in ARGUMENTS:
            return [f"{{.kind = API_BIND_{argument.upper()}}}"], ARGUMENTS[argument]
        if hashed and self.is_text(hashed[1]):
            return [f"{{.kind = API_BIND_HASH, .at = {self.members[hashed[1]].constant}}}"], 1
        if argument == "body" or (kind == "body" and of in self.members):
            bound = [member for member in self.members.values() if of in ("", member.name)]
            if all(member.type in BODY_TYPES for member in bound):
                return [self.of_body(member) for member in bound], len(bound)
        elif (kind, of) in self.schemas and kind in ("path", "query"):
            bind = getattr(self, f"of_{kind}")(of, self.schemas[kind, of])
            if bind:
                return [f"{{.kind = API_BIND_{bind}}}"], 1
        raise Wrong(f"{self.name}: x-sql cannot bind {argument}")

    def is_text(self, name):
        return name in self.members and self.members[name].type == "TEXT"

    def of_body(self, member):
        kind = "NAME" if member.rule == "nickname" else "BODY"
        return f"{{.kind = API_BIND_{kind}, .at = {member.constant}}}"

    def of_path(self, name, schema):
        at = re.findall(r"{(\w+)}", self.path).index(name)
        if str(schema.get("$ref")).endswith("/Id"):
            return f"PATH, .at = {at}"
        if schema["type"] == "integer":
            return f"NUMBER, .at = {at}, .min = {schema['minimum']}, .max = {schema['maximum']}"
        return f"{'DAY' if schema.get('format') == 'date' else 'TEXT'}, .at = {at}"

    def of_query(self, name, schema):
        at = f".at = API_QUERY_NO_{name}"
        if str(schema.get("$ref")).endswith("/Id"):
            return f"QUERY_ID, {at}"
        if name == "variant":
            return f"QUERY_VARIANT, {at}"
        if "enum" in schema:
            words = "".join(f'"{word}", ' for word in schema["enum"])
            default = f', .text = "{schema["default"]}"' if "default" in schema else ""
            return f"QUERY_CHOICE, {at}, .choices = (const char *const[]){{{words}NULL}}{default}"
        if schema.get("format") == "date-time":
            return f"QUERY_TIME, {at}"
        return f"QUERY_WORD, {at}" if schema.get("pattern") == WORD else None

    def statement(self):
        """The row of the statement, which is named after the function."""
        columns = ["code", *([] if self.status == EMPTY else ["body"]), *self.effects]
        if "page" in self.arguments:
            columns = ["code", "body", "at1", "at2", "at3"]
        elif "below" in self.arguments:
            columns = ["id", "body"]
        repeated = ', " API_REPEATED "' if "idem" in self.arguments else ""
        places = ", ".join(f"${i + 1}" for i in range(self.n))
        call = f"{self.function}({places})"
        return f'API_SQL({self.function}, "SELECT {", ".join(columns)}{repeated} FROM {call}", {self.n})\n'

    def reply(self):
        if "page" in self.arguments or "below" in self.arguments:
            return "api_json_page_reply" if "page" in self.arguments else "api_json_list_reply"
        if self.effects or any("API_BIND_NAME" in bind for bind in self.binds):
            return "api_sql_reply"
        return "api_row_reply_code" if self.status == EMPTY else "api_json_reply"

    def row(self):
        # Every request of an operator adds an audit log entry.
        writes = "true" if self.function.startswith("do_") or "key" in self.arguments else "false"
        binds = ", ".join(self.binds)
        return f"API_SQL_OPERATION({self.name}, {self.function}, {writes}, {self.reply()}, {binds})\n"


def sql_def(contract):
    """The operations with x-sql and their statements as X-macros."""
    statements, rows = {}, ""
    for path, _, operation in operations(contract):
        if "x-sql" in operation:
            call = Call(contract, path, operation)
            if statements.setdefault(call.function, call.statement()) != call.statement():
                raise Wrong(f"{call.name}: another operation calls {call.function} in another way")
            rows += call.row()
    out = SQL
    for macro, listed in (("API_SQL", "".join(statements.values())), ("API_SQL_OPERATION", rows)):
        out += f"#ifdef {macro}\n{listed}#undef {macro}\n#endif\n"
    return out


# --- mail/languages.def, mail/dates.def ---

LANGUAGES = """\
/* Made by scripts/bundle from web/src/lib/messages/languages.json; to be included after defining the macros
 * that are needed:
 *
 *   MAIL_LANGUAGE(name, "tag")   a language of emails and of the page, whose tag (BCP 47) is a folder of
 *                                mail/templates with one file per email. name: the tag as a name in C. The
 *                                first language is the default
 *   MAIL_NEAR("tag", "as")       readers of the language tag get emails in the language as
 */
"""

DATES = """\
/* Made by scripts/bundle from web/src/lib/messages/languages.json: how each language writes a date or a
 * duration in an email; to be included after defining the macros that are needed:
 *
 *   MAIL_DATE("tag", "day", "time", "first", "month"…)
 *       A day; a day and its time; the number of the first day of a month; the names of the twelve months as
 *       used in a date, in Serbian in the genitive. In the patterns, %d is the day of the month, %B the
 *       month, %Y the year, %H and %I the hour of 24 and of 12, %M the minute, and %p is AM or PM.
 *   MAIL_SPAN("tag", "minutes", "hours", "days")
 *       The plural forms (mail/plural.h) of durations, in the case that follows "within" or "for": the
 *       accusative in German ("einen Tag lang"), the genitive in Serbian ("u roku od jednog sata").
 */
"""


def languages_def(languages):
    """The languages of emails, and the tags of unsupported languages that are close to one of them."""
    for tag, row in languages.items():
        if not re.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?", tag) or not isinstance(row, dict):
            raise Wrong(f"languages.json: {tag} must be a language with an optional script, such as sr-Latn")
    near = {as_: tag for tag, row in languages.items() for as_ in row.get("near", ()) if as_ not in languages}
    rows = [f'MAIL_LANGUAGE({tag.replace("-", "_")}, "{tag}")\n' for tag in languages]
    nears = [f'MAIL_NEAR("{tag}", "{as_}")\n' for tag, as_ in near.items()]
    return (
        f"{LANGUAGES}#ifdef MAIL_LANGUAGE\n{''.join(rows)}#endif\n#ifdef MAIL_NEAR\n{''.join(nears)}#endif\n"
    )


def dates_def(languages):
    """The files in the folders of the languages."""
    return DATES + "".join(f'#include "mail/templates/{tag}/dates.def"\n' for tag in languages)
