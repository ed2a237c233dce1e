"""Clients generated from openapi.yaml: how to make and run them, and what each of them has to show."""

import json
import subprocess

from support.cluster import ROOT

RUN_S_MAX = 900
GENERATOR = ROOT / "tests/apps/.venv/bin/openapi-generator-cli"


def run(*command, **options):
    """What a command prints; it must end well."""
    it = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S_MAX, check=False, **options)
    assert it.returncode == 0, it.stdout + it.stderr
    return it.stdout


def generate(folder, language, *options, contract="openapi.yaml"):
    """A client by openapi-generator. It reads no contract in a folder with a blank in its name: so from
    within."""
    run(GENERATOR, "generate", "-g", language, "-i", contract, "-o", folder, *options, cwd=ROOT)


def judge(printed):
    """What a smoke test has printed, whatever its language."""
    seen = json.loads(printed)
    assert seen["player"]["id"] and seen["player"]["nickname"]
    assert seen["variants"] == 10
    assert seen["seat"]["seat"] == 0 and seen["seat"]["ws_url"].startswith("ws")
    assert seen["wallet"]["silver"] > 0
    assert seen["refused"] == ["bad_option", "option_range", "/options/target"]
