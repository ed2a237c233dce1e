"""Documented time limits. Each time is measured and printed. Only the stage `times`, which runs alone on
the machine (RUMMY_STRICT_TIMES=1), enforces the limits, because a loaded machine is slow."""

import os

STRICT = os.environ.get("RUMMY_STRICT_TIMES") == "1"


def promised(what, took_s, most_s):
    print(f"{what}: {took_s:.2f} s of {most_s} s")
    assert not STRICT or took_s < most_s, f"{what}: {took_s:.2f} s, more than {most_s} s"
