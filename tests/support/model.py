"""A client's model of a table (laid-down variants), built from a snapshot and events; and a player who melds
whatever they can."""

import uuid

from .table import Table


class Model:
    """The table as its events describe it; `same_as` compares it with a snapshot."""

    def __init__(self, snapshot):
        d = snapshot["d"]
        self.v, self.me = snapshot["v"], d["me"]
        self.hand = set(d["hand"])
        self.stock_n, self.discard = d["stock_n"], list(d["discard"])
        self.to_move, self.phase = d["to_move"], d["phase"]
        keys = ("cards_n", "opened", "away", "left", "round")
        self.seats = {seat["seat"]: {key: seat[key] for key in keys} for seat in d["seats"]}
        self.melds = {
            m["id"]: {key: m[key] for key in ("kind", "owner", "low", "staged")} | {"cards": list(m["cards"])}
            for m in d["melds"]
        }

    def give(self, seat, cards, n=None):
        self.seats[seat]["cards_n"] += len(cards) if n is None else n
        if seat == self.me:
            self.hand |= set(cards)

    def take(self, seat, cards):
        self.seats[seat]["cards_n"] -= len(cards)
        if seat == self.me:
            assert set(cards) <= self.hand, (cards, self.hand)
            self.hand -= set(cards)

    def apply(self, frame):
        assert frame["v"] == self.v + 1, (self.v, frame)
        self.v = frame["v"]
        getattr(self, "on_" + frame["t"], lambda seat, d: None)(frame.get("seat"), frame["d"])

    def on_turn(self, seat, d):
        self.to_move, self.phase = seat, d["phase"]
        self.seats[seat]["round"] = d["round"]

    def on_drew(self, seat, d):
        self.give(seat, [d["card"]] if "card" in d else [], 1)
        self.phase = "play"
        if d["from"] == "stock":
            self.stock_n -= 1
        else:
            assert self.discard.pop() == d["card"]

    def on_draw_cancelled(self, seat, d):
        self.take(seat, [d["card"]])
        self.discard.append(d["card"])
        self.phase = "draw"

    def on_melded(self, seat, d):
        self.take(seat, d["cards"])
        keys = ("kind", "low", "staged")
        self.melds[d["meld"]] = {"owner": seat, "cards": list(d["cards"])} | {key: d[key] for key in keys}

    def on_taken_back(self, seat, d):
        self.give(seat, d["cards"])
        del self.melds[d["meld"]]

    def on_opened(self, seat, d):
        self.seats[seat]["opened"] = True
        for meld in self.melds.values():
            meld["staged"] = meld["staged"] and meld["owner"] != seat

    def on_laid_off(self, seat, d):
        self.take(seat, [d["card"]])
        meld = self.melds[d["meld"]]
        if d["end"] == "low":
            meld["low"] -= 1
            meld["cards"].insert(0, d["card"])
        else:
            meld["cards"].append(d["card"])

    def on_swapped(self, seat, d):
        self.take(seat, [d["card"]])
        self.give(seat, [d["joker"]])
        cards = self.melds[d["meld"]]["cards"]
        cards[cards.index(d["joker"])] = d["card"]

    def on_swap_undone(self, seat, d):
        self.take(seat, [d["joker"]])
        self.give(seat, [d["card"]])
        cards = self.melds[d["meld"]]["cards"]
        cards[cards.index(d["card"])] = d["joker"]

    def on_discarded(self, seat, d):
        self.take(seat, d["cards"])
        self.discard += d["cards"]
        self.seats[seat]["round"] += 1

    def on_reshuffled(self, seat, d):
        self.stock_n, self.discard = d["stock_n"], self.discard[-1:]

    def on_away(self, seat, d):
        self.seats[seat]["away"] = True

    def on_returned(self, seat, d):
        self.seats[seat]["away"] = False

    def on_left(self, seat, d):
        self.seats[seat].update(left=True, away=True)

    def on_hand_ended(self, seat, d):
        self.to_move, self.phase = None, "hand_over"

    def on_session_ended(self, seat, d):
        self.phase = "over"

    def same_as(self, snapshot):
        """Fails unless the snapshot, which has the same version, shows the same table."""
        other = Model(snapshot)
        for name in ("v", "me", "hand", "stock_n", "discard", "to_move", "phase", "seats", "melds"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if name == "melds":  # the order within a set is irrelevant
                mine, theirs = (
                    {i: m | {"cards": sorted(m["cards"])} for i, m in x.items()} for x in (mine, theirs)
                )
            assert mine == theirs, (self.v, name, mine, theirs)


class Modelled(Table):
    """A socket with a model: the first snapshot creates the model, and later snapshots of the same version
    are compared with it."""

    def __init__(self, server, table, ticket, since=None, model=None):
        super().__init__(server, table, ticket, since)
        self.model = model
        self.compared = 0

    def follow(self, frame):
        super().follow(frame)
        if frame["t"] == "snapshot":
            if self.model and self.model.v == frame["v"]:
                self.model.same_as(frame)
                self.compared += 1
            else:
                self.model = Model(frame)
        elif self.model and "v" in frame and frame["t"] not in ("ack", "legal") and frame["v"] > self.model.v:
            self.model.apply(frame)


async def choose(table):
    """The next command of the seat to move, a function of what it sees: melds and lays off what it can, then
    discards. (None, None) if the turn has ended meanwhile."""
    if table.model.phase == "draw":
        return "draw", {"from": "stock"}
    answer = await table.do("legal", {"hints": True}, id="legal-" + uuid.uuid4().hex[:8])
    moves = answer["d"]["moves"]
    for kind in ("meld", "lay_off"):
        for move in moves:
            if move["t"] == kind:
                return kind, move["d"]
    throw = [move for move in moves if move["t"] == "discard"]
    return (throw[0]["t"], throw[0]["d"]) if throw else (None, None)
