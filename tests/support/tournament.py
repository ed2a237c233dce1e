"""Tournaments by docs/tournaments.md alone, without a database: who is drawn where, who goes on, who is placed where, and what it
brings. What the server made is held to it."""

import fractions
import hashlib
import math
import struct

AHEAD = 16
LINKS = 64
BEST_HIGH = {"straight", "treff", "deals2", "deals3"}


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def clients(seeds):
    """The hash of what entrants have sent; seeds: {entry: bytes}."""
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
    """What the deal of a round comes from; of round 0 it is the commitment. secret: of the tournament."""
    return link(sha(b"rummy-tournament-deals-1", secret), LINKS - round_no)


def deal_seed(of_link, of_clients, tournament, round_no):
    return sha(b"rummy-tournament-deal-1", of_link, of_clients, struct.pack(">qi", tournament, round_no))


def hand_seed(deal, hand):
    return sha(b"rummy-deal-seed-1", deal, struct.pack(">i", hand))


def matchpoints(own, others):
    """The part of the others that one beats, a tie for half, as a score; 60 without others."""
    beaten = sum(2 * (other < own) + (other == own) for other in others)
    return 60 * beaten // len(others) if others else 60


def team_tables(teams, lots, seats):
    """Of two teams, {entry: team}: the first half of each by lot at table 1, where team 1 has the even seats, the others at table 2, where team 2 has."""
    half, tables = seats // 2, []
    for table in range(2):
        ones, twos = (sorted((no for no in teams if teams[no] == team), key=lots.get)[table * half:][:half] for team in (1, 2))
        even, odd = (ones, twos) if table == 0 else (twos, ones)
        tables.append([no for pair in zip(even, odd, strict=True) for no in pair])
    return tables


def team_results(teams, tables, results, best_high):
    """What two teams made: {team: (points, [points at table 1, at table 2], place)}; a table without a result makes them level."""
    made = {}
    for team in (1, 2):
        at = [None if results.get(table[0], (0, 0, None))[2] is None else sum(results[no][1] for no in table if teams[no] == team) for table in tables]
        made[team] = None if None in at else sum(at), at
    ways = [0 if points is None else points if best_high else -points for points, _ in (made[1], made[2])]
    size = len(teams) // 2
    return {team: (*made[team], 1 if ways[team - 1] == max(ways) else 1 + size) for team in made}


def equal_shares(pot, n):
    return [pot // n + pot % n, *[pot // n] * (n - 1)]


def sizes(n, seats):
    tables = -(-n // seats)
    return [n // tables + (i < n % tables) for i in range(tables)]


class Tournament:
    """One that is followed round by round: draw() says the tables, play() takes how they ended."""

    def __init__(self, number, kind, seats, entries, advance=1, keep=50, rounds=5, best_high=None, teams=None):
        """best_high: of a duplicate, whether the greatest total is the best; None: tables have cards of their own. teams: {entry: 1 or 2}."""
        self.best_high, self.duplicate = best_high, best_high is not None
        self.number, self.kind, self.seats, self.advance, self.keep, self.rounds = number, kind, seats, advance, keep, rounds
        self.round, self.place, self.met, self.teams = 0, {}, {}, teams
        self.scores = {no: [] for no in entries}
        self.margins = {no: [] for no in entries}
        self.byes = dict.fromkeys(entries, 0)
        self.over = False

    def enter(self, entries):
        for no in entries:
            self.scores[no], self.margins[no], self.byes[no] = [], [], 0

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
        points = {no: sum(self.scores[no]) if self.kind == "swiss" and not self.duplicate else 0 for no in lots}
        order = sorted(lots, key=lambda no: (-points[no], lots[no]))
        if len(order) == 1 or self.seats == 2 and len(order) % 2:
            alone = max(order, key=lambda no: (-self.byes[no], -points[no], lots[no]))
            order = [no for no in order if no != alone] + [alone]
        tables = []
        for size in sizes(len(order), self.seats):
            table = []
            while len(table) < size:
                ahead = order[:AHEAD]
                if size < self.seats == 2:
                    pick = order[0]
                elif table and self.kind == "swiss" and self.round > 1:
                    odd = self.seats == 2 and len(lots) % 2
                    free = [no for no in ahead if not (odd and no == alone)] or ahead
                    strangers = [no for no in free if not self.met.get(no, set()) & set(table)]
                    pick = (strangers or free)[0]
                else:
                    pick = ahead[0]
                order.remove(pick)
                table.append(pick)
            tables.append(table)
        return tables

    def play(self, tables, results):
        """results: {entry: (place, points, left)} of all tables that were more than one; left None: the table had no result."""
        order = []
        compared = self.compared(tables, results) if self.duplicate else {}
        for table in tables:
            if len(table) == 1:
                worth = {table[0]: (120 if self.kind == "swiss" and not self.duplicate else 60, 0)}
                self.byes[table[0]] += 1
                places = {table[0]: 1}
            else:
                places = {no: results[no][0] for no in table}
                worth = {no: compared[no] if self.duplicate else self.worth(table, no, results) for no in table}
            for no in table:
                self.scores[no].append(worth[no][0])
                self.margins[no].append(worth[no][1])
                self.met.setdefault(no, set()).update(set(table) - {no})
            ranked = sorted(table, key=lambda no: (places[no], -worth[no][1], self.lots[no]))
            goes_on = max(1, min(self.advance, len(table) - 1))
            order += [(no, places[no], worth[no][1], nth < goes_on) for nth, no in enumerate(ranked)]
        if self.teams:
            self.made = team_results(self.teams, tables, results, self.best_high)
            self.place, self.over = {no: self.made[team][2] for no, team in self.teams.items()}, True
        else:
            self.end_round(order, len(tables))

    def compared(self, tables, results):
        """Of a duplicate: what each seat is worth beside the same seat at the other tables of that size."""
        worth, way = {}, 1 if self.best_high else -1
        same = {}
        for table in tables:
            for seat, no in enumerate(table):
                same.setdefault((len(table), seat), []).append(no)
        for seats in same.values():
            ended = [no for no in seats if no in results and results[no][2] is not None]
            key = {no: (not results[no][2], way * results[no][1] if not results[no][2] else 0) for no in ended}
            mean = int(fractions.Fraction(60 * sum(results[no][1] for no in ended), len(ended))) if ended else 0
            for no in seats:
                others = [key[other] for other in ended if other != no]
                worth[no] = (matchpoints(key[no], others), way * (60 * results[no][1] - mean)) if no in key else (60, 0)
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
        wins = {no: sum(score == 120 for score in self.scores[no]) for no, *_ in order}
        total = {no: (sum(self.scores[no]), sum(self.margins[no])) for no in self.scores}
        if self.kind == "knockout":
            final = tables == 1
            order.sort(key=lambda row: (final or not row[3], row[1], -row[2], -wins[row[0]], self.lots[row[0]]))
            keep = 0 if final else sum(row[3] for row in order)
        elif self.kind == "stages":
            final = tables == 1
            first, then = (0, 1) if self.duplicate else (1, 0)
            order.sort(key=lambda row: (row[1] if final else 0, -total[row[0]][first], -total[row[0]][then], -wins[row[0]], self.lots[row[0]]))
            keep = 0 if final else min(len(order) - 1, max(self.seats, math.ceil(len(order) * self.keep / 100)))
        else:
            final = self.round == self.rounds
            beaten = {no: sum(total[other][0] * times for other, times in self.met_times(no).items()) for no, *_ in order} if final else {}
            order.sort(key=lambda row: (-total[row[0]][0], -beaten.get(row[0], 0), -total[row[0]][1], -wins[row[0]], self.lots[row[0]]))
            keep = 0 if final else len(order)
        for nth, row in enumerate(order, 1):
            if nth > keep:
                self.place[row[0]] = nth
        self.over = keep == 0

    # Whom one has met, and how often: of all rounds.
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
    """What each place brings of a pot in one colour."""
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
    """{entry: (place, points, left)} of a table of a round."""
    seats = row["seats"]
    if len(seats) == 1:
        return {}
    left = {result["seat"]: result["left"] for result in get(f"/games/{row['game_id']}").json()["results"]} if row["game_id"] else {}
    return {seat["entry"]: (seat["place"], seat["points"], left.get(seat["seat"])) for seat in seats}


def prove_deal(get, number, round_no, seed, of_clients, rows):
    """All tables of a round of a duplicate were dealt from its deal alone, and what is told of each seat is what the results make of it."""
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
        told = {item["entry"]: item for item in all_of(get, f"/tournaments/{number}/rounds/{round_no}/seats/{nth}")}
        seats = {row["seats"][nth]["entry"]: (row, row["seats"][nth]) for row in rows if len(row["seats"]) > nth}
        assert set(told) == set(seats)
        for entry, (row, seat) in seats.items():
            item = told[entry]
            assert (item["table"], item["seats"], item["game_id"]) == (row["table"], len(row["seats"]), row["game_id"])
            assert (item["score"], item["margin"], item["percent"]) == (seat["score"], seat["margin"], seat["percent"])
            assert item["points"] == (seat["points"] if row["game_id"] else None)


def prove_teams(told, standings, it):
    """What two teams made is told as it is, and the people of the better one share the pot."""
    assert [(row["team"], row["points"], row["tables"], row["place"]) for row in told["teams"]] == [(team, *it.made[team]) for team in (1, 2)]
    assert standings == sorted(standings, key=lambda row: (row["place"], -row["score"], -row["margin"], row["entry"]))
    people = [row for row in standings if not row["bot"]]
    best = [row for row in people if row["place"] == people[0]["place"]]
    for colour in ("prize_silver", "prize_gold"):
        assert [row[colour] for row in best] == equal_shares(sum(row[colour] for row in standings), len(best))
    assert sum(row["prize_silver"] + row["prize_gold"] for row in best) == told["pot"] and told["prizes"] == []


def prove(get, number):
    """An ended tournament by what anybody may read of it: the chains of its draws and deals, each table of each round, all places."""
    told = get(f"/tournaments/{number}").json()
    standings = all_of(get, f"/tournaments/{number}/standings")
    seeds = {row["entry"]: bytes.fromhex(row["client_seed"]) for row in standings}
    size = {"knockout": {"advance": told["advance"]}, "stages": {"keep": told["keep_percent"]}, "swiss": {"rounds": told["rounds"]},
            "teams": {"teams": {row["entry"]: row["team"] for row in standings}}}[told["kind"]]
    it = Tournament(int(number), told["kind"], told["seats"], sorted(seeds), **size,
                    best_high=told["variant"] in BEST_HIGH if told["duplicate"] else None)
    it.history = []
    commit, deal_commit = told["commit"], told["deal_commit"]
    deals = {deal["round"]: bytes.fromhex(deal["seed"]) for deal in told["deals"]}
    assert sorted(deals) == (sorted({draw["round"] for draw in told["draws"]}) if told["duplicate"] else [])
    for draw in told["draws"]:
        seed = bytes.fromhex(draw["seed"])
        assert sha(seed).hex() == commit, "each draw shows what the one before has promised"
        commit = draw["seed"]
        assert draw["clients"] == clients(seeds).hex()
        tables = it.draw(seed, clients(seeds), draw["draw"])
        rows = all_of(get, f"/tournaments/{number}/rounds/{draw['round']}/tables")
        assert [[seat["entry"] for seat in row["seats"]] for row in rows] == tables
        assert all(row["over"] for row in rows)
        it.history.append(tables)
        results = {}
        for row in rows:
            results.update(results_of(get, row))
        it.play(tables, results)
        if told["duplicate"]:
            assert sha(deals[draw["round"]]).hex() == deal_commit, "each deal shows what the one before has promised"
            deal_commit = deals[draw["round"]].hex()
            prove_deal(get, number, draw["round"], deals[draw["round"]], clients(seeds), rows)
            worth = {seat["entry"]: (seat["score"], seat["margin"]) for row in rows for seat in row["seats"]}
            assert worth == {no: (it.scores[no][-1], it.margins[no][-1]) for no in worth}
    assert it.over and {row["entry"]: row["place"] for row in standings} == it.place
    if told["duplicate"]:
        for row in standings:
            mean = fractions.Fraction(sum(it.scores[row["entry"]]), len(it.scores[row["entry"]])) / fractions.Fraction(6, 5)
            assert abs(fractions.Fraction(str(row["percent"])) - mean) <= fractions.Fraction(1, 20)
    assert [row["rank"] for row in standings] == list(range(1, len(standings) + 1))
    if it.teams:
        prove_teams(told, standings, it)
    else:
        assert [row["place"] for row in standings] == list(range(1, len(standings) + 1)) and told["teams"] is None
    return told, standings
