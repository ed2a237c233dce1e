"""What Schemathesis cannot derive from the contract. test_schemathesis.py starts it with this file."""

import itertools
import json
import os
import pathlib
import re
import uuid

import schemathesis
from schemathesis.core.parameters import ParameterLocation

ANSWERS = pathlib.Path(os.environ["ANSWERS"])
# For each operation: its caller (`token`), existing items (`path`), and a body that is accepted once
# (`body`), created by test_schemathesis.py.
GOOD = json.loads(pathlib.Path(os.environ["GOOD_REQUESTS"]).read_text(encoding="utf-8"))
WHOSOEVER = "Bearer " + os.environ["TOKEN"]  # the value in schemathesis.toml if a caller is needed
LABELS = {"name", "holder", "about"}
CLUBS = ("createClub", "changeClub", "renameClub")
untried = set(GOOD)
turns = itertools.count()


def is_good(case, part):
    return not case.meta or part not in case.meta.components or case.meta.components[part].mode.is_positive


def mend_query(query):
    """Constraints between parameters. A cursor comes from the previous page, signed by the server: made-up
    ones are invalid, and tests/http/test_lists.py covers those. An export has no pages. A time range ends
    after its start."""
    query.pop("cursor", None)
    if query.get("format") == "ndjson":
        query.pop("limit", None)
    if "since" in query and "until" in query:
        query["since"], query["until"] = sorted((query["since"], query["until"]))


def mend_names(operation, body):
    """Rules that no pattern expresses: a nickname, or a club's name, is unique and has at most 20 graphemes;
    a label or a club message contains nothing invisible."""
    if operation in CLUBS and isinstance(body.get("name"), str):
        body["name"] = "Owls " + uuid.uuid4().hex[:8]
    if isinstance(body.get("nickname"), str):
        body["nickname"] = "Mia " + uuid.uuid4().hex[:8]
    if (
        operation == "sendClubMessage"
        and isinstance(body.get("text"), str)
        and not (body["text"].isprintable() and body["text"].strip())
    ):
        body["text"] = f"line {len(body['text'])}"
    for label in LABELS & set(body):
        if isinstance(body[label], str) and not (
            body[label].isprintable() and body[label] == body[label].strip()
        ):
            body[label] = f"label {len(body[label])}"


@schemathesis.hook
def before_call(_, case, kwargs):
    """Each operation has its own caller, so that signing out or deleting one does not affect others. Every
    second call uses valid path values, and each idempotency key is new."""
    operation = case.operation.definition.raw["operationId"]
    good = GOOD[operation]
    headers = case.headers
    if headers and headers.get("Authorization") == WHOSOEVER and good["token"]:
        headers["Authorization"] = "Bearer " + good["token"]
    key = headers.get("Idempotency-Key") if headers else None
    if isinstance(key, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", key):
        headers["Idempotency-Key"] = uuid.uuid4().hex
    if good["path"] and is_good(case, ParameterLocation.PATH) and next(turns) % 2:
        case.path_parameters.update(good["path"])
    if operation in untried and isinstance(case.body, dict) and is_good(case, ParameterLocation.BODY):
        untried.remove(operation)
        case.body = good["body"] or case.body
        case.path_parameters.update(good["path"])
    if case.query and is_good(case, ParameterLocation.QUERY):
        mend_query(case.query)
    if isinstance(case.body, dict) and is_good(case, ParameterLocation.BODY):
        mend_names(operation, case.body)


@schemathesis.hook
def after_call(_, case, response):
    if case.method != case.operation.method.upper():
        return  # a method that the path does not have
    with ANSWERS.open("a", encoding="utf-8") as answers:
        print(case.operation.definition.raw["operationId"], response.status_code, file=answers)
