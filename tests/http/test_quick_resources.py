"""`scripts/test quick` covers every REST resource: it sends a good request to every operation."""

import json
import subprocess

import pytest
import requests
import test_operations
from support.cluster import RUMMYD
from support.operations import BY_ID, OPERATIONS
from support.wait import HANG_S

OUTSIDE = [operation for operation in OPERATIONS if not operation.ours]
GROUPS = ("me", "auth", "admin")  # prefixes of resources; the next segment names the resource


def resource(path):
    segments = [one for one in path.strip("/").split("/") if not one.startswith("{")]
    segments = segments[1:] if segments[0] == "v1" else segments
    return "/".join(segments[: 2 if segments[0] in GROUPS else 1])


@pytest.mark.quick
@pytest.mark.parametrize("operation", OUTSIDE, ids=str)
def test_a_path_outside_v1_is_served(server, operation):
    assert requests.get(server.url + operation.path, timeout=HANG_S).status_code == 200


def quick_operations():
    """Operations covered by a test marked quick, here or in test_operations.py."""
    for test in [*vars(test_operations).values(), *globals().values()]:
        marks = {mark.name: mark.args for mark in getattr(test, "pytestmark", [])}
        if "quick" in marks and marks.get("parametrize", ("",))[0] == "operation":
            yield from marks["parametrize"][1]


@pytest.mark.quick
def test_every_resource_has_a_quick_scenario():
    routes = json.loads(subprocess.run([RUMMYD, "routes"], check=True, stdout=subprocess.PIPE).stdout)
    covered = {resource(BY_ID[operation.id].path) for operation in quick_operations()}
    missed = {resource(route["path"]) for route in routes} - covered
    assert not missed, "mark a test with @pytest.mark.quick that these take part in"
