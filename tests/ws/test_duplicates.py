"""Tournaments in which all tables of a round play one deal, at live tables: the same seat gets the same
cards, which are secret until all tables have played them, and which anyone can prove afterward."""

import asyncio
import re
import time

import pytest
from support import tournament
from support.after import verify
from support.cluster import SERVER
from support.server import Server
from support.table import Player, Table
from support.wait import HANG_S
from test_tournaments import announce, operator, play


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        rate_limits="off",
        bot_think_ms=1,
        seed_wait_ms=100,
        hand_pause_ms=100,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


def until(look, seconds=HANG_S):
    limit = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < limit
        time.sleep(0.1)
    return found


def own(player, number):
    return player.get(f"/tournaments/{number}").json()["own"]


def play_table(server, players, table_id):
    """All players of a table play it to its end; returns the frames of each."""

    async def one(player):
        ticket = (await asyncio.to_thread(player.post, f"/tables/{table_id}/tickets")).json()["ticket"]
        async with Table(server, table_id, ticket) as table:
            await table.sit_down()
            await table.play_out()
            return table.frames

    async def run():
        return await asyncio.wait_for(asyncio.gather(*(one(player) for player in players)), 120)

    return asyncio.run(run())


def first_cards(record):
    """The cards dealt to each seat in the first hand of a session."""
    return re.findall(r'\[Cards\d "([^"]+)"\]', record.split("\n[Rummyd ", 1)[0])


WAYS = [
    ("swiss", {"variant": "points", "options": {}, "rounds": 2, "seats": 2, "entries_max": 8}),
    ("stages", {"keep_percent": 50, "entries_max": 16}),
    ("swiss", {"variant": "rummy51", "options": {}, "rounds": 1, "seats": 4, "entries_max": 8}),
]


@pytest.mark.parametrize("kind,more", WAYS)
def test_each_result_is_verified_from_public_data(server, operator, kind, more):
    number, players, tables = play(
        server, operator, 2, kind=kind, duplicate=True, bots_to=more["entries_max"], **more
    )
    told, standings = tournament.prove(players[0].get, number)
    assert (
        told["duplicate"]
        and told["state"] == "ended"
        and len(standings) == more["entries_max"]
        and all(tables)
    )
    zoe = Player(server, "Zoe")
    for deal in told["deals"]:
        rows = tournament.all_of(zoe.get, f"/tournaments/{number}/rounds/{deal['round']}/tables")
        records = {row["table"]: zoe.get(f"/games/{row['game_id']}/record").text for row in rows}
        assert all(verify(record) > 0 and f'[Table "{number}"]' in record for record in records.values())
        for size in {len(row["seats"]) for row in rows}:
            alike = [first_cards(records[row["table"]]) for row in rows if len(row["seats"]) == size]
            assert all(len(cards) == size and cards == alike[0] for cards in alike), (
                "the same seat, the same cards"
            )


def test_tables_of_bots_alone_play_identical_games(server, operator):
    """They have the same cards and the same random choices, so their games are identical move by move, and
    all seats are level."""
    number = announce(
        operator,
        kind="swiss",
        rounds=1,
        seats=2,
        variant="points",
        options={},
        entry=0,
        entries_max=8,
        entries_min=0,
        bots_to=8,
        bot_level="medium",
        duplicate=True,
        starts_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2)),
    )
    player = Player(server, "Zoe")
    until(lambda: player.get(f"/tournaments/{number}").json()["state"] == "ended", 60)
    rows = tournament.all_of(player.get, f"/tournaments/{number}/rounds/1/tables")
    records = [player.get(f"/games/{row['game_id']}/record").text for row in rows]
    moves = {record.split("\n\n", 1)[1] for record in records}
    assert len(records) == 4 and len(moves) == 1
    assert {seat["percent"] for row in rows for seat in row["seats"]} == {50}


def test_a_running_round_reveals_nothing_of_its_deal(server, operator):
    number = announce(
        operator, kind="swiss", rounds=1, seats=2, variant="rummy51", options={}, duplicate=True
    )
    players = [Player(server, f"P{n}") for n in range(4)]
    zoe = Player(server, "Zoe")
    for player in players:
        assert player.post(f"/tournaments/{number}/entries").status_code == 201
    at = {}
    for player in players:
        at.setdefault(until(lambda player=player: own(player, number)["table_id"]), []).append(player)
    (first, ours), (second, theirs) = at.items()
    frames = [frame for told in play_table(server, ours, first) for frame in told]
    table = next(frame for frame in frames if frame["t"] == "snapshot")["d"]["table"]
    assert table["same_deal"] is True and "daily" not in table
    assert not [frame for frame in frames if frame["t"] == "fairness"]
    game = until(
        lambda: [item for item in ours[0].get("/games").json()["items"] if item["table_id"] == first]
    )[0]["id"]
    for path in (f"/games/{game}", f"/games/{game}/record"):
        assert [
            (answer.status_code, answer.json()["code"]) for answer in (ours[0].get(path), ours[1].get(path))
        ] == [(403, "deal_not_open")] * 2
        assert theirs[0].get(path).status_code == zoe.get(path).status_code == 404
    answer = zoe.get(f"/tournaments/{number}/rounds/1/seats/0")
    assert (answer.status_code, answer.json()["code"]) == (403, "deal_not_open")
    rows = {row["table_id"]: row for row in zoe.get(f"/tournaments/{number}/rounds/1/tables").json()["items"]}
    assert rows[first]["over"] and not rows[second]["over"]
    assert all(
        (row["watch"], row["game_id"]) == (False, None)
        and not [seat for seat in row["seats"] if seat["points"] is not None]
        for row in rows.values()
    )
    for player in (zoe, ours[0]):
        assert player.post(f"/tables/{second}/spectators").status_code >= 400, "no one may watch either"
    assert zoe.get(f"/tournaments/{number}").json()["deals"] == []
    play_table(server, theirs, second)
    until(lambda: zoe.get(f"/tournaments/{number}").json()["state"] == "ended")
    assert verify(zoe.get(f"/games/{game}/record").text) > 0
    tournament.prove(zoe.get, number)


@pytest.mark.parametrize("seat,status", [("6", 404), ("-1", 404), ("a", 404), ("5", 200), ("0", 200)])
def test_only_existing_seats_are_found(server, operator, seat, status):
    number = announce(operator, kind="swiss", duplicate=True)
    assert Player(server, "Zoe").get(f"/tournaments/{number}/rounds/1/seats/{seat}").status_code == status


@pytest.mark.parametrize(
    "more", [{"kind": "knockout"}, {"kind": "swiss", "starts_at": "2026-12-24T18:00:00Z", "late_s": 5}]
)
def test_incompatible_settings_are_refused_by_name(operator, more):
    body = {
        "name": "Friday cup",
        "variant": "straight",
        "seats": 4,
        "entry": 10,
        "entries_max": 4,
        "duplicate": True,
        **more,
    }
    if "starts_at" in more:
        body["starts_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
    answer = operator.send(
        "POST",
        "/v1/admin/tournaments",
        body=body,
        headers={"Authorization": f"Bearer {operator.key}", "Idempotency-Key": f"t{time.time_ns()}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "tournament_duplicate")
