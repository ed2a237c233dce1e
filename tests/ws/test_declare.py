"""The commands of the declare family and of sessions: refusals, and reconnecting across hands."""

import asyncio
import json
import random

import pytest
from support.table import Player, Table

TABLES_MAX = 20  # so many bots in a row do not all drop immediately
ROW = {"t": "declare", "d": {"groups": [["5H1", "6H1", "7H1"]], "finish": "KD1"}}


def open_private(player, variant="points", seats=2, **more):
    answer = player.post(
        "/tables", {"variant": variant, "seats": seats, "bots": seats - 1, "bot_level": "strong", **more}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def at_my_turn(server, variant, act, **more):
    """Sits down at a new table with a bot, waits for the player's first turn, and runs act(table). If a bot
    begins, drops immediately, and so ends the game before that turn, it tries another table."""
    player = Player(server)

    async def run():
        seat = open_private(player, variant, **more)
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            return [await act(table)] if await table.my_turn_comes() else []

    return next(answer for _ in range(TABLES_MAX) for answer in asyncio.run(run()))


@pytest.mark.parametrize(
    "kind, d, code",
    [
        ("declare", None, "missing_member"),
        ("declare", {"groups": []}, "missing_member"),
        ("declare", {"finish": "KD1"}, "missing_member"),
        ("declare", {"groups": "5H1", "finish": "KD1"}, "wrong_type"),
        ("declare", {"groups": ["5H1"], "finish": "KD1"}, "wrong_type"),
        ("declare", {"groups": [[]], "finish": "KD1"}, "bad_length"),
        ("declare", {"groups": [["5H1"]] * 14, "finish": "KD1"}, "bad_length"),
        ("group", {"groups": [["5H1"]] * 5}, "bad_length"),
        ("declare", {"groups": [["5H1"] * 14], "finish": "KD1"}, "bad_length"),
        ("declare", {"groups": [["5H3"]], "finish": "KD1"}, "bad_format"),
        ("declare", {"groups": [], "finish": "KD"}, "bad_format"),
        ("declare", {"groups": [], "finish": "KD1", "done": True}, "unknown_member"),
        ("group", {"groups": [], "done": 1}, "wrong_type"),
        ("group", {"done": True}, "missing_member"),
        ("drop", {"points": 20}, "unknown_member"),
        ("rejoin", {"total": 1}, "unknown_member"),
        ("ready", {"hand": 2}, "unknown_member"),
    ],
)
def test_invalid_frames_are_refused(server, kind, d, code):
    player = Player(server)
    seat = open_private(player)

    async def run():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            return await table.do(kind, d)

    answer = asyncio.run(run())
    assert (answer["t"], answer["code"]) == ("nack", code)


def test_refusals_name_the_cards(server):
    async def act(table):
        codes = [
            await table.do("discard", {"cards": table.hand[:1]}),
            await table.do("group", {"groups": []}),
            await table.do("rejoin"),
            await table.do("ready"),
            await table.do("meld", {"cards": table.hand[:3]}),
        ]
        assert (await table.do("draw", {"from": "stock"}))["t"] == "ack"
        codes.append(await table.do("drop"))
        strange = next(
            f"{r}{s}{c}" for r in "A2345" for s in "CSHD" for c in "12" if f"{r}{s}{c}" not in table.hand
        )
        codes.append(
            await table.do("declare", {"groups": [[strange, *table.hand[:2]]], "finish": table.hand[3]})
        )
        return strange, codes

    strange, answers = at_my_turn(server, "pool101", act)
    assert [answer["t"] for answer in answers] == ["nack"] * len(answers)
    codes = [answer["code"] for answer in answers]
    assert codes[0] == "must_draw_first" and codes[3] == "not_between_hands" and codes[4] == "bad_move"
    assert codes[2] == "no_rejoin_in_this_variant", "a pool of two"
    assert codes[5] == "drop_after_draw"
    assert (codes[6], answers[6]["cards"]) == ("card_not_held", [strange])
    assert all(answer["text"].endswith(".") for answer in answers)


@pytest.mark.quick("drop")
def test_a_drop_costs_the_points_shown_in_the_snapshot(server):
    async def act(table):
        snapshot = next(frame for frame in reversed(table.frames) if frame["t"] == "snapshot")["d"]
        assert (await table.do("drop"))["t"] == "ack"
        await table.until("next_hand")
        return table, snapshot

    table, snapshot = at_my_turn(server, "pool101", act)
    dropped = next(frame for frame in table.frames if frame["t"] == "dropped")
    assert dropped["seat"] == table.me and dropped["d"] == {
        "points": snapshot["params"]["drop_first"],
        "kind": "first",
    }
    score = next(f["d"] for f in table.frames if f["t"] == "scored" and f["seat"] == table.me)
    assert score["dropped"] and score["points"] == score["total"] == snapshot["drop_points"] == 20


@pytest.mark.quick("draw", "declare")
def test_an_invalid_declaration_is_judged_as_grouped_and_costs_points(server):
    async def act(table):
        assert (await table.do("draw", {"from": "stock"}))["t"] == "ack"
        hand = sorted(table.hand)
        short = await table.do("declare", {"groups": [hand[:3], hand[3:6]], "finish": hand[13]})
        assert (short["t"], short["code"]) == ("nack", "grouping_incomplete")
        five = await table.do(
            "declare",
            {"groups": [hand[:3], hand[3:6], hand[6:9], hand[9:12], hand[12:13]], "finish": hand[13]},
        )
        assert (five["code"], five["cards"]) == ("grouping_incomplete", hand[12:13])
        groups = [hand[0:13:4], hand[1:13:4], hand[2:13:4], hand[3:13:4]]  # the same rank at most three times
        answer = await table.do("declare", {"groups": groups, "finish": hand[13]})
        assert answer["t"] == "ack", answer
        if table.phase != "over":
            await table.until("session_ended")
        return table, groups, answer

    table, groups, answer = at_my_turn(server, "points", act)
    assert answer["t"] == "ack"
    declared = next(frame for frame in table.frames if frame["t"] == "declared")["d"]
    assert not declared["valid"] and declared["points"] == 80 and declared["code"] != ""
    assert (
        declared["groups"] == groups and declared["rest"] == [] and declared["finish"] not in sum(groups, [])
    )
    ended = next(frame for frame in table.frames if frame["t"] == "session_ended")["d"]
    assert ended["winners"] == [1 - table.me]


@pytest.mark.parametrize("variant", ["points", "pool101", "pool201", "deals2", "deals3"])
def test_a_table_is_played_with_its_options(server, variant):
    async def act(table):
        return next(frame["d"] for frame in table.frames if frame["t"] == "snapshot")

    options = {"wild_scope": "exact", "wild_natural_pure": 0, "turn_s": 60}
    snapshot = at_my_turn(server, variant, act, options=options)
    assert {name: snapshot["params"][name] for name in options} == {
        "wild_scope": 2,
        "wild_natural_pure": 0,
        "turn_s": 60,
    }
    assert snapshot["clock"]["turn_ms"] == 60000
    plain = at_my_turn(server, variant, act)["params"]
    assert {name: value for name, value in snapshot["params"].items() if plain[name] != value} == {
        "wild_scope": 2,
        "wild_natural_pure": 0,
        "turn_s": 60,
        "hand_s": 240,
    }, "a hand clock is four turns long"


def events(table):
    return [
        frame for frame in table.frames if "v" in frame and frame["t"] not in ("snapshot", "ack", "legal")
    ]


@pytest.mark.parametrize("variant", ["treff", "deals3"])
def test_reconnecting_at_random_points_yields_the_same_events(server, variant):
    """However often and whenever a client reconnects, it has the same events as one that stayed
    connected."""
    player = Player(server)
    seat = open_private(player, variant)
    chance = random.Random(variant)

    async def run():
        table = Table(server, seat["table_id"], seat["ticket"])
        over = False
        while not over:
            async with table:
                await table.sit_down()
                for _ in range(chance.randint(1, 25)):
                    if not await table.my_turn_comes():
                        over = True
                        break
                    await table.step()
                if over:
                    await table.until("fairness")
            if not over:
                table.reopen(await asyncio.to_thread(player.ticket, table.table), chance.choice((0, 3, 40)))
        return table

    table = asyncio.run(run())
    seen = {}
    for frame in events(table):
        assert seen.setdefault(frame["v"], frame) == frame
    first = min(seen)
    assert sorted(seen) == list(range(first, max(seen) + 1)), "no gap"
    assert {2, 3} <= {frame["d"]["hand_no"] for frame in events(table) if frame["t"] == "dealt"}
    assert events(table)[-1]["t"] == "session_ended"


def test_rest_reports_the_pause_between_hands(server):
    player = Player(server)
    seat = open_private(player, "treff")

    async def run():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            while table.next_hand is None:
                if table.my_turn():
                    await table.step()
                else:
                    await table.receive(60)
            shown = await asyncio.to_thread(player.get, f"/tables/{table.table}")
            return table, shown.json()

    table, shown = asyncio.run(run())
    assert shown["d"]["phase"] in ("hand_over", "draw") and shown["v"] >= table.v
    totals = [f["d"]["total"] for f in table.frames if f["t"] == "scored"]
    assert shown["d"]["totals"] == totals
    assert json.dumps(shown).count("server_seed") == 0
