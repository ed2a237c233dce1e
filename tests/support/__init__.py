"""Helpers that tests share. Where a plain client suffices, they use sdk/python, and validate every reply
against the contracts."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk/python"))
