"""A model of tournaments, written from docs/tournaments.md and without a database: draws, advancement,
places, and prizes. Tests compare the server with it."""

import fractions
import hashlib
import itertools
import math
import struct

LINKS = 64
LOOKS = 20_000_000
BEST_HIGH = {"straight", "treff", "deals2", "deals3"}


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def clients(seeds):
    """The hash of the entrants' seeds; seeds: {entry: bytes}."""
    return sha(*[struct.pack(">iB", no, len(seed)) + seed for no, seed in sorted(seeds.items())])


def key(seed, of_clients, tournament, draw):
    return sha(b"rummy-draw-1", seed, of_clients, struct.pack(">qi", tournament, draw))


def lot(of_key, entry):
    return sha(of_key, struct.pack(">i", entry))


def link(secret, times):
    for _ in range(times):
        secret = sha(secret)
    return secret


def deal_link(secret, round_no):
    """The link of the hash chain for a round's deal; that of round 0 is the commitment. secret: the secret
    of the tournament."""
    return link(sha(b"rummy-tournament-deals-1", secret), LINKS - round_no)


def deal_seed(of_link, of_clients, tournament, round_no):
    return sha(b"rummy-tournament-deal-1", of_link, of_clients, struct.pack(">qi", tournament, round_no))


def hand_seed(deal, hand):
    return sha(b"rummy-deal-seed-1", deal, struct.pack(">i", hand))


def beaten_part(own, others):
    """The fraction of opponents that an entrant beats, where a tie counts as half; 1/2 without
    opponents."""
    beaten = sum(2 * (other < own) + (other == own) for other in others)
    return fractions.Fraction(beaten, 2 * len(others)) if others else fractions.Fraction(1, 2)


def team_tables(teams, lots, seats):
    """The tables of two teams, {entry: team}. By lot, the first half of each team sits at table 1, where
    team 1 has the even seats, and the second half at table 2, where team 2 has them."""
    half, tables = seats // 2, []
    for table in range(2):
        ones, twos = (
            sorted((no for no in teams if teams[no] == team), key=lots.get)[table * half :][:half]
            for team in (1, 2)
        )
        even, odd = (ones, twos) if table == 0 else (twos, ones)
        tables.append([no for pair in zip(even, odd, strict=True) for no in pair])
    return tables


def team_results(teams, tables, results, best_high):
    """The results of two teams: {team: (points, [points at table 1, at table 2], place)}. A table without a
    result counts as level."""
    made = {}
    for team in (1, 2):
        at = [
            (
                None
                if results.get(table[0], (0, 0, None))[2] is None
                else sum(results[no][1] for no in table if teams[no] == team)
            )
            for table in tables
        ]
        made[team] = None if None in at else sum(at), at
    ways = [0 if points is None else points if best_high else -points for points, _ in (made[1], made[2])]
    size = len(teams) // 2
    return {team: (*made[team], 1 if ways[team - 1] == max(ways) else 1 + size) for team in made}


def equal_shares(pot, n):
    return [pot // n + pot % n, *[pot // n] * (n - 1)]


def colours(chips, silver, gold):
    """(silver, gold) of each prize of a pot. Gold is distributed by running totals, so that nothing
    remains."""
    paid, up_to = [], 0
    for prize in chips:
        part = gold * (up_to + prize) // (silver + gold) - gold * up_to // (silver + gold) if prize else 0
        up_to += prize
        paid.append((prize - part, part))
    return paid


def sizes(n, seats):
    tables = -(-n // seats)
    return [n // tables + (i < n % tables) for i in range(tables)]


def pair_lot(of_key, a, b):
    return int.from_bytes(sha(of_key, struct.pack(">ii", min(a, b), max(a, b)))[:6], "big")


def least_pairs(order, score, times, of_key):
    """The perfect matching of least cost among all possible ones: (repeats, differences, lots of pairs),
    and the pairs in order."""
    n = len(order)
    assert n <= 18, "the search visits every set of entrants"
    cost = {
        (i, j): (
            times.get(frozenset((order[i], order[j])), 0),
            abs(score[order[i]] - score[order[j]]),
            pair_lot(of_key, order[i], order[j]),
        )
        for j in range(n)
        for i in range(j)
    }
    best = {0: ((0, 0, 0), None)}
    for left in range(1, 1 << n):
        if left.bit_count() % 2:
            continue
        first = (left & -left).bit_length() - 1
        best[left] = min(
            (tuple(map(sum, zip(cost[first, j], best[left & ~(1 << first) & ~(1 << j)][0], strict=True))), j)
            for j in range(first + 1, n)
            if left >> j & 1
        )
    pairs, left = [], (1 << n) - 1
    while left:
        first, other = (left & -left).bit_length() - 1, best[left][1]
        pairs.append([order[first], order[other]])
        left &= ~(1 << first) & ~(1 << other)
    return best[(1 << n) - 1][0], pairs


def search_tables(order, times, seats, most, looks):
    """The first seating in search order with at most `most` repeats, or None. looks: [number of remaining
    steps]."""
    number = -(-len(order) // seats)
    small, large = len(order) // number, len(order) % number

    def fill(table, size, after, left, larger, smaller, repeats):
        if len(table) == size:
            rest = open_table(left, larger, smaller, repeats)
            return None if rest is None else [table, *rest]
        for nth in range(after, len(left)):
            looks[0] -= 1
            more = repeats + sum(times.get(frozenset((left[nth], other)), 0) for other in table)
            if looks[0] >= 0 and more <= most:
                found = fill(
                    [*table, left[nth]], size, nth, left[:nth] + left[nth + 1 :], larger, smaller, more
                )
                if found is not None:
                    return found
        return None

    def open_table(left, larger, smaller, repeats):
        if not left:
            return []
        for is_large, number_left in ((True, larger), (False, smaller)):
            if number_left:
                looks[0] -= 1
                found = fill(
                    [left[0]],
                    small + is_large,
                    0,
                    left[1:],
                    larger - is_large,
                    smaller - (not is_large),
                    repeats,
                )
                if found is not None:
                    return found
        return None

    found = open_table(order, large, number - large, 0)
    assert looks[0] >= 0, "the bound of the search: not for this oracle"
    return found and sorted(found, key=lambda table: -len(table))


def draw_swiss(order, score, byes, low, times, seats, of_key):
    """A later round: (tables, repeats). low: candidates for a bye, the lowest rank first."""
    if seats == 2:
        fewest = min(byes[no] for no in order)
        best = None
        for alone in [no for no in low if byes[no] == fewest] if len(order) % 2 else [None]:
            cost, pairs = least_pairs([no for no in order if no != alone], score, times, of_key)
            if best is None or cost[0] < best[0]:
                best = cost[0], pairs + ([] if alone is None else [[alone]])
            if best[0] == 0:
                break
        return best[1], best[0]
    looks = [LOOKS]
    for most in range(1000):
        found = search_tables(order, times, seats, most, looks)
        if found is not None:
            return found, most
    raise AssertionError


def draw_of(row):
    """The draw that the server makes from a row of q_tournament_order: (seats, repeats), in the order of
    the tables."""
    numbers = list(map(int, row["entrants"].split()))
    rows = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
    told, tables = list(map(int, (row["tables"] or "").split())), []
    while told:
        tables.append(told[1 : 1 + told[0]])
        told = told[1 + told[0] :]
    order = [entry for entry, *_ in rows]
    tables, repeats = draw_swiss(
        order,
        {entry: score for entry, score, *_ in rows},
        {entry: byes for entry, _, byes, _ in rows},
        sorted(order, key={entry: low for entry, *_, low in rows}.get),
        meetings(tables),
        row["seats"],
        bytes(row["key"]),
    )
    return [no for table in tables for no in table], repeats


def meetings(tables):
    """Number of times that two entrants have met."""
    times = {}
    for table in tables:
        for pair in itertools.combinations(table, 2):
            times[frozenset(pair)] = times.get(frozenset(pair), 0) + 1
    return times


class Tournament:
    """A tournament, round by round: draw() returns the tables, play() takes their results."""

    def __init__(
        self, number, kind, seats, entries, advance=1, keep=50, rounds=5, best_high=None, teams=None
    ):
        """best_high: whether the highest total of a duplicate tournament is the best; None if each table
        has different cards. teams: {entry: 1 or 2}."""
        self.best_high, self.duplicate = best_high, best_high is not None
        self.number, self.kind, self.seats, self.advance, self.keep, self.rounds = (
            number,
            kind,
            seats,
            advance,
            keep,
            rounds,
        )
        self.round, self.place, self.teams, self.repeats = 0, {}, teams, None
        self.scores = {no: [] for no in entries}
        self.margins = {no: [] for no in entries}
        self.beaten = {no: [] for no in entries}
        self.wins = dict.fromkeys(entries, 0)
        self.byes = dict.fromkeys(entries, 0)
        self.over = False

    def enter(self, entries):
        for no in entries:
            self.scores[no], self.margins[no], self.beaten[no], self.byes[no], self.wins[no] = (
                [],
                [],
                [],
                0,
                0,
            )

    @property
    def left(self):
        return [no for no in self.scores if no not in self.place]

    def draw(self, seed, of_clients, draw, entries=None):
        """The tables of the next round, or of late entries in this one: lists of entries by seat."""
        of_key = key(seed, of_clients, self.number, draw)
        lots = {no: lot(of_key, no) for no in (self.left if entries is None else entries)}
        if entries is None:
            self.round, self.lots = self.round + 1, {}
        self.lots.update(lots)
        if self.teams:
            return team_tables(self.teams, lots, self.seats)
        points = {
            no: sum(self.scores[no]) if self.kind == "swiss" and not self.duplicate else 0 for no in lots
        }
        order = sorted(lots, key=lambda no: (-points[no], lots[no]))
        if self.kind == "swiss" and self.round > 1:
            low = sorted(lots, key=lambda no: (sum(self.scores[no]), [-byte for byte in lots[no]]))
            tables, self.repeats = draw_swiss(
                order,
                points,
                self.byes,
                low,
                meetings(table for of_round in self.history for table in of_round),
                self.seats,
                of_key,
            )
            return tables
        if len(order) == 1 or self.seats == 2 and len(order) % 2:
            alone = max(order, key=lambda no: (-self.byes[no], -points[no], lots[no]))
            order = [no for no in order if no != alone] + [alone]
        tables = []
        for size in sizes(len(order), self.seats):
            tables.append(order[:size])
            order = order[size:]
        return tables

    def play(self, tables, results):
        """results: {entry: (place, points, left)} of all tables with more than one entrant; left is None if
        the table had no result."""
        order = []
        compared = self.compared(tables, results) if self.duplicate else {}
        for table in tables:
            if len(table) == 1:
                worth = {table[0]: (120 if self.kind == "swiss" and not self.duplicate else 60, 0)}
                self.byes[table[0]] += 1
                places = {table[0]: 1}
            else:
                places = {no: results[no][0] for no in table}
                worth = {
                    no: compared[no][:2] if self.duplicate else self.worth(table, no, results) for no in table
                }
            for no in table:
                self.scores[no].append(worth[no][0])
                self.margins[no].append(worth[no][1])
                self.beaten[no].append(compared.get(no, (60, 0, fractions.Fraction(1, 2)))[2])
                self.wins[no] += len(table) > 1 and worth[no][0] == 120 and results[no][2] is not None
            ranked = sorted(table, key=lambda no: (places[no], -worth[no][1], self.lots[no]))
            goes_on = max(1, min(self.advance, len(table) - 1))
            order += [(no, places[no], worth[no][1], nth < goes_on) for nth, no in enumerate(ranked)]
        if self.teams:
            self.made = team_results(self.teams, tables, results, self.best_high)
            self.place, self.over = {no: self.made[team][2] for no, team in self.teams.items()}, True
        else:
            self.end_round(order, len(tables))

    def compared(self, tables, results):
        """Duplicate score of each seat, compared with the same seat at the other tables of that size."""
        worth, way = {}, 1 if self.best_high else -1
        same = {}
        for table in tables:
            for seat, no in enumerate(table):
                same.setdefault((len(table), seat), []).append(no)
        for seats in same.values():
            ended = [no for no in seats if no in results and results[no][2] is not None]
            key = {
                no: (not results[no][2], way * results[no][1] if not results[no][2] else 0) for no in ended
            }
            mean = (
                int(fractions.Fraction(60 * sum(results[no][1] for no in ended), len(ended))) if ended else 0
            )
            for no in seats:
                others = [key[other] for other in ended if other != no]
                part = beaten_part(key[no], others) if no in key else fractions.Fraction(1, 2)
                worth[no] = (int(120 * part), way * (60 * results[no][1] - mean) if no in key else 0, part)
        return worth

    def worth(self, table, no, results):
        place, points = results[no][:2]
        tied = sum(results[other][0] == place for other in table)
        mean = place + fractions.Fraction(tied - 1, 2)
        score = 120 * (len(table) - mean) / (len(table) - 1)
        assert score.denominator == 1
        first = min(table, key=lambda other: (results[other][0], table.index(other)))
        last = max(table, key=lambda other: (results[other][0], table.index(other)))
        way = results[last][1] - results[first][1]
        margin = (way > 0) * 1 - (way < 0) * 1
        margin *= fractions.Fraction(60 * sum(results[other][1] for other in table), len(table)) - 60 * points
        assert margin.denominator == 1
        return int(score), int(margin)

    def end_round(self, order, tables):
        wins = self.wins
        total = {
            no: (
                120 * sum(self.beaten[no]) if self.duplicate else sum(self.scores[no]),
                sum(self.margins[no]),
            )
            for no in self.scores
        }
        if self.kind == "knockout":
            final = tables == 1
            order.sort(
                key=lambda row: (final or not row[3], row[1], -row[2], -wins[row[0]], self.lots[row[0]])
            )
            keep = 0 if final else sum(row[3] for row in order)
        elif self.kind == "stages":
            final = tables == 1
            first, then = (0, 1) if self.duplicate else (1, 0)
            order.sort(
                key=lambda row: (
                    row[1] if final else 0,
                    -total[row[0]][first],
                    -total[row[0]][then],
                    -wins[row[0]],
                    self.lots[row[0]],
                )
            )
            keep = (
                0 if final else min(len(order) - 1, max(self.seats, math.ceil(len(order) * self.keep / 100)))
            )
        else:
            final = self.round == self.rounds
            beaten = (
                {
                    no: sum(total[other][0] * times for other, times in self.met_times(no).items())
                    for no, *_ in order
                }
                if final
                else {}
            )
            order.sort(
                key=lambda row: (
                    -total[row[0]][0],
                    -beaten.get(row[0], 0),
                    -total[row[0]][1],
                    -wins[row[0]],
                    self.lots[row[0]],
                )
            )
            keep = 0 if final else len(order)
        for nth, row in enumerate(order, 1):
            if nth > keep:
                self.place[row[0]] = nth
        self.over = keep == 0

    # Number of meetings of each pair over all rounds.
    def met_times(self, no):
        times = {}
        for tables in self.history:
            for table in tables:
                if no in table:
                    for other in table:
                        if other != no:
                            times[other] = times.get(other, 0) + 1
        return times

    history = ()


def prizes(pot, shares):
    """The prize of each place from a pot; the first place gets the remainder."""
    chips = [pot * share // 10000 for share in shares]
    return [chips[0] + pot - sum(chips), *chips[1:]]


def all_of(get, path):
    items, cursor = [], None
    while True:
        page = get(f"{path}?limit=100" + (f"&cursor={cursor}" if cursor else "")).json()
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            return items


def results_of(get, row):
    """{entry: (place, points, left)} of a table of a round. left: the entrant did not take part, possibly
    because the clock or a bot played for them while they reconnected after a kill."""
    seats = row["seats"]
    if len(seats) == 1:
        return {}
    left = (
        {
            result["seat"]: not result["took_part"]
            for result in get(f"/games/{row['game_id']}").json()["results"]
        }
        if row["game_id"]
        else {}
    )
    return {
        seat["entry"]: (
            seat["place"],
            seat["points"],
            left.get(seat["seat"], None if row["by_lot"] else False),
        )
        for seat in seats
    }


def prove_deal(get, number, round_no, seed, of_clients, rows):
    """Checks that all tables of a duplicate round used its deal, and that the published scores follow from
    the results."""
    deal = deal_seed(seed, of_clients, int(number), round_no)
    for row in rows:
        if row["game_id"] is None:
            continue
        game = get(f"/games/{row['game_id']}").json()
        assert game["fairness"]["table_id"] == number
        for hand in game["hands"]:
            assert hand["server_seed"] == hand_seed(deal, hand["hand_no"]).hex()
            assert hand["client_seeds"] == [of_clients.hex()] + [""] * (len(row["seats"]) - 1)
    for nth in range(max(len(row["seats"]) for row in rows)):
        told = {
            item["entry"]: item
            for item in all_of(get, f"/tournaments/{number}/rounds/{round_no}/seats/{nth}")
        }
        seats = {
            row["seats"][nth]["entry"]: (row, row["seats"][nth]) for row in rows if len(row["seats"]) > nth
        }
        assert set(told) == set(seats)
        for entry, (row, seat) in seats.items():
            item = told[entry]
            assert (item["table"], item["seats"], item["game_id"]) == (
                row["table"],
                len(row["seats"]),
                row["game_id"],
            )
            assert (item["score"], item["margin"], item["percent"]) == (
                seat["score"],
                seat["margin"],
                seat["percent"],
            )
            assert item["points"] == (seat["points"] if row["game_id"] else None)


def prove_teams(told, standings, it):
    """Checks that the results of both teams are reported correctly, and that the better team shares the
    pot."""
    assert [(row["team"], row["points"], row["tables"], row["place"]) for row in told["teams"]] == [
        (team, *it.made[team]) for team in (1, 2)
    ]
    assert standings == sorted(
        standings, key=lambda row: (row["place"], -row["score"], -row["margin"], row["entry"])
    )
    people = [row for row in standings if not row["bot"]]
    best = [row for row in people if row["place"] == people[0]["place"]]
    silver, gold = (sum(row[colour] for row in standings) for colour in ("prize_silver", "prize_gold"))
    assert [(row["prize_silver"], row["prize_gold"]) for row in best] == colours(
        equal_shares(silver + gold, len(best)), silver, gold
    )
    assert (
        sum(row["prize_silver"] + row["prize_gold"] for row in best) == told["pot"] and told["prizes"] == []
    )


def exactly(shown, part):
    """Checks that a percentage is exact, rounded half up to one decimal."""
    return round(10 * fractions.Fraction(str(shown))) == (20 * part + 1) // 2


def prove_prizes(told, standings):
    """Checks that the published prizes add up to the pot and match the payments."""
    people = [row["prize_silver"] + row["prize_gold"] for row in standings if not row["bot"]]
    assert sum(people) == told["pot"] == told["entry"] * told["people"] and not any(
        row["prize_silver"] + row["prize_gold"] for row in standings if row["bot"]
    )
    if told["kind"] != "teams":
        shown = [prize["chips"] for prize in told["prizes"]]
        assert shown == prizes(told["pot"], [prize["share"] for prize in told["prizes"]])[: len(people)]
        assert people == shown[: len(people)] + [0] * (len(people) - len(shown)) and (
            sum(shown) == told["pot"]
        )


def prove(get, number):
    """Verifies a finished tournament from public data: the chains of its draws and deals, each table of
    each round, and all places."""
    told = get(f"/tournaments/{number}").json()
    standings = all_of(get, f"/tournaments/{number}/standings")
    seeds = {row["entry"]: bytes.fromhex(row["client_seed"]) for row in standings}
    size = {
        "knockout": {"advance": told["advance"]},
        "stages": {"keep": told["keep_percent"]},
        "swiss": {"rounds": told["rounds"]},
        "teams": {"teams": {row["entry"]: row["team"] for row in standings}},
    }[told["kind"]]
    first = [no for no in sorted(seeds) if no <= told["draws"][0]["entries_to"]]
    it = Tournament(
        int(number),
        told["kind"],
        told["seats"],
        first,
        **size,
        best_high=told["variant"] in BEST_HIGH if told["duplicate"] else None,
    )
    it.history = []
    commit, deal_commit, made = told["commit"], told["deal_commit"], []
    deals = {deal["round"]: bytes.fromhex(deal["seed"]) for deal in told["deals"]}
    assert sorted(deals) == (sorted({draw["round"] for draw in told["draws"]}) if told["duplicate"] else [])
    for draw in told["draws"]:
        seed = bytes.fromhex(draw["seed"])
        assert sha(seed).hex() == commit, "each draw shows what the one before has promised"
        commit = draw["seed"]
        covered = {no: sent for no, sent in seeds.items() if no <= draw["entries_to"]}
        of_clients = clients(covered)
        assert draw["clients"] == of_clients.hex(), "of exactly the entries that this draw names"
        late = sorted(no for no in covered if no not in it.scores)
        it.enter(late)
        tables = it.draw(seed, of_clients, draw["draw"], late if late and draw["round"] == it.round else None)
        rows = [
            row
            for row in all_of(get, f"/tournaments/{number}/rounds/{draw['round']}/tables")
            if row["draw"] == draw["draw"]
        ]
        assert [[seat["entry"] for seat in row["seats"]] for row in rows] == tables
        assert all(row["over"] for row in rows)
        assert (draw["repeats"], draw["least"]) == (
            (it.repeats, True) if it.kind == "swiss" and it.round > 1 else (None, None)
        )
        results = {}
        for row in rows:
            results.update(results_of(get, row))
        made.append((draw, tables, results, rows, of_clients))
        if any(later["round"] == draw["round"] for later in told["draws"][draw["draw"] :]):
            continue
        rows, of_round = (
            [row for *_, of_draw, _ in made for row in of_draw],
            [table for _, of_draw, *_ in made for table in of_draw],
        )
        it.history.append(of_round)
        it.play(of_round, {no: result for _, _, of_draw, *_ in made for no, result in of_draw.items()})
        made = []
        if told["duplicate"]:
            assert sha(deals[draw["round"]]).hex() == deal_commit, (
                "each deal shows what the one before has promised"
            )
            deal_commit = deals[draw["round"]].hex()
            prove_deal(get, number, draw["round"], deals[draw["round"]], of_clients, rows)
            worth = {seat["entry"]: (seat["score"], seat["margin"]) for row in rows for seat in row["seats"]}
            expected = {no: (it.scores[no][-1], it.margins[no][-1]) for no in worth}
            assert worth == expected, (worth, expected, rows)
            for seat in (seat for row in rows for seat in row["seats"]):
                assert exactly(seat["percent"], 100 * it.beaten[seat["entry"]][-1])
    assert it.over and {row["entry"]: row["place"] for row in standings} == it.place
    if told["duplicate"]:
        for row in standings:
            assert exactly(row["percent"], 100 * sum(it.beaten[row["entry"]]) / len(it.beaten[row["entry"]]))
    assert {row["entry"]: (row["wins"], row["byes"]) for row in standings} == {
        no: (it.wins[no], it.byes[no]) for no in it.wins
    }
    assert [row["rank"] for row in standings] == list(range(1, len(standings) + 1))
    prove_prizes(told, standings)
    if it.teams:
        prove_teams(told, standings, it)
    else:
        assert [row["place"] for row in standings] == list(range(1, len(standings) + 1)) and told[
            "teams"
        ] is None
    return told, standings
