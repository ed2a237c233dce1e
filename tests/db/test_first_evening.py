"""A newcomer's first evening: its gains fit into the purse."""

import pytest
from support.chips import WELCOME_SILVER

WIN, LOSS = [1, 2, 3, 4], [3, 1, 2, 4]  # places against three bots
MIDNIGHT = "midnight"

EVENINGS = [
    [WIN],
    [MIDNIGHT],
    [LOSS, WIN, MIDNIGHT],
    [LOSS, MIDNIGHT, WIN],
    [MIDNIGHT, LOSS, WIN],
    [WIN, LOSS, MIDNIGHT],
    [WIN, WIN, WIN],
]


@pytest.fixture
def newcomer(rig):
    """A guest, in a week whose quests one game and one win complete."""
    rig.rows(
        "UPDATE quests SET goal = 1, on_offer = id IN ('games_10', 'any_wins_5'), slot = CASE id"
        " WHEN 'any_wins_5' THEN 2 ELSE slot END"
    )
    return rig.one("SELECT do_create_player('guest', 'Newcomer', '')")


def spend(rig, player, evening):
    """Plays the evening; returns the outcome of the first game that the player won, if any."""
    won = None
    for moment in evening:
        if moment == MIDNIGHT:
            assert rig.one("SELECT do_daily_bonus(ARRAY[%s], now() + interval '1 day')", player) == 1
        else:
            row = rig.settle(rig.table_of(player), moment)[0]
            won = won or (row if row["place"] == 1 else None)
    return won


@pytest.mark.parametrize("evening", EVENINGS)
def test_the_gains_of_the_first_evening_fit_under_the_cap(rig, newcomer, evening):
    won = spend(rig, newcomer, evening)
    if won:
        assert (won["silver"], won["silver_lost"]) == (10, 0)
        assert (won["level"], won["level_gold"]) == (2, 10), "the first win brings a level and its reward"
        assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'quest'") == 2
    games = [moment for moment in evening if moment != MIDNIGHT]
    bonus = rig.one("SELECT coalesce(-sum(amount), 0) FROM postings WHERE reason = 'daily' AND amount < 0")
    assert bool(bonus) == (MIDNIGHT in evening)
    assert rig.purse(newcomer)[0] == WELCOME_SILVER + bonus + sum(10 if g == WIN else -10 for g in games)
    assert rig.house("over_cap", "silver") == 0 and rig.proof() == []


def test_the_first_bonus_fits_into_a_new_purse(shared):
    """The bonus of the first midnight fits into the purse of level 1."""
    cap = shared.one("SELECT silver_cap FROM levels WHERE level = 1")
    assert WELCOME_SILVER + shared.one("SELECT daily_amount(0, 1)") <= cap
