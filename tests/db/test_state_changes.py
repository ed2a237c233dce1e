"""What happens to everything in progress when the state of an account changes: each cell of the table of
accounts in docs/state-changes.md. A row or a column that is tested neither here nor in
tests/ws/test_state_changes.py fails."""

import json
import uuid

import psycopg2
import pytest
from db_rig import named
from support.state_changes import AT_A_NODE, table
from test_clubs import club, join, registered
from test_daily_deals import enter as play_daily
from test_tournaments import KEY, announce, enter, games, state, step

TABLE = table()
RUNNING = {}


def running(name):
    """Registers something that may be in progress. The function plants it, and returns a function that
    checks whether it is still there."""

    def add(plant):
        RUNNING[name] = plant
        return plant

    return add


class World:
    """A player with everything in a separate database."""

    def __init__(self, rig):
        self.rig = rig
        rig.rows(
            "UPDATE settings SET value = '100' WHERE name IN ('tables_per_player_max',"
            " 'clubs_per_player_max')"
        )
        self.others = []
        self.me = registered(rig)
        rig.credit(self.me, "silver", 1000)
        rig.rows("INSERT INTO credentials VALUES (%s, 'me@example.org', 'h')", self.me)
        rig.prove(self.me)
        self.session = self.begin_session(self.me)
        self.bot = rig.one("SELECT do_create_named('bot', %s, '')", f"[{named('Bot', ['bot'])}]")
        rig.rows("INSERT INTO bot_accounts (player_id, owner_id) VALUES (%s, %s)", self.bot, self.me)

    def begin_session(self, player):
        return self.rig.one("SELECT session_begin(%s, %s, NULL, NULL, NULL)", player, uuid.uuid4().bytes * 2)

    def other(self, friend=False):
        """Another player, whom the player may block."""
        player = registered(self.rig)
        self.others.append(player)
        if friend:
            self.rig.rows(
                "INSERT INTO friends (from_id, to_id, accepted_at) VALUES (%s, %s, now())", self.me, player
            )
        return player

    def found(self, statement, *args):
        return self.rig.rows(statement, *args) != []

    def sits(self, player, table_id):
        return self.found(
            "SELECT 1 FROM seats WHERE player_id = %s AND table_id = %s AND live", player, table_id
        )

    def may(self, act):
        """Whether act would succeed now."""
        with self.rig.undone() as via:
            try:
                return act(via)
            except psycopg2.Error as error:
                assert error.pgcode.startswith("RU"), error
                return False

    def unread(self, player, sender):
        return self.found(
            "SELECT 1 FROM notifications WHERE player_id = %s AND kind = 'table_invite' AND read_at IS NULL"
            " AND data->>'player_id' = %s",
            player,
            str(sender),
        )

    def invite(self, player, other, table_id, via=None):
        return self.rig.one("SELECT code FROM do_invite_friend(%s, %s, %s)", player, other, table_id, via=via)

    def private(self, player):
        answer = self.rig.open_table(player, seats=3, visibility="private")
        assert answer["code"] == "ok"
        return answer["table_id"]

    def speaks(self, player, table, seat, via):
        answer = self.rig.one(
            "SELECT code FROM do_chat(%s, %s, %s, 'chat', 'hello', 'c')", player, table, seat, via=via
        )
        assert answer in ("ok", "chat_muted", "not_seated")
        return answer == "ok"

    def said(self, reader, number, player):
        lines = [
            json.loads(row["body"])
            for row in self.rig.rows(
                "SELECT * FROM q_club_chat(%s, %s, NULL, NULL, NULL, 10)", reader, number
            )
        ]
        return any(line.get("player_id") == str(player) for line in lines)


# --- what may be in progress --------------------------------------------------------------------------------


@running("Entry in a tournament that has not started")
def _(w):
    tournament = announce(w.rig, entry=10, most=4)
    assert enter(w.rig, w.me, tournament) == enter(w.rig, w.other(), tournament) == "ok"
    return lambda: w.found(
        "SELECT 1 FROM tournament_entries WHERE player_id = %s AND tournament_id = %s", w.me, tournament
    )


@running("Running tournament")
def _(w):
    tournament = announce(w.rig, entry=10, most=4)
    for player in (w.me, w.other(), w.other(), w.other()):
        assert enter(w.rig, player, tournament) == "ok"
    assert step(w.rig) and state(w.rig, tournament) == "running"
    return lambda: w.found(
        "SELECT 1 FROM tournament_entries WHERE player_id = %s AND tournament_id = %s AND live",
        w.me,
        tournament,
    )


@running("Waiting seat in a room")
def _(w):
    seats = [w.rig.sit(player)["table_id"] for player in (w.me, w.other())]
    assert seats[0] == seats[1]
    return lambda: w.sits(w.me, seats[0])


@running("Waiting seat at a table that a player opened")
def _(w):
    opened = w.rig.open_table(w.other(), seats=3)["table_id"]
    assert w.rig.join(w.me, opened)["code"] == "ok"
    return lambda: w.sits(w.me, opened)


@running("Waiting seat that the server assigned")
def _(w):
    given = play_daily(w.rig, w.me)
    assert given["code"] == "ok"
    return lambda: (
        w.sits(w.me, given["table_id"])
        and w.found("SELECT 1 FROM deal_plays WHERE player_id = %s AND state = 'playing'", w.me)
    )


@running("Turn at a sleeping correspondence table")
def _(w):
    rig, slow = w.rig, w.rig.open_table(w.me)["table_id"]
    assert rig.join(w.other(), slow)["code"] == "ok" and rig.start(slow)["code"] == "ok"
    rig.rows("UPDATE tables SET turn_hours = 24 WHERE id = %s", slow)
    assert rig.one("SELECT code FROM do_slow_turn(%s, %s, 1, '{0}', '{}')", slow, rig.epoch) == "ok"
    assert rig.one("SELECT code FROM do_sleep_table(%s, %s)", slow, rig.epoch) == "ok"
    return lambda: rig.rows("SELECT do_wake_due(%s, %s, 100)", rig.node, rig.epoch) == []


@running("Vacation")
def _(w):
    assert w.rig.one("SELECT code FROM do_vacation(%s, true)", w.me) == "ok"
    return lambda: w.rig.one("SELECT vacation_is_on(%s)", w.me)


@running("New seat in a room")
def _(w):
    return lambda: w.may(lambda via: w.rig.sit(w.me, via=via)["code"] == "ok")


@running("Rematch with the other player")
def _(w):
    other = w.other()
    played = w.rig.open_table(w.me)["table_id"]
    assert w.rig.join(other, played)["code"] == "ok" and w.rig.start(played)["code"] == "ok"
    w.rig.settle(played, [1, 2])
    assert w.rig.rematch(other, played)["code"] == "ok"
    return lambda: w.may(lambda via: w.rig.rematch(w.me, played, via=via)["code"] == "ok")


@running("Friend request sent")
def _(w):
    other = w.other()
    assert w.rig.one("SELECT code FROM do_befriend(%s, %s)", w.me, other) == "ok"
    return lambda: w.found("SELECT 1 FROM friends WHERE from_id = %s AND to_id = %s", w.me, other)


@running("Friend request received")
def _(w):
    other = w.other()
    assert w.rig.one("SELECT code FROM do_befriend(%s, %s)", other, w.me) == "ok"
    return lambda: w.found("SELECT 1 FROM friends WHERE from_id = %s AND to_id = %s", other, w.me)


@running("Friendship")
def _(w):
    friend = w.other(friend=True)
    return lambda: friend in [row[0] for row in w.rig.rows("SELECT friends_of(%s)", w.me)]


@running("Invitation to the player's table")
def _(w):
    friend = w.other(friend=True)
    assert w.invite(w.me, friend, w.private(w.me)) == "ok"
    return lambda: w.unread(friend, w.me)


@running("Invitation to another player's table")
def _(w):
    friend = w.other(friend=True)
    assert w.invite(friend, w.me, w.private(friend)) == "ok"
    return lambda: w.unread(w.me, friend)


@running("New invitation to another player's table")
def _(w):
    friend = w.other(friend=True)
    opened = w.private(friend)

    def invited(via):
        w.invite(friend, w.me, opened, via)
        return (
            w.rig.rows(
                "SELECT 1 FROM notifications WHERE player_id = %s AND data->>'player_id' = %s",
                w.me,
                str(friend),
                via=via,
            )
            != []
        )

    return lambda: w.may(invited)


@running("Invitation code for new players")
def _(w):
    code = w.rig.one("SELECT do_invite_code(%s)", w.me)
    newcomer = w.other()
    return lambda: (
        w.rig.one("SELECT inviter_of(%s)", code) == w.me
        and w.rig.one("SELECT invite_refusal(%s, %s)", newcomer, w.me) is None
    )


@running("Reward for an invited player, not yet due")
def _(w):
    w.rig.rows("INSERT INTO invites (invited_id, inviter_id) VALUES (%s, %s)", w.other(), w.me)
    return lambda: w.found("SELECT 1 FROM invites WHERE inviter_id = %s AND state = 'open'", w.me)


def role(w, number):
    return dict(w.rig.rows("SELECT player_id, role FROM club_members WHERE club_id = %s", number)).get(w.me)


@running("Club membership")
def _(w):
    owls = club(w.rig, w.other(), "Owls")
    assert join(w.rig, w.me, owls) == "ok"
    return lambda: role(w, owls) == "member"


@running("Club ownership")
def _(w):
    foxes = club(w.rig, w.me, "Foxes")
    banned, heir = w.other(), w.other()
    assert join(w.rig, banned, foxes) == join(w.rig, heir, foxes) == "ok"
    w.rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", banned)

    def there():
        owner = w.rig.one("SELECT player_id FROM club_members WHERE club_id = %s AND role = 'owner'", foxes)
        assert owner in (w.me, heir), "a banned player never inherits a club"
        return owner == w.me

    return there


@running("Club without another possible owner")
def _(w):
    bears = club(w.rig, w.me, "Bears")
    return lambda: role(w, bears) == "owner"


@running("Request to join a club")
def _(w):
    crows = club(w.rig, w.other(), "Crows", joining="ask")
    assert join(w.rig, w.me, crows) == "ok"
    return lambda: role(w, crows) == "asks"


@running("The player's messages in club chat")
def _(w):
    owner = w.other()
    ducks = club(w.rig, owner, "Ducks")
    assert join(w.rig, w.me, ducks) == "ok"
    w.rig.rows("INSERT INTO club_chat (club_id, player_id, text) VALUES (%s, %s, 'hello')", ducks, w.me)
    return lambda: w.said(owner, ducks, w.me)


@running("The player's new messages at a table")
def _(w):
    shared = w.rig.open_table(w.me)["table_id"]
    assert w.rig.join(w.other(), shared)["code"] == "ok" and w.rig.start(shared)["code"] == "ok"
    return lambda: w.may(lambda via: w.speaks(w.me, shared, 0, via))


@running("The player's new messages in club chat")
def _(w):
    doves = club(w.rig, w.other(), "Doves")
    assert join(w.rig, w.me, doves) == "ok"

    def posted(via):
        return (
            w.rig.one("SELECT code FROM do_club_chat(%s, %s, 'hello', 'k', 'b')", w.me, doves, via=via)
            == "ok"
        )

    return lambda: w.may(posted)


@running("New messages of the player's bot at a table")
def _(w):
    session = w.begin_session(w.bot)
    opened = w.private(w.bot)
    return lambda: (
        w.found("SELECT 1 FROM sessions WHERE id = %s AND ended_at IS NULL", session)
        and w.may(lambda via: w.speaks(w.bot, opened, 0, via))
    )


@running("The other player's new messages at a table")
def _(w):
    other = w.other()
    shared = w.rig.open_table(w.me)["table_id"]
    assert w.rig.join(other, shared)["code"] == "ok" and w.rig.start(shared)["code"] == "ok"

    def heard(via):
        said = w.rig.row(
            "SELECT code, deaf FROM do_chat(%s, %s, 1, 'chat', 'hello', 'c')", other, shared, via=via
        )
        assert said["code"] == "ok"
        return said["deaf"] & 1 == 0

    return lambda: w.may(heard)


@running("The other player's messages in club chat")
def _(w):
    owner = w.other()
    hens = club(w.rig, owner, "Hens")
    assert join(w.rig, w.me, hens) == "ok"
    w.rig.rows("INSERT INTO club_chat (club_id, player_id, text) VALUES (%s, %s, 'hello')", hens, owner)
    return lambda: w.said(w.me, hens, owner)


def order(w, key, via=None):
    return w.rig.row("SELECT * FROM do_shop_order(%s, %s, 'b', 'gold_300', 'stripe')", w.me, key, via=via)


@running("Order paid later")
def _(w):
    made = order(w, "first")
    gold = w.rig.purse(w.me)[1]

    def paid(via):
        w.rig.rows(
            "SELECT * FROM do_shop_event('stripe', 'e', 'paid', %s, 'r', 'p', NULL, %s, %s)",
            made["token"],
            made["price_minor"],
            made["currency"],
            via=via,
        )
        return (
            w.rig.one(
                "SELECT balance FROM accounts WHERE kind = 'purse' AND player_id = %s AND currency = 'gold'",
                w.me,
                via=via,
            )
            > gold
        )

    return lambda: w.may(paid)


@running("New order")
def _(w):
    return lambda: w.may(lambda via: order(w, "another", via)["code"] == "ok")


@running("League of the season")
def _(w):
    w.rig.rows("INSERT INTO league_members VALUES (%s, 1, 1) ON CONFLICT DO NOTHING", w.me)
    return lambda: w.found("SELECT 1 FROM league_members WHERE player_id = %s", w.me)


@running("Place on a leaderboard")
def _(w):
    w.rig.play_rated(w.me, w.other())
    return lambda: w.found(
        "SELECT 1 FROM board_entries e JOIN boards b ON b.id = e.board_id WHERE b.kind <> 'league' AND"
        " e.player_id = %s",
        w.me,
    )


@running("Push to a device")
def _(w):
    device = w.rig.one(
        "INSERT INTO push_devices (player_id, session_id, kind, address) VALUES (%s, %s, 'fcm',"
        " 'a-device-of-mine') RETURNING id",
        w.me,
        w.session,
    )
    data = json.dumps({"player_id": str(w.other()), "state": "asks"})

    def pushed(via):
        w.rig.rows("SELECT notify_player(%s, 'friend', %s)", w.me, data, via=via)
        return w.rig.rows("SELECT 1 FROM deliveries WHERE device_id = %s", device, via=via) != []

    return lambda: w.may(pushed)


@running("Email in the outbox")
def _(w):
    w.rig.rows("SELECT mail_put(%s, NULL, 'password_changed', '{}')", w.me)
    return lambda: w.found("SELECT 1 FROM mails WHERE player_id = %s AND template = 'password_changed'", w.me)


@running("Export")
def _(w):
    w.rig.rows("INSERT INTO exports (player_id) VALUES (%s)", w.me)
    return lambda: w.found("SELECT 1 FROM exports WHERE player_id = %s", w.me)


@running("Session of the player's bot")
def _(w):
    session = w.begin_session(w.bot)
    w.rig.rows(
        "INSERT INTO bot_tokens (player_id, name, scopes, token_hash, prefix, session_id, expires_at)"
        " VALUES (%s, 't', '{read}', %s, 'rb_1234567', %s, now() + interval '1 day')",
        w.bot,
        uuid.uuid4().bytes * 2,
        session,
    )
    return lambda: w.found("SELECT 1 FROM sessions WHERE id = %s AND ended_at IS NULL", session)


@running("Waiting seat of the player's bot")
def _(w):
    opened = w.private(w.bot)
    return lambda: w.sits(w.bot, opened)


# --- what happens -------------------------------------------------------------------------------------------


def ban(w):
    assert w.rig.one("SELECT code FROM do_admin_ban(%s, 'k', 'b', %s, true, 'cheats')", KEY, w.me) == "ok"


def ask_deletion(w):
    attempt = w.rig.one("SELECT attempt FROM do_reauth_begin(%s, 'x', NULL, true)", w.me)
    assert (
        w.rig.one("SELECT code FROM do_request_deletion(%s, %s, NULL, NULL, %s)", attempt, w.me, w.session)
        == "ok"
    )


def delete(w):
    ask_deletion(w)
    w.rig.rows("UPDATE deletions SET due_at = now() WHERE player_id = %s", w.me)
    w.rig.steps("erase_players_step", w.rig.one("SELECT now()"))
    assert w.found("SELECT 1 FROM deletions WHERE player_id = %s AND done_at IS NOT NULL", w.me)


def set_limits(*limits):
    def event(w):
        assert w.rig.one("SELECT code FROM do_set_limits(%s, %s, %s, %s)", w.me, *limits) == "ok"

    return event


def block(w):
    for other in w.others:
        w.rig.block(w.me, other)


def blocked_by_the_other(w):
    for other in w.others:
        w.rig.block(other, w.me)


def mute(w):
    assert w.rig.one("SELECT code FROM do_admin_mute(%s, 'k', 'b', %s, 1, 'insults')", KEY, w.me) == "ok"


def keep_apart(w):
    for other in w.others:
        assert (
            w.rig.one(
                "SELECT code FROM do_admin_separate(%s, %s, 'b', %s, %s, true, 'they play as one')",
                KEY,
                f"k{other}",
                w.me,
                str(other),
            )
            == "ok"
        )


def end_sessions(w):
    assert w.rig.one("SELECT code FROM do_end_sessions(%s, NULL)", w.me) == "ok"


EVENTS = {
    "banned": ban,
    "deletion requested": ask_deletion,
    "account deleted": delete,
    "self-exclusion": set_limits(None, None, 30),
    "time limit lowered": set_limits(0, None, None),
    "purchase limit lowered": set_limits(None, 0, None),
    "other player blocked": block,
    "blocked by the other player": blocked_by_the_other,
    "muted by an operator": mute,
    "kept apart from the other player": keep_apart,
    "sessions ended": end_sessions,
}


@pytest.mark.parametrize("event", EVENTS)
def test_everything_in_progress_ends_or_stays_as_documented(games, event):
    world = World(games)
    words = {name: TABLE[name][event] for name in RUNNING}
    there = {name: RUNNING[name](world) for name, word in words.items() if word != "–"}
    assert [name for name, is_there in there.items() if not is_there()] == []
    EVENTS[event](world)
    found = {name: "stays" if is_there() else "ends" for name, is_there in there.items()}
    assert found == {name: words[name] for name in there}
    assert games.proof() == []


def test_correspondence_turns_of_a_banned_player_end_at_once(games):
    """Even if their node never learns of the ban, and if they were on vacation."""
    world = World(games)
    slow = games.open_table(world.me)["table_id"]
    assert games.join(world.other(), slow)["code"] == "ok" and games.start(slow)["code"] == "ok"
    games.rows("UPDATE tables SET turn_hours = 24 WHERE id = %s", slow)
    games.rows("SELECT do_vacation(%s, true)", world.me)

    def due_in(v, seat):
        due = games.one(
            "SELECT due_ms FROM do_slow_turn(%s, %s, %s, ARRAY[%s]::smallint[], '{}')",
            slow,
            games.epoch,
            v,
            seat,
        )
        return due and due / 1000 - float(games.one("SELECT extract(epoch FROM now())"))

    assert due_in(1, 0) is None, "their vacation stops the clock"
    ban(world)
    games.rows("UPDATE players SET banned_at = now() - interval '1 day' WHERE id = %s", world.me)
    assert due_in(2, 1) > 86000 and due_in(3, 0) < 1  # times are rounded to milliseconds
    assert (
        games.rows("SELECT 1 FROM notifications WHERE player_id = %s AND kind = 'your_turn'", world.me) == []
    )


def test_every_node_learns_of_the_bots_of_a_banned_player(games):
    world = World(games)
    ban(world)
    assert [row[0] for row in games.rows("SELECT * FROM q_banned_players(10)")] == sorted(
        [world.me, world.bot]
    )
    assert games.rows("SELECT * FROM q_banned_players(1)") != []
    games.rows("SELECT do_admin_ban(%s, 'k2', 'b', %s, false, 'a mistake')", KEY, world.me)
    assert games.rows("SELECT * FROM q_banned_players(10)") == []


def test_a_club_is_not_passed_to_a_banned_or_departing_member(games):
    world = World(games)
    geese = club(games, world.me, "Geese")
    members = [world.other() for _ in range(3)]
    for member in members:
        assert join(games, member, geese) == "ok"
    games.rows("UPDATE players SET banned_at = now() WHERE id = %s", members[0])
    assert games.one("SELECT code FROM deletion_begin(%s, NULL, NULL)", members[1]) == "ok"
    give = [
        games.one("SELECT code FROM do_change_club(%s, %s, NULL, NULL, NULL, %s)", world.me, geese, member)
        for member in members
    ]
    assert give == ["not_in_club", "not_in_club", "ok"]


def test_the_document_lists_exactly_the_tested_cases():
    assert set(TABLE) == set(RUNNING) | AT_A_NODE and not set(RUNNING) & AT_A_NODE
    assert {event for words in TABLE.values() for event in words} == set(EVENTS)
    assert {word for words in TABLE.values() for word in words.values()} == {"ends", "stays", "–"}
