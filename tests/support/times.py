"""Times that are promised. Each is measured and printed; it is held to its limit by the stage `times` alone,
which has the machine to itself (RUMMY_STRICT_TIMES=1), because a loaded machine is late."""

import os

STRICT = os.environ.get("RUMMY_STRICT_TIMES") == "1"


def promised(what, took_s, most_s):
    print(f"{what}: {took_s:.2f} s of {most_s} s")
    assert not STRICT or took_s < most_s, f"{what}: {took_s:.2f} s, more than {most_s} s"
