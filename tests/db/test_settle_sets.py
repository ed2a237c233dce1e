"""Games settled in sets leave the same rows in every table as games settled one by one, seat by seat
(settle_oracle.sql)."""

import contextlib
import os

import pytest
from settle_world import SettleWorld

GAMES = int(os.environ.get("RUMMY_SETTLE_GAMES", "40"))
OWN_DATABASES = True  # a world in replica mode
WORLD_GAMES = 150  # then a new world, because its tables have grown


@pytest.mark.parametrize("seed", range(-(-GAMES // WORLD_GAMES)))
def test_both_implementations_leave_the_same_rows(rig, seed):
    with contextlib.closing(SettleWorld(rig, seed)) as world:
        while world.games < min(WORLD_GAMES, GAMES - seed * WORLD_GAMES):
            differences = world.compare()
            assert not differences, differences
        assert rig.proof() == []
