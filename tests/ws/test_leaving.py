"""A player who leaves, in every game, in the middle of a hand and between two hands: their cards, points,
and stake, and how the others continue. All games are played side by side."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from support.rounds import hand_is_over, moved, next_hand, play_hand, purse, seated, sit_down, verified
from support.table import Player, without_bots

LAID = {
    "rummy51": {},
    "straight": {"target": 50},
    "treff": {"rounds": 1},
    "rummy40": {"rounds": 1},
    "rami": {"rounds": 1},
}
# The cost of leaving before any draw of the hand, and after one.
DECLARE = {
    "points": (20, 40),
    "pool101": (20, 40),
    "pool201": (25, 50),
    "deals2": (80, 80),
    "deals3": (80, 80),
}
NAMES = ("Ana", "Boris", "Ceca")
HAND_PAUSE_MS = 60000  # a player who leaves between two hands always does so before the next one


def kinds(table, kind):
    return [frame for frame in table.frames if frame["t"] == kind]


def all_at_once(games, play):
    """play(game) prepares a game and returns the coroutine that plays it. These run concurrently once all
    are prepared, so that no request to the server delays the handshake of an open socket. Returns their
    results or exceptions."""
    prepared = [play(game) for game in games]

    async def run():
        return await asyncio.gather(*prepared, return_exceptions=True)

    return dict(zip(games, asyncio.run(run())))


def outcome(found, game):
    if isinstance(found[game], BaseException):
        raise found[game]
    return found[game]


async def settled(table):
    return (kinds(table, "settled") or [await table.until("settled", seconds=120)])[0]["d"]


def at_stake(variant):
    """The stake of these player-opened tables."""
    return {"visibility": "public", **({"point_value": 1} if variant == "points" else {"stake": 10})}


# ---- Player-opened tables ----


def test_a_game_that_a_player_left_is_not_in_their_tables(server):
    ana, boris = (Player(server, name) for name in NAMES[:2])
    seats = seated([ana, boris], "rummy51", options={"turn_s": 120}, visibility="private")

    def mine(player):
        return [table["table_id"] for table in player.get("/me/tables").json()["items"]]

    async def play():
        async with AsyncExitStack() as stack:
            tables = await sit_down(stack, server, seats)
            assert mine(ana) == mine(boris) == [seats[0]["table_id"]]
            assert (await tables[1].do("leave"))["t"] == "ack"
            assert (mine(ana), mine(boris)) == ([seats[0]["table_id"]], [])

    asyncio.run(play())


# ---- In the middle of a hand ----


@pytest.fixture(scope="module")
def in_a_hand(server):
    """For each meld game: one of two players leaves after drawing a card; the other draws and discards to
    the end. Rummy 51 is played in a room, with two bots."""

    def play(variant):
        people = [Player(server, name) for name in NAMES[:2]]
        in_room = variant == "rummy51"
        if in_room:
            with without_bots(server):
                seats = [person.take_seat() for person in people]
        else:
            seats = seated(people, variant, options={"turn_s": 120, **LAID[variant]}, **at_stake(variant))
        assert [seat["seat"] for seat in seats] == [0, 1]

        async def game():
            async with AsyncExitStack() as stack:
                tables = await sit_down(stack, server, seats, ready=in_room)
                left = await play_hand(dict(tables), {1: "leave late"})
                await tables[0].play_out()
                return people, tables, left, await settled(tables[0]), seats[0]["table_id"]

        return game()

    return all_at_once(LAID, play)


@pytest.mark.parametrize("variant", LAID)
def test_a_bot_plays_the_cards_of_a_leaver_who_is_placed_last(in_a_hand, server, cluster, tmp_path, variant):
    people, tables, left, told, number = outcome(in_a_hand, variant)
    after = [f for f in tables[0].frames if f.get("v", 0) > left["v"]]
    assert [f["seat"] for f in kinds(tables[0], "left")] == [1]
    first = next(f for f in after if f["t"] in ("discarded", "melded", "taken_back"))
    assert first["seat"] == 1, "their turn continues with the cards they held"
    assert (
        told["seats"][1]["place"] == len(told["seats"]) and sorted(s["place"] for s in told["seats"])[0] == 1
    )
    winners = kinds(tables[0], "session_ended")[0]["d"]["winners"]
    assert 1 not in winners and (winners == [0] or variant == "rummy51"), "whoever has the better total"
    scores = [f["d"] for f in kinds(tables[0], "scored") if f["seat"] == 1]
    assert scores and all(score["left"] for score in scores)
    game = people[1].get(f"/games/{told['game_id']}").json()
    assert [r["left"] for r in game["results"][:2]] == [False, True]
    assert (game["results"][1]["silver"], game["results"][1]["gold"]) == (-10, 0)
    if winners == [0]:
        assert told["seats"][0]["silver"] == 10, "a new wallet has capacity for what they won"
    lines = moved(cluster, server, number, people)
    assert lines[(1, "purse", "stake", "silver")] == -10 and (1, "purse", "stake_back", "silver") not in lines
    good, said = verified(people[0].get(f"/games/{told['game_id']}/record").text, tmp_path)
    assert good, said


@pytest.fixture(scope="module")
def in_a_deal(server, cluster):
    """For each Indian game, one of three players leaves before their first draw, or after drawing a
    card."""

    def play(case):
        variant, what = case
        people = [Player(server, name) for name in NAMES]
        for person in people:
            purse(cluster, server, person, 80, 0)
        seats = seated(people, variant, options={"turn_s": 120}, **at_stake(variant))

        async def game():
            async with AsyncExitStack() as stack:
                tables = await sit_down(stack, server, seats)
                there = dict(tables)
                await play_hand(there, {0: what})
                if variant == "points":
                    await play_hand(there, {1: "wrong"})
                while variant != "points" and len(there) > 1:
                    await play_hand(there, {min(there): "leave"})
                return people, tables, await settled(tables[2]), seats[0]["table_id"]

        return game()

    return all_at_once([(variant, what) for variant in DECLARE for what in ("leave", "leave late")], play)


@pytest.mark.parametrize("what", ["leave", "leave late"])
@pytest.mark.parametrize("variant", DECLARE)
def test_a_player_who_leaves_a_deal_pays_for_it_and_the_others_continue(
    in_a_deal, server, cluster, tmp_path, variant, what
):
    people, tables, told, number = outcome(in_a_deal, (variant, what))
    points = DECLARE[variant][what == "leave late"]
    dropped = [f["d"] for f in kinds(tables[2], "dropped") if f["seat"] == 0]
    assert dropped == [{"points": points, "kind": "left"}]
    out = next(f for f in kinds(tables[2], "dropped") if f["seat"] == 0)["v"]
    turns = [f["seat"] for f in kinds(tables[2], "turn") if f["v"] > out]
    assert turns and 0 not in turns, "the others keep playing without them"
    assert not any(f["seat"] == 0 for f in kinds(tables[2], "drew") if f["v"] > out), (
        "their cards are not played"
    )
    score = next(f["d"] for f in kinds(tables[2], "scored") if f["seat"] == 0)
    assert score["points"] == (-points if variant.startswith("deals") else points)
    assert score["left"] and score["dropped"] and score["out"]
    places = [s["place"] for s in told["seats"]]
    if variant == "points":
        assert places == [3, 2, 1] and [f["d"]["points"] for f in kinds(tables[2], "scored")] == [
            points,
            80,
            0,
        ]
    assert places[2] == 1 and kinds(tables[2], "session_ended")[0]["d"]["winners"] == [2]
    lines = moved(cluster, server, number, people)
    back = lines.get((0, "purse", "stake_back", "silver"), 0)
    assert lines[(0, "purse", "stake", "silver")] + back == (-points if variant == "points" else -10)
    good, said = verified(people[0].get(f"/games/{told['game_id']}/record").text, tmp_path)
    assert good, said


# ---- Between two hands ----


@pytest.fixture(scope="module")
def between_hands(server):
    """Meld games: two players and a bot that ends the hands; one player leaves after the first hand. Indian
    games: three players."""

    def laid(variant):
        people = [Player(server, name) for name in NAMES[:2]]
        options = {"target": 500} if variant == "straight" else {"rounds": 2}
        body = {
            "variant": variant,
            "seats": 3,
            "bots": 1,
            "bot_level": "strong",
            "options": {"turn_s": 120, **options},
        }
        seats = [people[0].post("/tables", body).json()]
        seats.append(people[1].post(f"/tables/by-code/{seats[0]['code']}/seats").json())

        async def game():
            async with AsyncExitStack() as stack:
                tables = await sit_down(stack, server, seats)
                await asyncio.gather(*(ends_hand(table) for table in tables.values()))
                left = await tables[1].do("leave")
                await next_hand({0: tables[0]})
                await bot_plays(tables[0], 1, left["v"])
                if variant == "straight":  # playing to 500 takes long
                    await tables[0].do("leave")
                    return people, tables, left, None, None
                await tables[0].play_out()
                return people, tables, left, await settled(tables[0]), None

        return game()

    def deals(variant):
        people = [Player(server, name) for name in NAMES]
        seats = seated(people, variant, options={"turn_s": 120}, **at_stake(variant))

        async def game():
            async with AsyncExitStack() as stack:
                tables = await sit_down(stack, server, seats)
                there = dict(tables)
                await play_hand(there, {1: "wrong", 2: "wrong"})
                for table in tables.values():
                    await hand_is_over(table)
                left = await there.pop(0).do("leave")
                await next_hand(there)
                await play_hand(there, {1: "leave"})
                return people, tables, left, await settled(tables[2]), seats[0]["table_id"]

        return game()

    async def goes_on(table, until):
        """Draws and discards until the condition holds."""
        while not until():
            if table.my_turn():
                await table.step()
            else:
                await table.receive(120)

    async def ends_hand(table):
        await goes_on(table, lambda: table.phase == "hand_over")
        await hand_is_over(table)

    async def bot_plays(table, seat, v):
        await goes_on(
            table,
            lambda: any(f["t"] == "discarded" and f["seat"] == seat and f["v"] > v for f in table.frames),
        )

    # games of these consist of one hand
    games = [v for v in [*LAID, *DECLARE] if v not in ("rummy51", "points")]
    return all_at_once(games, lambda v: laid(v) if v in LAID else deals(v))


@pytest.mark.parametrize("variant", [v for v in LAID if v != "rummy51"])
def test_a_bot_replaces_a_player_who_leaves_between_hands_and_wins_nothing(between_hands, variant):
    people, tables, left, told, _ = outcome(between_hands, variant)
    after = [f for f in tables[0].frames if f.get("v", 0) > left["v"]]
    assert {f["seat"] for f in after if f["t"] == "dealt"} == {0, 1, 2}, "their seat is dealt in"
    assert any(f["t"] == "discarded" and f["seat"] == 1 for f in after)
    if told is None:
        return
    assert told["seats"][1]["place"] == 3
    assert 1 not in kinds(tables[0], "session_ended")[0]["d"]["winners"]
    totals = [f["d"]["total"] for f in kinds(tables[0], "scored") if f["seat"] == 1]
    assert len(totals) == 2, "their hands count on"
    game = people[1].get(f"/games/{told['game_id']}").json()
    assert [(r["left"], r["points"]) for r in game["results"]][1] == (True, totals[-1])


@pytest.mark.parametrize("variant", [v for v in DECLARE if v != "points"])
def test_a_player_who_leaves_between_deals_is_out_without_extra_points(
    between_hands, server, cluster, tmp_path, variant
):
    people, tables, left, told, number = outcome(between_hands, variant)
    after = [f for f in tables[2].frames if f.get("v", 0) > left["v"]]
    assert {f["seat"] for f in after if f["t"] == "dealt"} == {1, 2}, "they are not dealt in"
    scores = [f["d"] for f in kinds(tables[2], "scored") if f["seat"] == 0]
    assert [(s["points"], s["sat_out"]) for s in scores] == [
        (160 if variant.startswith("deals") else 0, False),
        (0, True),
    ]
    assert [s["place"] for s in told["seats"]] == [
        3,
        2,
        1,
    ], "a player who left later ranks above them, whatever the total"
    assert moved(cluster, server, number, people)[(0, "purse", "stake", "silver")] == -10
    game = people[0].get(f"/games/{told['game_id']}").json()
    assert game["results"][0]["silver"] == -10 and game["results"][0]["left"]
    good, said = verified(people[0].get(f"/games/{told['game_id']}/record").text, tmp_path)
    assert good, said
