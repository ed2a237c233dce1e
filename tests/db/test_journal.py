"""Moves in the journal: a batch that is repeated after an outage is stored once, and a conflicting one is
detected."""

import pytest


@pytest.fixture
def table(rig):
    return rig.table_of(rig.player(), rig.player())


def append(rig, table, moves, epoch=None):
    """moves: (v, bytes). How many of them are in the journal unchanged."""
    return rig.one(
        "SELECT do_journal_append('n1', %s, %s, %s, %s, %s::smallint[], %s::bytea[], %s, %s)",
        epoch or rig.epoch,
        [table] * len(moves),
        [1] * len(moves),
        [v for v, _ in moves],
        [v % 4 for v, _ in moves],
        [move for _, move in moves],
        [100 + v for v, _ in moves],
        [f"c{v}" for v, _ in moves],
    )


def journal(rig):
    return [(v, bytes(move)) for v, move in rig.rows("SELECT v, move FROM journal ORDER BY v")]


def test_a_repeated_batch_is_stored_once(rig, table):
    moves = [(1, b"a"), (2, b"b"), (3, b"c")]
    assert append(rig, table, moves) == 3
    assert append(rig, table, moves) == 3
    assert journal(rig) == moves


def test_the_missing_part_of_a_partly_stored_batch_is_stored(rig, table):
    assert append(rig, table, [(1, b"a"), (2, b"b")]) == 2
    assert append(rig, table, [(2, b"b"), (3, b"c"), (4, b"d")]) == 3
    assert journal(rig) == [(1, b"a"), (2, b"b"), (3, b"c"), (4, b"d")]


@pytest.mark.parametrize("moves", [[(2, b"x")], [(3, b"c"), (2, b"x")]])
def test_a_different_move_with_a_stored_version_is_detected(rig, table, moves):
    assert append(rig, table, [(1, b"a"), (2, b"b")]) == 2
    assert append(rig, table, moves) == len(moves) - 1
    assert (2, b"b") in journal(rig)


def test_a_stale_epoch_writes_nothing(rig, table):
    assert append(rig, table, [(1, b"a")], epoch=rig.epoch + 1) is None
    assert journal(rig) == []
