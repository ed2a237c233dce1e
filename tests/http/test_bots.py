"""Bot accounts: their creation and tokens, what a token permits, when it ends, and where bots sit."""

import hashlib
import json
import uuid

import pytest
from support.contract import Client, a_name
from support.operations import OPERATIONS

PASSWORD = "nine dancing herons"


def new_key():
    return {"Idempotency-Key": uuid.uuid4().hex}


@pytest.fixture(scope="module")
def owner(server, sql):
    return an_owner(server, sql)


def an_owner(server, sql):
    client = Client(server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD)
    sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(client.player["id"]))
    return client


def make_bot(owner):
    return owner.call(
        "POST", "/v1/me/bots", {"nickname": a_name("Robin"), "avatar": "owl"}, headers=new_key(), status=201
    ).json()


def make_token(owner, bot, scopes=("read", "play"), **more):
    body = {"name": "at home", "scopes": list(scopes), "expires_in_days": 30, **more}
    return owner.call("POST", f"/v1/me/bots/{bot['id']}/tokens", body, headers=new_key(), status=201).json()


def enter(server, secret):
    """A client that uses an access token obtained with the token, and the response."""
    client = Client(server)
    answer = client.call("POST", "/v1/auth/token", {"token": secret}, status=200).json()
    client.token = answer["access_token"]
    return client, answer


@pytest.fixture(scope="module")
def bot(owner):
    return make_bot(owner)


# --- who can have them ---


def test_a_bot_is_created_listed_renamed_and_deleted(server, sql):
    ann = an_owner(server, sql)
    assert ann.get("/v1/me/bots") == {"items": [], "max": 5}
    bot = make_bot(ann)
    assert (bot["avatar"], bot["tokens"], bot["banned"]) == ("owl", 0, False)
    name = a_name("Deep")
    renamed = ann.call("PATCH", f"/v1/me/bots/{bot['id']}", {"nickname": name}, status=200).json()
    assert renamed == {**bot, "nickname": name}
    assert ann.get("/v1/me/bots")["items"] == [renamed]
    assert Client(server).guest().get(f"/v1/players/{bot['id']}")["kind"] == "bot"
    secret = make_token(ann, bot)["secret"]
    ann.call("DELETE", f"/v1/me/bots/{bot['id']}", status=204)
    assert ann.get("/v1/me/bots")["items"] == []
    ann.call("DELETE", f"/v1/me/bots/{bot['id']}", status=404, code="no_such_bot")
    Client(server).call("POST", "/v1/auth/token", {"token": secret}, status=401, code="bot_token_invalid")


def test_only_confirmed_accounts_have_bots_up_to_the_limit(server, sql):
    body = {"nickname": a_name("Robin")}
    Client(server).guest().call(
        "POST", "/v1/me/bots", body, headers=new_key(), status=403, code="bot_owner_unverified"
    )
    ann = Client(server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD)
    ann.call("POST", "/v1/me/bots", body, headers=new_key(), status=403, code="bot_owner_unverified")
    sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(ann.player["id"]))
    key = new_key()
    first = ann.call("POST", "/v1/me/bots", body, headers=key, status=201).json()
    assert ann.call("POST", "/v1/me/bots", body, headers=key, status=201).json() == first
    ann.call("POST", "/v1/me/bots", body, headers=new_key(), status=409, code="name_taken")
    for _ in range(4):
        make_bot(ann)
    ann.call(
        "POST",
        "/v1/me/bots",
        {"nickname": a_name("Robin")},
        headers=new_key(),
        status=409,
        code="too_many_bots",
    )


def test_another_players_bot_is_out_of_reach(server, sql, owner, bot):
    token = make_token(owner, bot)["token"]["id"]
    eve = an_owner(server, sql)
    mine = make_bot(eve)
    path = f"/v1/me/bots/{bot['id']}"
    eve.call("PATCH", path, {"avatar": "fox"}, status=404, code="no_such_bot")
    eve.call("DELETE", path, status=404, code="no_such_bot")
    eve.call("GET", path + "/tokens", status=404, code="no_such_bot")
    eve.call(
        "POST",
        path + "/tokens",
        {"name": "x", "scopes": ["play"], "expires_in_days": 1},
        headers=new_key(),
        status=404,
        code="no_such_bot",
    )
    eve.call("DELETE", f"{path}/tokens/{token}", status=404, code="no_such_bot")
    eve.call("DELETE", f"/v1/me/bots/{mine['id']}/tokens/{token}", status=404, code="no_such_bot_token")


# --- tokens ---


def test_a_bot_token_is_shown_once_stored_hashed_and_listed_by_prefix(server, sql, owner, bot):
    key = new_key()
    body = {"name": "at home", "scopes": ["play"], "expires_in_days": 30}
    path = f"/v1/me/bots/{bot['id']}/tokens"
    made = owner.call("POST", path, body, headers=key, status=201).json()
    assert owner.call("POST", path, body, headers=key, status=201).json() == made
    secret = made["secret"]
    assert secret.startswith("rbt_") and secret.startswith(made["token"]["prefix"]) and len(secret) == 47
    listed = owner.get(path)
    assert made["token"] in listed["items"] and secret not in json.dumps(listed)
    assert made["token"]["used_at"] is None
    ((stored,),) = sql("SELECT token_hash FROM bot_tokens WHERE id = %s", int(made["token"]["id"]))
    assert bytes(stored) == hashlib.sha256(secret.encode()).digest()
    enter(server, secret)
    used = next(t for t in owner.get(path)["items"] if t["id"] == made["token"]["id"])
    assert used["used_at"] is not None


def test_bad_token_requests_list_every_error(owner, bot):
    for body, pointers in (
        ({}, {"/name", "/scopes", "/expires_in_days"}),
        ({"name": "x", "scopes": [], "expires_in_days": 0}, {"/scopes", "/expires_in_days"}),
        (
            {"name": "", "scopes": ["account"], "expires_in_days": 366},
            {"/name", "/scopes/0", "/expires_in_days"},
        ),
    ):
        problem = owner.call(
            "POST", f"/v1/me/bots/{bot['id']}/tokens", body, headers=new_key(), status=422
        ).json()
        assert {e["pointer"] for e in problem["errors"]} == pointers


def test_all_access_tokens_of_a_bot_token_share_one_session(server, sql, owner, bot):
    secret = make_token(owner, bot, ["read"])["secret"]
    (one, said), (two, _) = enter(server, secret), enter(server, secret)
    assert said["scopes"] == ["read"] and said["expires_in"] == 900 and said["player"]["id"] == bot["id"]
    assert one.get("/v1/me")["kind"] == two.get("/v1/me")["kind"] == "bot"
    assert sql(
        "SELECT count(*), count(DISTINCT session_id) FROM bot_tokens WHERE token_hash = %s",
        hashlib.sha256(secret.encode()).digest(),
    ) == [(1, 1)]
    assert "refresh_token" not in said


# --- what it permits ---


def test_each_operation_requires_exactly_the_scope_it_names(server, sql, owner):
    """A token with all scopes except the required one is refused before anything else is checked. Tokens
    never permit `account`."""
    bot = make_bot(owner)
    words = ("read", "play", "chat", "social")
    with_all, but = enter(server, make_token(owner, bot, words)["secret"])[0], {}
    for word in words:
        but[word] = enter(server, make_token(owner, bot, [w for w in words if w != word])["secret"])[0]
    tried = set()
    for operation in OPERATIONS:
        if operation.role not in ("player", "reader"):
            continue
        path = operation.at(dict.fromkeys(operation.in_path, "1"))
        client = with_all if operation.token_scope == "account" else but[operation.token_scope]
        headers = new_key() if operation.keyed else {}
        body = operation.example if operation.body is not None else None
        problem = client.call(
            operation.method, path, body, headers=headers, status=403, code="scope_missing"
        ).json()
        assert problem["scope"] == operation.token_scope, operation.id
        tried.add(operation.token_scope)
    assert tried == {"account", *words}
    owner.call("DELETE", f"/v1/me/bots/{bot['id']}", status=204)


def test_a_bot_token_is_not_accepted_as_another_token(server, owner, bot):
    secret = make_token(owner, bot)["secret"]
    anyone = Client(server)
    anyone.call("POST", "/v1/auth/refresh", {"refresh_token": secret}, status=None)
    assert (
        anyone.call("POST", "/v1/auth/refresh", {"refresh_token": secret[4:]}, status=401).json()["code"]
        == "refresh_invalid"
    )
    anyone.token = secret
    anyone.call("GET", "/v1/me", status=401, code="token_invalid")
    bearer, _ = enter(server, secret)
    anyone.token = None
    anyone.call(
        "POST",
        "/v1/auth/token",
        {"token": secret[:-1] + ("A" if secret[-1] != "A" else "B")},
        status=401,
        code="bot_token_invalid",
    )
    problem = anyone.call("POST", "/v1/auth/token", {"token": bearer.token}, status=422).json()
    assert problem["errors"][0]["pointer"] == "/token"


# --- when it ends ---


def test_a_revoked_token_is_refused_at_once(server, owner, bot):
    made = make_token(owner, bot)
    client, _ = enter(server, made["secret"])
    client.get("/v1/me")
    owner.call("DELETE", f"/v1/me/bots/{bot['id']}/tokens/{made['token']['id']}", status=204)
    client.call("GET", "/v1/me", status=401, code="token_invalid")
    Client(server).call(
        "POST", "/v1/auth/token", {"token": made["secret"]}, status=401, code="bot_token_invalid"
    )


def test_an_expired_token_is_refused_and_limits_its_access_tokens(server, sql, owner, bot):
    made = make_token(owner, bot)
    sql("UPDATE bot_tokens SET expires_at = now() + interval '60 s' WHERE id = %s", int(made["token"]["id"]))
    assert 0 < enter(server, made["secret"])[1]["expires_in"] <= 60
    sql("UPDATE bot_tokens SET expires_at = now() WHERE id = %s", int(made["token"]["id"]))
    Client(server).call(
        "POST", "/v1/auth/token", {"token": made["secret"]}, status=401, code="bot_token_expired"
    )


def test_bots_are_suspended_and_deleted_with_their_owner(server, sql, holder):
    ann = an_owner(server, sql)
    bot = make_bot(ann)
    secret = make_token(ann, bot)["secret"]
    enter(server, secret)
    holder("support").call(
        "POST", f"/v1/admin/players/{ann.player['id']}/ban", {"reason": "test"}, headers=new_key(), status=200
    )
    assert sql("SELECT ended_at IS NOT NULL FROM sessions WHERE player_id = %s", int(bot["id"])) == [(True,)]
    Client(server).call("POST", "/v1/auth/token", {"token": secret}, status=403, code="account_banned")
    holder("support").call(
        "POST",
        f"/v1/admin/players/{ann.player['id']}/unban",
        {"reason": "test"},
        headers=new_key(),
        status=200,
    )
    enter(server, secret)
    ann.call("POST", "/v1/me/deletion", {"confirm": "delete", "password": PASSWORD}, status=202)
    assert sql(
        "SELECT bool_and(ended_at IS NOT NULL) FROM sessions WHERE player_id = %s", int(bot["id"])
    ) == [(True,)]
    Client(server).call("POST", "/v1/auth/token", {"token": secret}, status=403, code="deletion_pending")
    sql("SELECT erase_player(%s)", int(ann.player["id"]))
    assert sql("SELECT count(*) FROM bot_tokens WHERE player_id = %s", int(bot["id"])) == [(0,)]
    assert sql("SELECT due_at <= now() FROM deletions WHERE player_id = %s", int(bot["id"])) == [(True,)]


# --- where they sit, what they have ---


def test_a_bot_has_no_chips_and_can_only_join_private_tables(server, sql, owner, bot):
    client, _ = enter(server, make_token(owner, bot)["secret"])
    assert sql("SELECT sum(balance)::bigint FROM accounts WHERE player_id = %s", int(bot["id"])) == [(0,)]
    assert sql("SELECT count(*) FROM player_days WHERE player_id = %s", int(bot["id"])) == [(0,)]
    sql("UPDATE rooms SET fill_wait_ms = 600000")
    sql("UPDATE rooms SET stake = 0 WHERE id = 'desert'")  # rules out missing chips as the reason
    client.call("POST", "/v1/rooms/desert/seats", headers=new_key(), status=403, code="bots_not_here")
    open_table = {"variant": "rummy51", "seats": 4}
    client.call(
        "POST",
        "/v1/tables",
        {**open_table, "visibility": "public"},
        headers=new_key(),
        status=403,
        code="bots_not_here",
    )
    ann = Client(server).guest()
    public = ann.call(
        "POST", "/v1/tables", {**open_table, "visibility": "public"}, headers=new_key(), status=201
    ).json()
    client.call(
        "POST", f"/v1/tables/{public['table_id']}/seats", headers=new_key(), status=403, code="bots_not_here"
    )
    seat = ann.call("POST", "/v1/tables", open_table, headers=new_key(), status=201).json()
    joined = client.call(
        "POST", f"/v1/tables/by-code/{seat['code']}/seats", headers=new_key(), status=201
    ).json()
    assert joined["table_id"] == seat["table_id"] and joined["ticket"]
    assert sql("SELECT practice, stake, reward FROM tables WHERE id = %s", int(seat["table_id"])) == [
        (True, 0, 0)
    ]
    seats = ann.get(f"/v1/tables/{seat['table_id']}")["d"]["seats"]
    assert [(s["player_id"], s["bot"], s.get("program")) for s in seats if s["player_id"]] == [
        (ann.player["id"], False, None),
        (bot["id"], False, True),
    ]


@pytest.fixture
def program(server, sql):
    """A client of a new bot, whose token permits playing."""
    ann = an_owner(server, sql)
    return enter(server, make_token(ann, make_bot(ann))["secret"])[0]


def test_a_bot_finds_a_public_table_that_admits_bots(server, sql, program):
    bob = an_owner(server, sql)
    body = {"variant": "straight", "seats": 2, "visibility": "public"}
    open_, shut = (
        bob.call(
            "POST", "/v1/tables", {**body, "bot_accounts": admits}, headers=new_key(), status=201
        ).json()["table_id"]
        for admits in (True, False)
    )

    def listed(query):
        return {
            item["table_id"]: item["bot_accounts"]
            for item in program.get(f"/v1/tables?limit=100{query}")["items"]
        }

    assert {t: listed("").get(t) for t in (open_, shut)} == {open_: True, shut: False}
    assert open_ in listed("&bot_accounts=true") and shut not in listed("&bot_accounts=true")
    assert shut in listed("&bot_accounts=false") and open_ not in listed("&bot_accounts=false")
    first = program.get("/v1/tables?limit=1&bot_accounts=true")
    for wrong in ("yes", "", "1", "TRUE"):
        errors = program.call(
            "GET", f"/v1/tables?bot_accounts={wrong}", status=400, code="bad_parameter"
        ).json()["errors"]
        assert [(e["parameter"], e["code"], e["allowed"]) for e in errors] == [
            ("bot_accounts", "unknown_choice", ["true", "false"])
        ], errors
    if first["next"]:
        program.call("GET", f"/v1/tables?limit=1&cursor={first['next']}", status=400, code="bad_cursor")
    program.call("POST", f"/v1/tables/{shut}/seats", headers=new_key(), status=403, code="bots_not_here")
    seat = program.call("POST", f"/v1/tables/{open_}/seats", headers=new_key(), status=201).json()
    assert seat["table_id"] == open_ and seat["ticket"]
    assert sql("SELECT practice, stake, reward FROM tables WHERE id = %s", int(open_)) == [(True, 0, 0)]


def test_the_creator_of_a_table_decides_whether_bots_may_join(server, program):
    body = {"variant": "straight", "seats": 2}
    ann = Client(server).guest()
    private = ann.call(
        "POST", "/v1/tables", {**body, "bot_accounts": False}, headers=new_key(), status=201
    ).json()
    program.call(
        "POST",
        f"/v1/tables/by-code/{private['code']}/seats",
        headers=new_key(),
        status=403,
        code="bots_not_here",
    )
    staked = {**body, "visibility": "public", "stake": 10, "bot_accounts": True}
    ann.call("POST", "/v1/tables", staked, headers=new_key(), status=409, code="stake_bots")
    ann.call(
        "POST",
        "/v1/tables",
        {**body, "bot_accounts": "yes"},
        headers=new_key(),
        status=422,
        code="wrong_type",
    )
    own = program.call(
        "POST",
        "/v1/tables",
        {**body, "visibility": "public", "bot_accounts": True},
        headers=new_key(),
        status=201,
    ).json()
    assert own["code"] is None


def test_an_operator_can_open_a_room_to_bots(program, sql, holder):
    games = holder("games")
    room = {
        "id": f"r{uuid.uuid4().hex[:8]}",
        "name": "Robots",
        "variant": "straight",
        "seats": 2,
        "stake": 0,
        "reward": 0,
        "title": "Ant",
    }
    for chips in ({"stake": 10}, {"reward": 5}):
        games.call(
            "POST",
            "/v1/admin/rooms",
            {**room, **chips, "bot_accounts": True},
            headers=new_key(),
            status=409,
            code="stake_bots",
        )
    made = games.call("POST", "/v1/admin/rooms", room, headers=new_key(), status=201).json()
    assert made["bot_accounts"] is False
    program.call("POST", f"/v1/rooms/{room['id']}/seats", headers=new_key(), status=403, code="bots_not_here")
    path = f"/v1/admin/rooms/{room['id']}"
    assert games.call("PATCH", path, {"bot_accounts": True}, status=200).json()["bot_accounts"] is True
    games.call("PATCH", path, {"stake": 10}, status=409, code="stake_bots")
    program.call("POST", f"/v1/rooms/{room['id']}/seats", headers=new_key(), status=201)
    sql("UPDATE rooms SET open = false WHERE id = %s", room["id"])


def test_bots_have_leaderboards(server, owner):
    for board in ("bot_rating", "bot_wins"):
        page = owner.get(f"/v1/leaderboards/straight/{board}/all")
        assert (page["board"], page["items"]) == (board, [])
        assert owner.get(f"/v1/leaderboards/straight/{board}/month/around") == {"place": None, "items": []}
    owner.call("GET", "/v1/leaderboards/straight/bot_rummies/all", status=404, code="no_such_board")
