"""Games of another node, settled as a node does it."""

import json

from .wait import until

WAITING = "SELECT count(*) FROM tables WHERE state = 'waiting' AND room_id = 'desert' AND node <> 'elsewhere'"
SEED, COMMIT = b"s" * 32, bytes(range(32))
RECORD = '[Variant "rummy51"]\n1. d:TH1 "quoted" é\n'


class Node:
    """Another node: it owns its tables for as long as its connection lasts."""

    def __init__(self, cluster, database):
        self.connection = cluster.connect(database)
        self.epoch = self.one("SELECT epoch FROM do_node_start('elsewhere')")[0]
        # It is not registered, because it sends no heartbeats, and the others must not consider it dead.
        self.one("DELETE FROM node_leases WHERE node = 'elsewhere' RETURNING node")

    def one(self, statement, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchone()

    def play(self, *players, record=RECORD, throws=None):
        """Settles a game that the first player wins; returns the ids of the table and the game. throws: the
        discards of each seat, as in its facts."""
        # A seat would go to a table that an earlier test left waiting on the server's node.
        until(lambda: not self.one(WAITING)[0], "a table waits")
        for n, player in enumerate(players):
            row = self.one(
                "SELECT code, table_id FROM do_take_seat(%s, 'desert', %s, '', gen_random_uuid(), %s, %s,"
                " 'elsewhere')",
                player,
                f"k{n}-{player}-{self.one('SELECT nextval(%s)', 'games_id_seq')[0]}",
                SEED,
                COMMIT,
            )
            assert row[0] == "ok"
        table = row[1]
        seeds = [b"c" * 16] + 5 * [b""]
        start = (
            "SELECT DISTINCT code FROM do_start_batch(ARRAY[%s::bigint], %s, ARRAY['Otto', 'Ida', 'Max', '',"
            " '', ''], ARRAY[1], %s)"
        )
        assert self.one(start, table, self.epoch, seeds) == ("ok",)
        results = [
            {
                "seat": n,
                "place": n + 1,
                "points": 10 * n,
                "opened": n < 2,
                "cards_left": n,
                "rummy": False,
                "left": n == 3,
            }
            for n in range(4)
        ]
        for result, of in zip(results, throws or []):
            result["facts"] = {"throws": of}
        settle = (
            "SELECT code, game_id FROM do_settle_batch(ARRAY[%s::bigint], %s, '{out}', ARRAY[%s::jsonb],"
            " ARRAY[%s]) LIMIT 1"
        )
        code, game = self.one(settle, table, self.epoch, json.dumps(results), record)
        assert code == "ok"
        return str(table), str(game)
