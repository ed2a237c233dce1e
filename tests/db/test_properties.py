"""Random histories of a small world: the ledger is correct, whatever happens in whatever order."""

import random

import pytest

STEPS = 250


class World:
    def __init__(self, rig, seed):
        self.rig, self.random = rig, random.Random(seed)
        self.people = [
            rig.player(
                silver=self.random.choice([0, 5, 40, 100]),
                gold=self.random.choice([0, 7, 60]),
                level=self.random.choice([1, 1, 5, 6, 19]),
            )
            for _ in range(6)
        ]

    def tables(self, *states):
        return [
            row[0]
            for row in self.rig.rows("SELECT id FROM tables WHERE state = ANY (%s) ORDER BY id", list(states))
        ]

    def sit(self):
        room = self.random.choice(["desert", "desert", "tundra", "steppe"])
        key = f"key{self.random.randrange(40)}" if self.random.random() < 0.2 else None
        code = self.rig.sit(self.random.choice(self.people), room, key=key)["code"]
        assert code in ("ok", "no_funds", "room_locked", "too_many_tables", "idempotency_key_reused"), code

    def leave(self):
        tables = self.tables("waiting", "playing", "finished", "cancelled")
        if tables:
            self.rig.leave(self.random.choice(self.people), self.random.choice(tables))

    def start(self):
        tables = self.tables("waiting")
        if tables:
            assert self.rig.start(self.random.choice(tables))["code"] in ("ok", "seats_free")

    def cancel(self):
        tables = self.tables("waiting", "playing", "finished", "cancelled")
        if tables and self.random.random() < 0.3:
            self.rig.cancel(self.random.choice(tables))

    def settle(self):
        tables = self.tables("playing") or self.tables("finished", "cancelled")
        if not tables:
            return
        places = self.random.sample([1, 2, 3, 4], 4)
        self.rig.settle(
            self.random.choice(tables),
            places,
            ending=self.random.choice(["out", "out", "out", "stalled"]),
            rummy=[p == 1 and self.random.random() < 0.2 for p in places],
            opened=[p == 1 or self.random.random() < 0.7 for p in places],
            cards_left=[0 if p == 1 else self.random.randrange(1, 15) for p in places],
            left=[p == 4 and self.random.random() < 0.2 for p in places],
        )

    def credit(self):
        self.rig.credit(
            self.random.choice(self.people),
            self.random.choice(["silver", "silver", "gold"]),
            self.random.randrange(0, 60),
            key=f"gift:{self.random.randrange(60)}",
        )

    def check(self):
        rig = self.rig
        assert rig.proof() == []
        assert (
            rig.rows(
                "SELECT currency, sum(p.amount) FROM postings p JOIN accounts a ON a.id = p.account_id"
                " GROUP BY currency HAVING sum(p.amount) <> 0"
            )
            == []
        )
        assert rig.one("SELECT count(*) FROM accounts WHERE balance < 0") == 0
        over = rig.rows("""SELECT p.id FROM players p JOIN levels l USING (level)
                           WHERE silver_owned(p.id) > l.silver_cap""")
        assert over == [], "more silver than the cap"


@pytest.mark.parametrize("seed", range(4))
def test_the_ledger_is_correct_after_a_random_history(rig, seed):
    world = World(rig, seed)
    rig.rows("UPDATE settings SET value = '6' WHERE name = 'solo_games_per_day'")
    acts = (
        [world.sit] * 8
        + [world.start] * 4
        + [world.settle] * 4
        + [world.leave] * 2
        + [world.credit] * 2
        + [world.cancel]
    )
    for step in range(STEPS):
        world.random.choice(acts)()
        if step % 25 == 0:
            world.check()
    for table in world.tables("waiting", "playing"):
        assert rig.cancel(table) == "ok"
    world.check()
    assert rig.one("SELECT coalesce(sum(balance), 0) FROM accounts WHERE kind = 'hold'") == 0
    assert (
        rig.one(
            "SELECT max(n) FROM (SELECT count(*) AS n FROM accounts WHERE kind = 'hold' GROUP BY player_id,"
            " currency) h"
        )
        <= 4
    ), "holds are used again"
    assert rig.one("SELECT count(*) FROM games") > 5, "the history was worth something"
