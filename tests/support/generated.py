"""Clients generated from openapi.yaml: how to generate and run them, and what each must print."""

import json
import subprocess

from support.cluster import ROOT

RUN_S_MAX = 900
GENERATOR = ROOT / "tests/apps/.venv/bin/openapi-generator-cli"


def run(*command, **options):
    """Runs a command, which must succeed, and returns its output."""
    it = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S_MAX, check=False, **options)
    assert it.returncode == 0, it.stdout + it.stderr
    return it.stdout


def generate(folder, language, *options, contract="openapi.yaml"):
    """Generates a client with openapi-generator. It cannot read a contract from a folder with a space in
    its name, so it runs inside the folder."""
    run(GENERATOR, "generate", "-g", language, "-i", contract, "-o", folder, *options, cwd=ROOT)


def judge(printed):
    """Checks the output of a smoke test in any language."""
    seen = json.loads(printed)
    assert seen["player"]["id"] and seen["player"]["nickname"]
    assert seen["variants"] == 10
    assert seen["seat"]["seat"] == 0 and seen["seat"]["ws_url"].startswith("ws")
    assert seen["wallet"]["silver"] > 0
    assert seen["refused"] == ["bad_option", "option_range", "/options/target"]
