"""Amounts that a normal run reduces and `make nightly` does not (RUMMY_VOLUMES_ALL=1). docs/development.md
lists them."""

import os

ALL = os.environ.get("RUMMY_VOLUMES_ALL") == "1"


def volume(nightly, usual):
    return nightly if ALL else usual
