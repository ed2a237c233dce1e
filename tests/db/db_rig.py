"""Acts on a database the way the server does: through the functions of db/functions."""

import contextlib
import hashlib
import itertools
import json
import threading
import uuid

import psycopg2
import psycopg2.extras
from support.cluster import OWNER

SEED = hashlib.sha256(b"seed").digest()
COMMIT = hashlib.sha256(b"commit").digest()


def named(nickname, keys=(), by="test", given=False):
    """A name in the format that api/names/names.c passes to the database."""
    return json.dumps(
        {"nickname": nickname, "folded": nickname.lower(), "keys": list(keys), "by": by, "given": given}
    )


def at_once(rig, *acts):
    """Runs act(connection) for each in its own thread, released together; returns their results or
    exceptions."""
    barrier = threading.Barrier(len(acts))
    results = [None] * len(acts)

    def run(n, act):
        connection = rig.connect()
        try:
            barrier.wait()
            results[n] = act(connection)
        except Exception as error:  # the result of this act
            results[n] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n, act)) for n, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results


class Rig:
    """One database. Every method takes `via`, another connection to act on."""

    def __init__(self, cluster, name, node="n1", sessions=(), pool=None):
        """sessions: two to reuse; pool: source of further ones, to which they return (renew.Pool)."""
        self.cluster, self.name, self.node, self.pool = cluster, name, node, None
        self.db, self.node_session = sessions or (self.connect(), self.connect())
        self.pool = pool
        self.epoch = self.one("SELECT epoch FROM do_node_start(%s)", node, via=self.node_session)
        self.numbers = itertools.count(1)

    def close(self):
        self.db.close()
        self.node_session.close()

    def connect(self, autocommit=True, user=OWNER, fresh=False):
        """fresh: not a session that another test has used."""
        connect = self.pool.session if self.pool and not fresh else self.cluster.session
        connection = connect(self.name, user, cursor_factory=psycopg2.extras.DictCursor)
        connection.autocommit = autocommit
        return connection

    @contextlib.contextmanager
    def undone(self):
        """A connection whose work is rolled back at the end."""
        via = self.connect(autocommit=False)
        try:
            yield via
        finally:
            via.rollback()
            via.close()

    # --- plain SQL ---------------------------------------------------------------------------

    def rows(self, sql, *args, via=None):
        with (via or self.db).cursor() as cursor:
            cursor.execute(sql, args)
            return cursor.fetchall() if cursor.description else []

    def row(self, sql, *args, via=None):
        found = self.rows(sql, *args, via=via)
        assert len(found) == 1, found
        return found[0]

    def one(self, sql, *args, via=None):
        return self.row(sql, *args, via=via)[0]

    def renew(self, node, epoch, state="ready", table_max=100, tables=0):
        """A node's heartbeat; the code of the reply."""
        return self.one(
            "SELECT code FROM do_node_renew(%s, %s, %s, %s, '0.1.0', %s, %s, 0, 0)",
            node,
            epoch,
            state,
            f"ws://{node}",
            table_max,
            tables,
        )

    def adopt(self, heir, epoch, gone, most=32, via=None):
        """Makes the heir take over the tables of a node whose lease has expired; returns their ids."""
        renewals = self.one("SELECT renewals FROM node_leases WHERE node = %s", gone)
        return [
            row[0]
            for row in self.rows(
                "SELECT * FROM do_adopt_tables(%s, %s, %s, %s, %s)",
                heir,
                epoch,
                gone,
                renewals,
                most,
                via=via,
            )
        ]

    def steps(self, step, at, via=None):
        """Runs a job of many steps to completion; returns its count."""
        total = {}
        for _ in range(5000):
            more, result = self.row(f"SELECT * FROM {step}(%s)", at, via=via)
            for name, n in result.items():
                total[name] = total.get(name, 0) + n
            if not more:
                return total
        raise AssertionError(f"{step} does not end")

    # --- players and chips ---------------------------------------------------------------------

    def player(self, silver=100, gold=0, level=1):
        """A new player with exactly these chips and this level; by default their silver purse is full."""
        player = self.one("SELECT do_create_player('guest', %s, '')", f"P{next(self.numbers)}")
        self.rows("UPDATE players SET level = %s WHERE id = %s", level, player)
        have = self.purse(player)[0]
        if silver > have:
            assert self.credit(player, "silver", silver - have)[0] == "ok"
        elif silver < have:
            self.take(player, "silver", have - silver)
        if gold:
            self.credit(player, "gold", gold)
        assert self.purse(player) == (silver, gold)
        return player

    def credit(self, player, currency, amount, key=None, via=None):
        key = key or f"grant:{next(self.numbers)}"
        return tuple(
            self.row(
                "SELECT * FROM do_credit(%s, %s, %s, 'grant', %s, '')", player, currency, amount, key, via=via
            )
        )

    def take(self, player, currency, amount, via=None):
        """Moves chips from the player to the operator's house account."""
        self.rows(
            """SELECT ledger_post('grant', %s, NULL, '', ARRAY[
                   ROW(account_purse(%s, %s), -%s, 'grant'),
                   ROW(account_house('grant', %s), %s, 'grant')]::ledger_leg[])""",
            f"take:{next(self.numbers)}",
            player,
            currency,
            amount,
            currency,
            amount,
            via=via,
        )

    def purse(self, player):
        """(silver, gold) as stored."""
        return tuple(
            row[0]
            for row in self.rows(
                "SELECT balance FROM accounts WHERE kind = 'purse' AND player_id = %s ORDER BY currency DESC",
                player,
            )
        )

    def held(self, player, table):
        return tuple(
            self.one(
                "SELECT coalesce(sum(balance), 0) FROM accounts WHERE kind = 'hold' AND player_id = %s AND"
                " table_id = %s AND currency = %s",
                player,
                table,
                currency,
            )
            for currency in ("silver", "gold")
        )

    def house(self, cause, currency):
        return self.one(
            "SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN accounts a ON a.id = p.account_id"
            " WHERE a.kind = 'house' AND a.cause = %s AND a.currency = %s",
            cause,
            currency,
        )

    def proof(self):
        """The problems q_ledger_check finds."""
        return [tuple(row) for row in self.rows("SELECT problem, subject, detail FROM q_ledger_check()")]

    # --- tables ---------------------------------------------------------------------------------

    def sit(self, player, room="desert", key=None, body=b"b", via=None):
        return self.row(
            "SELECT * FROM do_take_seat(%s, %s, %s, %s, %s, %s, %s, %s)",
            player,
            room,
            key or f"k{next(self.numbers)}",
            body,
            str(uuid.uuid4()),
            SEED,
            COMMIT,
            self.node,
            via=via,
        )

    def sit_all(self, asked, via=None):
        """Seats many players in one call; asked: (player, room) of each."""
        n = len(asked)
        return self.rows(
            "SELECT * FROM do_seat_batch(%s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::uuid[],"
            " %s::bytea[], %s::bytea[], %s)",
            [player for player, _ in asked],
            [room for _, room in asked],
            [f"k{next(self.numbers)}" for _ in asked],
            [b"b"] * n,
            [str(uuid.uuid4()) for _ in asked],
            [SEED] * n,
            [COMMIT] * n,
            self.node,
            via=via,
        )

    def leave(self, player, table, via=None):
        return self.one("SELECT code FROM do_leave_seat(%s, %s)", player, table, via=via)

    def start(self, table, epoch=None, bots=("A", "B", "C", "D"), via=None):
        return self.starts([table], epoch, bots, via)[0]

    def starts(self, tables, epoch=None, bots=("A", "B", "C", "D"), via=None):
        """Starts tables in one call: one row per seat, or the code for a table that did not start."""
        names = [*bots, "", "", "", "", "", ""][:6]
        return self.rows(
            "SELECT * FROM do_start_batch(%s::bigint[], %s, %s::text[], %s, %s::bytea[])",
            tables,
            epoch or self.epoch,
            names * len(tables),
            [1] * len(tables),
            [b""] * 6 * len(tables),
            via=via,
        )

    def cancel(self, table, reason="test", epoch=None, via=None):
        return self.one(
            "SELECT code FROM do_cancel_table(%s, %s, %s)", table, epoch or self.epoch, reason, via=via
        )

    def results(self, places, **of_seats):
        """places[seat] = place; of_seats: opened=[…], cards_left=[…], rummy=[…], left=[…] by seat."""
        results = []
        for seat, place in enumerate(places):
            result = {
                "seat": seat,
                "place": place,
                "points": -40 if place == 1 else 10 * place,
                "opened": True,
                "cards_left": 0 if place == 1 else 5,
                "rummy": False,
                "left": False,
            }
            for name, values in of_seats.items():
                result[name] = values[seat]
            results.append(result)
        return json.dumps(results)

    def settle(self, table, places, ending="out", epoch=None, record="record", via=None, **of_seats):
        """One table; of_seats as in results."""
        return self.rows(
            """SELECT code, game_id, seat, player_id, place, points, game_points, clover, silver, gold,
                                   silver_lost,
                                   level_gold, level, levels_gained, title, rating, rated, practice
                            FROM do_settle_batch(ARRAY[%s]::bigint[], %s, ARRAY[%s], ARRAY[%s]::jsonb[],
                                ARRAY[%s])""",
            table,
            epoch or self.epoch,
            ending,
            self.results(places, **of_seats),
            record,
            via=via,
        )

    def settle_all(self, games, epoch=None, via=None):
        """Settles several tables at once; games: (table, places)."""
        return self.rows(
            "SELECT * FROM do_settle_batch(%s, %s, %s, %s::jsonb[], %s)",
            [table for table, _ in games],
            epoch or self.epoch,
            ["out"] * len(games),
            [self.results(places) for _, places in games],
            ["record"] * len(games),
            via=via,
        )

    def clover(self, player, points):
        """Gives exactly this many Clover points, by winning one game that costs and brings no chips; its
        row."""
        numbers = {
            "game_points_max": 10**9,
            "opened_points": 0,
            "discarded_points": 0,
            "solo_games_per_day": 10**9,
        }
        before = [
            self.rows("SELECT name, value FROM settings WHERE name = ANY (%s)", list(numbers)),
            self.one("SELECT points FROM place_points WHERE variant = 'rummy51' AND place = 1"),
        ]
        table = self.sit(player)["table_id"]
        self.set_points(numbers.items(), points)
        assert self.start(table)["code"] == "ok"
        self.rows("UPDATE tables SET reward = 0 WHERE id = %s", table)
        row = self.settle(table, [1, 2, 3, 4])[0]
        self.set_points(*before)
        assert row["clover"] == points
        return row

    def set_points(self, settings, first_place):
        for name, value in settings:
            self.rows("UPDATE settings SET value = %s WHERE name = %s", str(value), name)
        self.rows("UPDATE place_points SET points = %s WHERE variant = 'rummy51' AND place = 1", first_place)

    def count_points(self, player, points, won, at, variant="rummy51"):
        """Counts a rated game that ended at that time, in the ratings only."""
        seat = {
            "player_id": player,
            "variant": variant,
            "rated": True,
            "bots_rated": False,
            "won": won,
            "rummy": False,
            "game_points": points,
        }
        self.rows(
            "SELECT settle_points(ARRAY[jsonb_populate_record(NULL::settled_seat, %s)], %s)",
            json.dumps(seat),
            at,
        )

    def table_of(self, *players, room="desert"):
        """A running table with these players in seats 0, 1, …; the others are bots."""
        seats = [self.sit(player, room) for player in players]
        assert [seat["code"] for seat in seats] == ["ok"] * len(players), seats
        assert {seat["table_id"] for seat in seats} == {seats[0]["table_id"]}
        table = seats[0]["table_id"]
        assert self.start(table)["code"] == "ok"
        return table

    def play_rated(self, *people, n=1, places=None, **of_seats):
        """Plays n rated games of these players at free tables. All of them take part unless of_seats
        overrides that."""
        for _ in range(n):
            table = self.open_table(people[0], "straight", seats=len(people))["table_id"]
            for player in people[1:]:
                assert self.join(player, table)["code"] == "ok"
            assert self.start(table)["code"] == "ok"
            acted = {"turns": [8] * len(people), "own_turns": [8] * len(people)}
            rows = self.settle(table, places or list(range(1, len(people) + 1)), **acted | of_seats)
            assert {row["code"] for row in rows} == {"ok"}

    def prizes_without_people(self):
        """Lets anyone win monthly and season prizes, for tests that write ratings without games."""
        self.rows("UPDATE settings SET value = '0' WHERE name = 'prize_people_min'")

    def prove(self, player):
        """Confirms the player's address by a link."""
        self.rows("UPDATE players SET email_verified_at = now() WHERE id = %s", player)

    # --- tables that players open ------------------------------------------------------------------

    def open_table(
        self,
        player,
        variant="straight",
        seats=2,
        stake=0,
        point_value=0,
        visibility="public",
        bots=0,
        via=None,
        watch_delay_ms=0,
        bot_accounts=None,
    ):
        return self.row(
            "SELECT * FROM do_open_table(%s, %s, '', '{}', %s, %s, %s, 2, %s, 'b', %s, %s, %s, %s, %s, %s,"
            " %s, %s, %s)",
            player,
            variant,
            seats,
            visibility,
            bots,
            uuid.uuid4().hex,
            str(uuid.uuid4()),
            SEED,
            COMMIT,
            self.node,
            [f"C{next(self.numbers):05}"],
            stake,
            point_value,
            watch_delay_ms,
            bot_accounts,
            via=via,
        )

    def join(self, player, table, code=None, via=None):
        """By its id, or by the code of a private table."""
        return self.row(
            "SELECT * FROM do_join_table(%s, %s, %s, %s, 'b', %s)",
            player,
            None if code else table,
            code,
            uuid.uuid4().hex,
            str(uuid.uuid4()),
            via=via,
        )

    def rematch(self, player, table, via=None):
        return self.row(
            "SELECT * FROM do_rematch(%s, %s, %s, 'b', %s, %s, %s, %s)",
            player,
            table,
            uuid.uuid4().hex,
            str(uuid.uuid4()),
            SEED,
            COMMIT,
            self.node,
            via=via,
        )

    def block(self, player, other, blocked=True, via=None):
        assert (
            self.one("SELECT code FROM do_block(%s, %s, NULL, %s)", player, other, blocked, via=via) == "ok"
        )
