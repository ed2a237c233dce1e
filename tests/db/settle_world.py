"""Random games of every variant in one database, and the rows that settling them leaves in every table,
compared with those of settle_oracle.sql: both settle the same games in one transaction, each behind a
savepoint, so that even the clock is the same."""

import json
import pathlib
import random

from db_rig import COMMIT, SEED

ORACLE = pathlib.Path(__file__).with_name("settle_oracle.sql")
BATCH_MAX = 32
PEOPLE = 110
ROOMS = {
    "desert": True,
    "tundra": True,
    "steppe": False,
    "savannah": False,
    "oasis": False,
    "forest": False,
}  # with bots?
LEVELS = [1, 1, 1, 2, 3, 5, 6, 9, 12, 18, 26, 27, 38, 49, 50]
SEATS_MAX = {
    "straight": 4,
    "treff": 4,
    "rummy40": 4,
    "rami": 4,
    "points": 6,
    "pool101": 6,
    "pool201": 6,
    "deals2": 6,
    "deals3": 6,
}

# What a settlement may write, by names that do not depend on the order of ids. For tables that grow with
# every game, only the rows that this transaction wrote ({new}); the others completely.
NAMED = {
    "accounts": (
        """SELECT a.kind, a.currency, a.player_id, a.table_id, a.cause, a.balance FROM accounts a
           WHERE {new}"""
    ),
    "transfers": "SELECT cause, key, table_id, note, at FROM transfers a WHERE {new}",
    "postings": (
        """SELECT t.key, row_number() OVER (PARTITION BY t.id ORDER BY a.id), a.account_id,
                          CASE WHEN a.balance_after IS NOT NULL THEN row_number() OVER (PARTITION BY
                          a.account_id ORDER BY a.id) END, a.amount, a.reason, a.balance_after
                   FROM postings a JOIN transfers t ON t.id = a.transfer_id WHERE {new}"""
    ),
    "games": "SELECT to_jsonb(a) - 'id' FROM games a WHERE {new}",
    "game_players": (
        "SELECT g.table_id, to_jsonb(a) - 'game_id' FROM game_players a JOIN games g ON g.id = a.game_id"
        " WHERE {new}"
    ),
    "hands": "SELECT to_jsonb(a) FROM hands a",
    "journal": "SELECT table_id, v FROM journal",
    "tables": "SELECT to_jsonb(a) FROM tables a",
    "seats": "SELECT to_jsonb(a) FROM seats a",
    "players": "SELECT to_jsonb(a) FROM players a",
    "meetings": "SELECT to_jsonb(a) FROM meetings a",
    "player_days": "SELECT to_jsonb(a) FROM player_days a",
    "player_stats": "SELECT to_jsonb(a) FROM player_stats a",
    "player_counters": "SELECT to_jsonb(a) FROM player_counters a",
    "player_achievements": "SELECT to_jsonb(a) FROM player_achievements a",
    "quest_progress": "SELECT to_jsonb(a) FROM quest_progress a",
    "notifications": (
        """SELECT a.player_id, row_number() OVER (PARTITION BY a.player_id ORDER BY a.id), a.kind, a.data,
                        a.at, a.read_at
                        FROM notifications a WHERE {new}"""
    ),
    "ratings": "SELECT to_jsonb(a) FROM ratings a",
    "boards": "SELECT kind, variant, period FROM boards",
    "board_entries": (
        "SELECT b.kind, b.variant, b.period, a.player_id, a.score FROM board_entries a JOIN boards b ON b.id"
        " = a.board_id"
    ),
    "board_moves": (
        "SELECT b.kind, b.variant, b.period, a.score, a.tie, a.change FROM board_moves a JOIN boards b ON"
        " b.id = a.board_id WHERE {new}"
    ),
    "league_games": "SELECT to_jsonb(a) FROM league_games a",
    "league_rows": "SELECT to_jsonb(a) FROM league_rows a",
    "league_members": "SELECT to_jsonb(a) FROM league_members a",
    "seasons": "SELECT to_jsonb(a) FROM seasons a",
    "invites_due": "SELECT to_jsonb(a) FROM invites_due a",
}
OTHERS = """SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
            ORDER BY 1"""
ANSWER = """table_id, code, seat, player_id, place, points, game_points, clover, silver, gold, silver_lost,
            level_gold, level, levels_gained, title, rating, rated, practice, took_part, same_people"""


class SettleWorld:
    def __init__(self, rig, seed):
        self.rig, self.random = rig, random.Random(seed)
        self.via = rig.connect(autocommit=False, user="postgres")  # may use replica mode
        with self.via.cursor() as cursor:
            cursor.execute(ORACLE.read_text())  # passed without parameters, because it contains % signs
        self.via.commit()
        self.games = self.batches = 0
        self.later = []  # running tables for the next batch
        self.settings()
        self.people = [self.person() for _ in range(PEOPLE)]
        self.partitions = [row[0] for row in self.rows("SELECT inhrelid::regclass::text FROM pg_inherits")]

    def rows(self, sql, *args):
        return self.rig.rows(sql, *args, via=self.via)

    # --- players --------------------------------------------------------------------------------------------

    def settings(self):
        """Settings that differ from the initial ones, so that a value hard-coded in a function is
        noticed."""
        if self.random.random() < 0.5:
            for name, values in {
                "opened_points": (0, 7),
                "discarded_points": (5, 20),
                "game_points_max": (60, 110),
                "variant_points_max": (50, 90),
                "variant_points_span": (10, 45),
                "rummy_clover_points": (0, 25),
                "rating_games_min": (1, 4),
                "rated_players_min": (1, 3),
                "took_part_percent": (0, 100),
                "solo_games_per_day": (2, 30),
                "invite_games": (1, 3),
                "season_games_min": (2, 5),
            }.items():
                self.rig.rows(
                    "UPDATE settings SET value = %s WHERE name = %s", str(self.random.randint(*values)), name
                )
        else:
            self.rig.rows(
                "UPDATE settings SET value = '3' WHERE name IN ('rating_games_min', 'season_games_min')"
            )
        self.rig.rows(
            "UPDATE settings SET value = %s WHERE name = 'same_players_games_per_day'",
            self.random.choice(["1", "1", "3", "20"]),
        )
        self.rig.rows(
            "UPDATE achievements SET goal = greatest(1, goal / 10) WHERE counter IN ('games', 'wins',"
            " 'rummies', 'swaps')"
        )
        self.rig.rows("UPDATE quests SET on_offer = true, goal = greatest(1, goal / 5)")
        state = self.random.choice(["open", "open", "opening", "closing", "open, but long over"])
        self.rig.rows("UPDATE seasons SET state = %s WHERE no = 1", state.split(",")[0])
        if state in ("closing", "open, but long over"):
            self.rig.rows(
                "UPDATE seasons SET starts_at = starts_at - interval '40 days', ends_at = ends_at - interval"
                " '40 days'"
            )

    def person(self):
        rig, r = self.rig, self.random
        level = r.choice(LEVELS)
        player = rig.player(
            silver=r.choice([0, 5, 17, 40, 90, 100]), gold=r.choice([0, 7, 60, 500, 500, 5000]), level=level
        )
        needed = rig.one("SELECT coalesce(points_needed, 1000) FROM levels WHERE level = %s", level)
        rig.rows(
            "UPDATE players SET level_points = %s WHERE id = %s",
            max(0, needed - r.choice([1, 30, 80, 100, 300, needed])),
            player,
        )
        rig.rows(
            """UPDATE player_days SET bonus_day = bonus_day - %s, played_day = local_day(now()) - %s::integer,
                    streak = %s, streak_best = 30
                    WHERE player_id = %s""",
            r.choice([0, 0, 1, 2, 9]),
            r.choice([None, 0, 1, 1, 2]),
            r.choice([0, 1, 6, 29]),
            player,
        )
        if r.random() < 0.5:
            rig.rows("INSERT INTO league_members VALUES (%s, %s, 1)", player, r.randint(1, 6))
        for counter, n in (
            ("games", 9),
            ("wins", 4),
            ("win_streak", 2),
            ("wins_in_row", r.choice([0, 2, 4])),
            ("swaps", 8),
            ("level", level),
        ):
            if r.random() < 0.5:
                rig.rows("INSERT INTO player_counters VALUES (%s, %s, %s)", player, counter, n)
        if r.random() < 0.2:
            rig.rows(
                "INSERT INTO player_achievements (player_id, achievement_id) VALUES (%s, 'first_game')",
                player,
            )
        if r.random() < 0.5:
            rig.rows("UPDATE players SET email_verified_at = now() WHERE id = %s", player)
        if r.random() < 0.3:
            (
                rig.rows(
                    "INSERT INTO invites (invited_id, inviter_id) VALUES (%s, %s)",
                    player,
                    rig.one("SELECT min(id) FROM players WHERE id <> %s", player),
                )
                if rig.one("SELECT count(*) FROM players") > 1
                else None
            )
        return player

    # --- tables ---------------------------------------------------------------------------------------------

    def room_table(self, people):
        """A table at which these players sit, possibly with others; None if that is impossible."""
        room, table = self.random.choice(list(ROOMS)), None
        for player in people[: self.random.randint(1, 4)] if ROOMS[room] else people:
            seat = self.rig.sit(player, room)
            if seat["code"] != "ok":
                continue
            table = seat["table_id"]
            if self.rig.one("SELECT people_n = seats_n FROM tables WHERE id = %s", table):
                return table
        return table if ROOMS[room] else None

    def opened_table(self, people):
        r = self.random
        variant = r.choice([*SEATS_MAX, "rummy51"])
        seats_n = r.randint(2, SEATS_MAX.get(variant, 4))
        what = {"visibility": r.choice(["public", "public", "private"])}
        if what["visibility"] == "public" and variant == "points":
            what["point_value"] = r.choice([0, 1, 2])
        elif what["visibility"] == "public" and variant != "rummy51":
            what["stake"] = r.choice([0, 10, 10, 20, 50])
        if not what.get("stake") and not what.get("point_value"):
            what["bots"] = r.randint(0, seats_n - 1)
        sat_n, table = 0, None
        for player in people:
            if sat_n + what.get("bots", 0) == seats_n:
                return table
            seat = (
                self.rig.open_table(player, variant, seats=seats_n, **what)
                if table is None
                else self.rig.join(
                    player, table, self.rig.one("SELECT code FROM tables WHERE id = %s", table)
                )
            )
            if seat["code"] == "ok":
                table = seat["table_id"]
                sat_n += 1
        if table:
            self.rig.cancel(table)
        return None

    def hands(self, table):
        """The history of a session: hands, the announced one, moves in the journal."""
        rig, r = self.rig, self.random
        n = rig.one("SELECT seats_n FROM tables WHERE id = %s", table)
        hands_n = r.choice([0, 0, 0, 1, 2])
        for hand in range(1, hands_n + 1):
            assert (
                rig.one(
                    "SELECT code FROM do_end_hand(%s, %s, %s, 'out', %s, %s, %s, %s)",
                    table,
                    rig.epoch,
                    hand,
                    json.dumps(self.results(n, [0], "out")),
                    f"hand {hand}\n",
                    SEED,
                    COMMIT,
                )
                == "ok"
            )
            if hand < hands_n or r.random() < 0.5:
                assert (
                    rig.one(
                        "SELECT code FROM do_deal_hand(%s, %s, %s, %s::bytea[])",
                        table,
                        rig.epoch,
                        hand + 1,
                        [r.choice([b"", b"s" * 16]) for _ in range(n)],
                    )
                    == "ok"
                )
        moves = r.randint(0, 4)
        if moves:
            rig.rows(
                "SELECT do_journal_append('n1', %s, %s, %s, %s, %s::smallint[], %s::bytea[], %s, %s)",
                rig.epoch,
                [table] * moves,
                [1] * moves,
                list(range(1, moves + 1)),
                [0] * moves,
                [b"m"] * moves,
                [5] * moves,
                ["c"] * moves,
            )

    def results(self, seats_n, people, ending):
        r = self.random
        places = (
            r.sample(range(1, seats_n + 1), seats_n)
            if r.random() < 0.8
            else [r.randint(1, seats_n) for _ in range(seats_n)]
        )
        if 1 not in places:
            places[r.choice(people)] = 1
        results = []
        for seat, place in enumerate(places):
            won = place == 1 and ending in ("out", "last")
            result = {
                "seat": seat,
                "place": place,
                "points": r.randint(-40, 120),
                "opened": won or r.random() < 0.7,
                "cards_left": 0 if won else r.randint(0, 17),
                "rummy": won and r.random() < 0.3,
                "left": not won and r.random() < 0.15,
            }
            if r.random() < 0.8:  # otherwise like an older table, which does not count turns
                result["turns"] = r.choice([0, 0, 1, 2, 7, 10])
                result["own_turns"] = r.choice(
                    [0, result["turns"] // 2, result["turns"] - result["turns"] // 2, result["turns"]]
                )
            if r.random() < 0.5:
                result["total"] = r.randint(-100, 300)
            if ending == "last" or r.random() < 0.5:
                result["won"] = won
            if r.random() < 0.8:
                result["facts"] = (
                    {
                        "opening": r.choice([0, 48, 51, 60, 100, 130]),
                        "opened_pure": r.random() < 0.3,
                        "swaps": r.choice([0, 0, 1, 3]),
                        "buried": r.random() < 0.2,
                        "joker_out": r.random() < 0.2,
                        "throws": {str((seat + 1) % seats_n): [9, r.randint(0, 9)]},
                    }
                    if r.random() < 0.8
                    else {}
                )
            results.append(result)
        r.shuffle(results)
        return results

    def table(self, people):
        """A running table of some of these players: its arguments for the settlement."""
        table = self.room_table(people) if self.random.random() < 0.5 else self.opened_table(people)
        if table is None:
            return None
        started = self.rig.start(table, bots=[f"B{n}" for n in range(6)])
        assert started["code"] == "ok", started
        if self.random.random() < 0.03:
            self.rig.rows("UPDATE tables SET practice = true WHERE id = %s AND stake = 0", table)
        self.hands(table)
        seats = self.rig.rows("SELECT seat, player_id FROM seats WHERE table_id = %s ORDER BY seat", table)
        ending = self.random.choice(["out", "out", "out", "last", "no_cards", "stalled"])
        results = self.results(len(seats), [row["seat"] for row in seats if row["player_id"]], ending)
        pot = self.rig.one("SELECT room_id IS NULL AND stake > 0 FROM tables WHERE id = %s", table)
        assert not pot or all(row["player_id"] for row in seats), "no bots where chips are at stake"
        running = self.rig.one(
            "SELECT bool_or(ended_at IS NULL AND dealt_at IS NOT NULL) FROM hands WHERE table_id = %s", table
        )
        record = "record of the hand\n" if running else self.random.choice(["", "after leave 1\n"])
        return table, ending, json.dumps(results), record

    def batch(self):
        """Running tables with two empty seats; the missing players go into the next batch."""
        tables, later, taken = [], [], set()
        wanted = self.random.choice([1, 1, 2, 3, 5, 8, 16, BATCH_MAX])
        for _ in range(wanted * 2):
            if len(tables) == wanted:
                break
            free = [player for player in self.people if player not in taken]
            table = (
                self.later.pop() if self.later else self.table(self.random.sample(free, min(8, len(free))))
            )
            if table is None:
                continue
            people = {
                row[0]
                for row in self.rig.rows(
                    "SELECT player_id FROM seats WHERE table_id = %s AND player_id IS NOT NULL", table[0]
                )
            }
            (later if people & taken else tables).append(table)
            if table in tables:
                taken |= people
        self.later += later
        for player in self.random.sample(self.people, 3):  # stakes are held at other tables, too
            self.rig.sit(player)
        return tables

    # --- both ways ------------------------------------------------------------------------------------------

    def settle_by_oracle(self, tables):
        self.rows("SET LOCAL session_replication_role = replica")
        answers = []
        for table, ending, results, record in tables:
            answers += [
                [table, *row]
                for row in self.rows(
                    f"SELECT {ANSWER.replace('table_id, ', '')} FROM oracle_do_settle_table(%s, %s, %s,"
                    " %s, %s)",
                    table,
                    self.rig.epoch,
                    ending,
                    results,
                    record,
                )
            ]
        return answers

    def settle_by_sets(self, tables):
        return self.rows(
            f"SELECT {ANSWER} FROM do_settle_batch(%s, %s, %s, %s::jsonb[], %s)",
            [t[0] for t in tables],
            self.rig.epoch,
            [t[1] for t in tables],
            [t[2] for t in tables],
            [t[3] for t in tables],
        )

    def left_behind(self, first):
        """table -> its rows, sorted."""
        new = f"(a.xmin::text::bigint >= {first})"
        found = {name: sorted(map(repr, self.rows(sql.format(new=new)))) for name, sql in NAMED.items()}
        for name in [row[0] for row in self.rows(OTHERS)]:
            if name not in NAMED and name not in self.partitions:
                assert self.rows(f"SELECT count(*) FROM {name} a WHERE {new}") == [[0]], (
                    f"a settlement wrote to {name}"
                )
        return found

    def compare(self):
        """Settles a batch both ways, and keeps the result of the set-based settlement. Returns the
        differences: (table, rows only of the oracle, rows only of the sets)."""
        tables = self.batch()
        if not tables:
            return []
        first = self.rows("SELECT pg_current_xact_id()::text::bigint")[0][0]
        ways = []
        for settle in (self.settle_by_oracle, self.settle_by_sets):
            self.rows("SAVEPOINT way")
            answers = settle(tables)
            self.rows("SET CONSTRAINTS ALL IMMEDIATE")
            ways.append({"answers": list(map(repr, answers)), **self.left_behind(first)})
            if settle == self.settle_by_oracle:
                self.rows("ROLLBACK TO SAVEPOINT way")
        self.via.commit()
        self.games += len(tables)
        self.batches += 1
        return [
            (
                name,
                sorted(set(ways[0][name]) - set(ways[1][name])),
                sorted(set(ways[1][name]) - set(ways[0][name])),
            )
            for name in ways[0]
            if ways[0][name] != ways[1][name]
        ]

    def close(self):
        self.via.close()
