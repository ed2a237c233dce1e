"""Push: news reaches the device of an absent player, encrypted for this device only, and nothing else
does."""

import asyncio
import json
import time
import uuid
from types import SimpleNamespace

import pytest
from push_rig import apps, service
from support.cluster import SERVER
from support.contract import Client
from support.lobby import Lobby
from support.push_service import Browser, b64, make_key, verified
from support.server import Server
from support.wait import HANG_S

OF_TABLES = {"push_tournament_table": True, "push_your_turn": True, "mail_your_turn": False, "week": True}


@pytest.fixture(scope="module")
def vapid(tmp_path_factory):
    path = tmp_path_factory.mktemp("vapid") / "key.pem"
    return path, make_key(path)


@pytest.fixture(scope="module")
def server(quiet, cluster, database, tmp_path_factory, service, vapid, apps):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        rate_limits="off",
        vapid_key_file=vapid[0],
        push_hosts="push.example, .wide.example, 127.0.0.1",
        mail_from="noreply@play.example",
        **apps.options,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module", autouse=True)
def quick(server, sql):
    sql("UPDATE settings SET value = '0' WHERE name = 'delivery_retry_first_s'")


class Person:
    """A player and their browser."""

    def __init__(self, server, service, language=None):
        self.client, self.browser, self.service = Client(server), Browser(service), service
        if language:
            self.client.http.headers["Accept-Language"] = language
        self.client.guest()
        self.id = self.client.player["id"]

    def subscribe(self, **more):
        return self.client.call(
            "POST", "/v1/me/devices", self.browser.subscription, **{"status": 201, **more}
        )

    def devices(self):
        return self.client.get("/v1/me/devices")["items"]

    def asks(self, other):
        self.client.call("PUT", f"/v1/friends/{other.id}", status=200)

    def messages(self):
        return [m for m in self.service.messages if m.path == self.browser.path]

    def wait(self, n=1, within=HANG_S):
        until = time.monotonic() + within
        while len(self.messages()) < n and time.monotonic() < until:
            time.sleep(0.02)
        assert len(self.messages()) == n, len(self.messages())
        return self.messages()


@pytest.fixture
def ann(server, service):
    return Person(server, service)


@pytest.fixture
def bob(server, service):
    return Person(server, service)


def until(done, within=HANG_S):
    """Waits for a state; returns the final one."""
    end = time.monotonic() + within
    while not (found := done()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def waiting(sql, person):
    return sql(
        "SELECT count(*) FROM deliveries d JOIN push_devices p ON p.id = d.device_id WHERE p.player_id = %s",
        int(person.id),
    )[0][0]


# --- what is pushed -----------------------------------------------------------------------------------------


def test_a_friend_request_is_pushed_encrypted_for_the_device(server, service, vapid, ann, bob):
    device = ann.subscribe().json()
    assert (device["kind"], device["service"], device["current"], device["used_at"]) == (
        "webpush",
        "127.0.0.1",
        True,
        None,
    )
    bob.asks(ann)
    (message,) = ann.wait()
    name = bob.client.player["nickname"]
    assert ann.browser.read(message) == {
        "kind": "friend",
        "title": f"{name} wants to be your friend",
        "body": "Open Rummy 51 to answer.",
        "data": {"player_id": bob.id, "state": "asks", "nickname": name},
    }
    claims, key = service.sender(message)
    assert key == vapid[1] == ann.client.get("/v1/push")["webpush_key"]
    assert (
        claims["aud"] == service.origin
        and claims["sub"] == "mailto:noreply@play.example"
        and 0 < claims["exp"] - time.time() <= 86400
    )
    assert (
        86390 <= int(message.headers["TTL"]) <= 86400
        and message.headers["Urgency"] == "normal"
        and message.headers["Topic"] == f"friend-{bob.id}"
    )
    assert name.encode() not in message.body and ann.browser.path not in server.log()
    until = time.monotonic() + HANG_S
    while ann.devices()[0]["used_at"] is None and time.monotonic() < until:
        time.sleep(0.02)
    assert ann.devices()[0]["used_at"] is not None


@pytest.mark.parametrize(
    "language, title",
    [
        ("de", "Saison 4 ist zu Ende"),
        ("fr", "La saison 4 est terminée"),
        ("es", "Terminó la temporada 4"),
        ("hi", "सीज़न 4 ख़त्म हुआ"),
        ("ru", "Сезон 4 закончился"),
        ("ro", "Sezonul 4 s-a încheiat"),
        ("sr-Latn", "Sezona 4 je završena"),
        ("sr-Cyrl", "Сезона 4 је завршена"),
        ("pl", "Sezon 4 się skończył"),
        ("hr", "4. sezona je završila"),
        ("bn", "সিজন 4 শেষ"),
        ("te", "సీజన్ 4 ముగిసింది"),
        ("ta", "சீசன் 4 முடிந்தது"),
    ],
)
def test_the_end_of_a_season_is_pushed_in_the_accounts_language(server, service, sql, language, title):
    ann = Person(server, service)
    ann.client.call("PATCH", "/v1/me", {"language": language}, status=200)
    ann.subscribe()
    sql(
        "INSERT INTO notifications (player_id, kind, data) VALUES (%s, 'season', '{\"season\": 4}')",
        int(ann.id),
    )
    (message,) = ann.wait()
    told = ann.browser.read(message)
    assert (told["kind"], told["title"], told["data"]) == ("season", title, {"season": 4})
    assert message.headers["Urgency"] == "low" and message.headers["Topic"] == "season"


def test_a_friends_table_is_pushed_with_its_code_unless_opted_out(ann, bob, sql):
    bob.asks(ann), ann.asks(bob)
    ann.subscribe()
    tables = [
        bob.client.call(
            "POST",
            "/v1/tables",
            {"variant": "rummy51", "seats": 2},
            headers={"Idempotency-Key": uuid.uuid4().hex},
            status=201,
        ).json()
        for _ in range(2)
    ]
    ask = lambda table: bob.client.call("PUT", f"/v1/friends/{ann.id}/tables/{table['table_id']}", status=204)
    ann.client.call("PATCH", "/v1/me/notification-settings", {"push_table_invite": False}, status=200)
    ask(tables[0])
    assert waiting(sql, ann) == 0
    ann.client.call("PATCH", "/v1/me/notification-settings", {"push_table_invite": True}, status=200)
    ask(tables[1])
    (message,) = ann.wait()
    name, told = bob.client.player["nickname"], ann.browser.read(message)
    assert (told["kind"], told["title"], told["body"]) == (
        "table_invite",
        f"{name} invites you to play",
        "Open Rummy 51 to take your seat.",
    )
    assert told["data"]["code"] == tables[1]["code"] and message.headers["Urgency"] == "normal"


def test_opted_out_notifications_are_not_pushed(ann, bob, sql):
    ann.subscribe()
    assert ann.client.get("/v1/me/notification-settings") == {
        "push_friend": True,
        "push_season": True,
        "push_table_invite": True,
        **OF_TABLES,
    }
    change = lambda **what: ann.client.call("PATCH", "/v1/me/notification-settings", what, status=200).json()
    assert (
        change(push_friend=False)
        == {"push_friend": False, "push_season": True, "push_table_invite": True, **OF_TABLES}
        == ann.client.get("/v1/me/notification-settings")
    )
    bob.asks(ann)
    assert waiting(sql, ann) == 0
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(ann.id))
    assert ann.browser.read(ann.wait()[0])["kind"] == "season"
    assert (
        change(push_friend=True, push_season=False)
        == {"push_friend": True, "push_season": False, "push_table_invite": True, **OF_TABLES}
        == change()
    )
    sql("SELECT notify_player(%s, 'season', '{\"season\": 5}')", int(ann.id))
    for kind in ("level", "achievement", "refund"):
        sql("SELECT notify_player(%s, %s, '{}')", int(ann.id), kind)
    assert waiting(sql, ann) == 1, "the one from before"


def test_a_player_in_the_lobby_gets_no_push(server, ann, bob, sql):
    ann.subscribe()
    here = lambda: sql(
        "SELECT coalesce(here_until > now(), false) FROM push_devices WHERE player_id = %s", int(ann.id)
    )[0][0]

    ticket = ann.client.call(
        "POST", "/v1/lobby/tickets", headers={"Idempotency-Key": "lobby"}, status=201
    ).json()["ticket"]

    async def visit():
        async with Lobby(SimpleNamespace(server=server), ticket):
            until = time.monotonic() + HANG_S
            while not here() and time.monotonic() < until:
                await asyncio.sleep(0.05)
            assert here()
            await asyncio.to_thread(bob.asks, ann)

    asyncio.run(visit())
    assert waiting(sql, ann) == 0 and len(ann.client.get("/v1/notifications")["items"]) == 1, (
        "it is listed all the same"
    )
    sql("UPDATE push_devices SET here_until = now() WHERE player_id = %s", int(ann.id))
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(ann.id))
    ann.wait()


LANGUAGES = {
    "en": ("Push cup: your table is ready", "Round 1 begins. Open Rummy 51 to take your seat."),
    "de": (
        "Push cup: Ihr Tisch ist bereit",
        "Runde 1 beginnt. Öffnen Sie Rummy 51, um sich an den Tisch zu setzen.",
    ),
    "fr": (
        "Push cup : votre table est prête",
        "Le tour 1 commence. Ouvrez Rummy 51 pour prendre place à la table.",
    ),
    "hi": ("Push cup: आपकी टेबल तैयार है", "राउंड 1 शुरू हो रहा है। टेबल पर बैठने के लिए Rummy 51 खोलें।"),
    "sr-Latn": ("Push cup: vaš sto je spreman", "Počinje 1. kolo. Otvorite Rummy 51 da sednete za sto."),
    "sr-Cyrl": ("Push cup: ваш сто је спреман", "Почиње 1. коло. Отворите Rummy 51 да седнете за сто."),
}


def test_a_tournament_table_is_pushed_once_to_each_absent_player(server, service, sql, holder):
    """It is pushed to six players in their languages, but not to one who opted out or to one in the lobby.
    It has a short TTL, because the table begins within a minute, and is not pushed once the player is at
    the table."""
    people = {language: Person(server, service) for language in LANGUAGES}
    deaf, here = Person(server, service), Person(server, service)
    cup = {
        "name": "Push cup",
        "kind": "knockout",
        "variant": "straight",
        "seats": 4,
        "entry": 10,
        "entries_max": 8,
        "break_s": 0,
        "options": {"target": 50},
    }
    number = (
        holder("games")
        .call("POST", "/v1/admin/tournaments", cup, headers={"Idempotency-Key": uuid.uuid4().hex}, status=201)
        .json()["id"]
    )
    for language, person in people.items():
        person.client.call("PATCH", "/v1/me", {"language": language}, status=200)
    deaf.client.call("PATCH", "/v1/me/notification-settings", {"push_tournament_table": False}, status=200)
    everyone = [*people.values(), deaf, here]
    for person in everyone:
        person.subscribe()
    sql("UPDATE push_devices SET here_until = now() + interval '1 minute' WHERE player_id = %s", int(here.id))
    service.answers = [503]
    for person in everyone:
        person.client.call(
            "POST",
            f"/v1/tournaments/{number}/entries",
            headers={"Idempotency-Key": uuid.uuid4().hex},
            status=201,
        )
    for language, person in people.items():
        assert until(lambda person=person: any(m for m in person.messages()))
        message = person.messages()[0]
        table = person.client.get(f"/v1/tournaments/{number}")["own"]["table_id"]
        told = person.browser.read(message)
        assert (told["kind"], told["title"], told["body"]) == ("tournament_table", *LANGUAGES[language])
        assert (told["data"]["tournament_id"], told["data"]["table_id"]) == (number, table)
        assert 290 <= int(message.headers["TTL"]) <= 300 and message.headers["Urgency"] == "normal"
        assert message.headers["Topic"] == f"tournament_table-{table}"
    assert until(lambda: not sql("SELECT 1 FROM deliveries WHERE sent_at IS NULL AND failed_at IS NULL"))
    assert sum(len(person.messages()) for person in people.values()) == len(people) + 1, (
        "one each, and the one that its service refused again"
    )
    assert waiting(sql, deaf) == waiting(sql, here) == 0
    assert "tournament_table" in [item["kind"] for item in here.client.get("/v1/notifications")["items"]]


# --- apps ---------------------------------------------------------------------------------------------------


class App:
    """A player and their phone."""

    def __init__(self, server, apps, kind):
        self.client, self.kind, self.apps = Client(server).guest(), kind, apps
        self.id, self.token = self.client.player["id"], (uuid.uuid4().hex + uuid.uuid4().hex)
        self.client.call("POST", "/v1/me/devices", {"kind": kind, "token": self.token}, status=201)

    def messages(self):
        return [
            m
            for m in list(self.apps.messages)
            if m.path != "/token" and (self.token in m.path or self.token.encode() in m.body)
        ]

    def wait(self, n=1):
        until = time.monotonic() + HANG_S
        while len(self.messages()) < n and time.monotonic() < until:
            time.sleep(0.02)
        assert len(self.messages()) == n
        return self.messages()[-1]

    def until_gone(self):
        until = time.monotonic() + HANG_S
        while (left := self.client.get("/v1/me/devices")["items"]) and time.monotonic() < until:
            time.sleep(0.02)
        assert left == []


def test_firebase_pushes_share_one_access_token(server, apps, bob, sql):
    app = App(server, apps, "fcm")
    bob.asks(app)
    message = app.wait()
    assert (
        message.path == "/v1/projects/rummy-7/messages:send"
        and message.headers["Authorization"] == f"Bearer {apps.tokens[-1]}"
    )
    said, name = message.json["message"], bob.client.player["nickname"]
    assert said["token"] == app.token and said["notification"] == {
        "title": f"{name} wants to be your friend",
        "body": "Open Rummy 51 to answer.",
    }
    assert said["data"]["kind"] == "friend" and json.loads(said["data"]["data"])["player_id"] == bob.id
    assert (said["android"]["collapse_key"], said["android"]["priority"]) == (f"friend-{bob.id}", "HIGH")
    before = len(apps.tokens)
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(app.id))
    app.wait(2)
    assert len(apps.tokens) == before, "the token is kept"
    apps.says = [(401, {"error": {"status": "UNAUTHENTICATED"}})]
    sql("SELECT notify_player(%s, 'season', '{\"season\": 5}')", int(app.id))
    assert (
        app.wait(4).headers["Authorization"] == f"Bearer {apps.tokens[-1]}" and len(apps.tokens) == before + 1
    )
    apps.says = [(404, {"error": {"status": "NOT_FOUND", "details": [{"errorCode": "UNREGISTERED"}]}})]
    sql("SELECT notify_player(%s, 'season', '{\"season\": 6}')", int(app.id))
    app.until_gone()
    assert all(token not in server.log() for token in apps.tokens)


def test_a_refusal_by_one_service_keeps_the_token_of_another(server, service, apps, ann, sql):
    app = App(server, apps, "fcm")
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(app.id))
    token = app.wait().headers["Authorization"]
    ann.subscribe()
    service.answers = [403]
    before = len(ann.messages())
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(ann.id))
    assert until(lambda: len(ann.messages()) == before + 2)
    sql("SELECT notify_player(%s, 'season', '{\"season\": 5}')", int(app.id))
    assert app.wait(2).headers["Authorization"] == token


@pytest.mark.parametrize("status, reason", [(410, "Unregistered"), (400, "BadDeviceToken")])
def test_apple_pushes_carry_a_signed_token(server, apps, bob, sql, status, reason):
    app = App(server, apps, "apns")
    bob.asks(app)
    message = app.wait()
    head, claims = verified(message.headers["authorization"].removeprefix("bearer "), apps.apple)
    assert (
        head == {"alg": "ES256", "kid": "KEY0000001"}
        and claims["iss"] == "TEAM000001"
        and abs(claims["iat"] - time.time()) < 60
    )
    assert (
        message.path == f"/3/device/{app.token}"
        and message.json["aps"]["alert"]["body"] == "Open Rummy 51 to answer."
    )
    assert (message.json["kind"], message.json["data"]["player_id"]) == ("friend", bob.id)
    told = {
        name: message.headers[name]
        for name in ("apns-topic", "apns-push-type", "apns-priority", "apns-collapse-id")
    }
    assert told == {
        "apns-topic": "example.rummy",
        "apns-push-type": "alert",
        "apns-priority": "10",
        "apns-collapse-id": f"friend-{bob.id}",
    }
    assert (
        uuid.UUID(message.headers["apns-id"])
        and abs(int(message.headers["apns-expiration"]) - time.time() - 86400) < 60
    )
    apps.says = [(status, {"reason": reason})]
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(app.id))
    app.until_gone()


@pytest.mark.parametrize(
    "change, errors",
    [
        (
            {"kind": "fcm"},
            [("/endpoint", "unknown"), ("/p256dh", "unknown"), ("/auth", "unknown"), ("/token", "missing")],
        ),
        ({"token": "a" * 32}, [("/token", "unknown")]),
        ({"kind": "apns", "token": "../" * 20}, [("/token", "not_a_device_token")]),
    ],
)
def test_browser_subscriptions_and_app_tokens_cannot_be_mixed(ann, change, errors):
    said = ann.client.call(
        "POST", "/v1/me/devices", {**ann.browser.subscription, **change}, status=422
    ).json()
    assert [(e["pointer"], e["code"]) for e in said["errors"]] == errors
    assert ann.client.get("/v1/push")["kinds"] == ["webpush", "fcm", "apns"]


# --- devices that are added and removed ---------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_reported_as_gone_is_removed(ann, bob, service, status):
    ann.subscribe()
    service.answers = [status]
    bob.asks(ann)
    ann.wait()
    until = time.monotonic() + HANG_S
    while ann.devices() and time.monotonic() < until:
        time.sleep(0.02)
    assert ann.devices() == []


def test_a_busy_service_is_retried_but_a_refused_message_is_not(ann, bob, service, sql):
    ann.subscribe()
    service.answers = [503, 201, 413]
    bob.asks(ann)
    first, second = ann.wait(2)
    assert ann.browser.read(first) == ann.browser.read(second) and first.body != second.body, (
        "a new key for each try"
    )
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(ann.id))
    ann.wait(3)
    until = time.monotonic() + HANG_S
    state = lambda: sql(
        "SELECT tries, status FROM deliveries d JOIN push_devices p ON p.id = d.device_id WHERE p.player_id ="
        " %s AND failed_at IS NOT NULL",
        int(ann.id),
    )
    while not state() and time.monotonic() < until:
        time.sleep(0.02)
    assert state() == [(1, 413)] and len(ann.devices()) == 1


def test_outdated_news_is_not_pushed(ann, bob, sql):
    ann.subscribe()
    sql(
        "INSERT INTO deliveries (device_id, event, body, created_at) SELECT id, 'friend', %s, now() -"
        " interval '25 hours' FROM push_devices WHERE player_id = %s",
        f'{{"player_id": "{bob.id}"}}',
        int(ann.id),
    )
    until = time.monotonic() + HANG_S
    said = lambda: sql(
        "SELECT said FROM deliveries d JOIN push_devices p ON p.id = d.device_id WHERE p.player_id = %s",
        int(ann.id),
    )[0][0]
    while said() is None and time.monotonic() < until:
        time.sleep(0.02)
    assert said() == "it is too old" and ann.messages() == []


def test_a_device_ends_with_its_session(server, ann, bob, sql):
    ann.subscribe()
    ann.client.call("POST", "/v1/auth/logout", {"refresh_token": ann.client.refresh_token}, status=204)
    bob.asks(ann)
    assert waiting(sql, ann) == 0
    again = Client(server).guest(ann.client.device_secret)
    assert again.get("/v1/me/devices")["items"] == []


def test_an_endpoint_is_one_device_of_one_player(ann, bob, sql):
    first = ann.subscribe().json()
    assert ann.subscribe().json()["id"] == first["id"] and len(ann.devices()) == 1
    sql(
        "INSERT INTO deliveries (device_id, event, body, next_try) VALUES (%s, 'friend', '{}', now() +"
        " interval '1 hour')",
        int(first["id"]),
    )
    bob.browser = ann.browser
    assert bob.subscribe().json()["id"] != first["id"]
    assert (
        ann.devices() == []
        and len(bob.devices()) == 1
        and sql("SELECT count(*) FROM deliveries WHERE device_id = %s", int(first["id"])) == [(0,)]
    )


def test_only_the_owner_can_remove_a_device(ann, bob):
    device = ann.subscribe().json()["id"]
    bob.client.call("DELETE", f"/v1/me/devices/{device}", status=404, code="no_such_device")
    ann.client.call("DELETE", f"/v1/me/devices/{device}", status=204)
    ann.client.call("DELETE", f"/v1/me/devices/{device}", status=404, code="no_such_device")


def test_the_number_of_devices_is_limited(server, service, ann):
    for _ in range(10):
        ann.browser = Browser(service)
        ann.subscribe()
    ann.subscribe()  # which already exists
    ann.browser = Browser(service)
    ann.subscribe(status=409, code="too_many_devices")
    assert len(ann.devices()) == 10


@pytest.mark.parametrize(
    "member, value, fault",
    [
        ("endpoint", "https://hooks.example.org/x", "not_a_push_service"),
        ("endpoint", "https://push.example.evil.example/", "not_a_push_service"),
        ("endpoint", "https://wide.example/x", "not_a_push_service"),
        ("endpoint", "https://evilwide.example/x", "not_a_push_service"),
        ("endpoint", "https://127.0.0.1@evil.example/", "not_a_push_service"),
        ("endpoint", "file:///etc/passwd", "not_a_push_service"),
        ("p256dh", b64(b"\4" + b"\1" * 64), "not_a_point"),
        ("p256dh", "A" * 86 + "=", "not_a_point"),
        ("p256dh", "A", "too_short"),
        ("auth", "A" * 21 + "B", "not_an_auth_secret"),
        ("auth", "A" * 21 + "=", "not_an_auth_secret"),
        ("kind", "fax", "unknown_choice"),
    ],
)
def test_invalid_devices_are_refused(ann, member, value, fault):
    said = ann.client.call(
        "POST", "/v1/me/devices", {**ann.browser.subscription, member: value}, status=422
    ).json()
    assert [(e["pointer"], e["code"]) for e in said["errors"]] == [(f"/{member}", fault)]
    assert ann.devices() == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://push.example/x",
        "https://PUSH.example:443/x",
        "https://a.wide.example/x",
        "https://a.b.wide.example/x",
    ],
)
def test_valid_endpoints_are_accepted(ann, endpoint):
    ann.browser.endpoint = endpoint + ann.browser.path
    ann.client.call("DELETE", f"/v1/me/devices/{ann.subscribe().json()['id']}", status=204)


@pytest.mark.parametrize(
    "key, more, said",
    [
        ("vapid_key_file", {}, "vapid_key_file: must contain a private key on P-256"),
        ("fcm_account_file", {}, "fcm_account_file: must contain the key of a service account"),
        ("apns_key_file", {}, "apns_key_file: set it together with apns_key_id"),
    ],
)
def test_an_invalid_key_is_refused_at_startup(cluster, database, tmp_path, key, more, said):
    path = tmp_path / "key.pem"
    path.write_text("no key")
    path.chmod(0o600)
    it = Server(cluster.conninfo(database, SERVER), tmp_path, **{key: path}, **more).start(wait=False)
    assert it.process.wait(HANG_S) == 1 and it.logged(said)
