"""What tests share. Where a client will do, it is that of sdk/python, with every answer held against the
contracts."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk/python"))
