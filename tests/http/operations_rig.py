"""One valid request for every operation of the contract: caller, address, and body. test_operations.py
changes one part of it at a time.

The body is the contract's first example. An operation needs an entry here only if it depends on state: a
caller who has something, a secret that the server issued, a response that needs more than a request. NAMES
and MADE resolve the parameters of a path, so a new parameter needs a line there."""

import datetime
import uuid
from dataclasses import dataclass, field

from shop_rig import EveryShop
from support.authenticator import Passkey
from support.contract import Client, a_name
from support.dates import this_week
from support.keys import make_key
from support.mailbox import VERIFY, Mailbox
from support.node import Node
from support.operations import BY_ID
from support.puzzles import put_puzzle
from support.tokens import secret_of
from support.totp import PASSWORD, Member


@dataclass
class Good:
    caller: Client
    path: dict = field(default_factory=dict)
    given: dict = field(default_factory=dict)  # members of the body that depend on the state
    body: object = None  # the whole body, if it is not the example: bytes in a third party's format
    anew: object = None  # a function that builds the body again, if it is valid for only a minute
    other_body: dict = None  # another request with the same effect; None: add a space
    headers: dict = field(default_factory=dict)
    code: str = ""  # the expected refusal, if success takes more than a request
    # Owner of the items that the path names. "theirs": a stranger is refused, with the path `foreign` if
    # that is a different one. "everybody's": any signed-in player may call this for them.
    whose: str = ""
    foreign: dict = None


class World:
    """Players, tables, orders, and so on of one server, created as they are needed."""

    def __init__(self, shop, sql, node):
        self.shop, self.server, self.sql, self.node = shop, shop.server, sql, node
        self.secret = secret_of(self.server)
        self.keys = {role: self.holder(role) for role in ("jobs", "support", "money", "games")}
        self.jobs, self.admin, self.gone = self.keys["jobs"], self.holder("owner"), self.holder("owner")
        sql("UPDATE api_keys SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_keys)")
        # No game begins automatically, because it would be over before a slow run gets to it.
        sql("UPDATE rooms SET fill_wait_ms = 600000")
        sql("UPDATE settings SET value = '3600000' WHERE name IN ('rematch_wait_ms', 'rematch_offer_ms')")
        # No export is generated automatically, because the witness watches the REST connections that would
        # do it.
        sql("CREATE OR REPLACE FUNCTION do_export_step() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'")
        sql("SELECT do_daily_days()")  # and no daily deal is committed while a test runs
        self.owner, self.other, self.stranger = self.player(), self.player(), self.player()
        # All games are played before any test takes a seat, because the node takes seats as players do.
        self.games = [
            self.node.play(*(int(p.player["id"]) for p in (self.owner, self.other))) for _ in range(2)
        ]
        private_table, self.private_game = self.games[0]
        sql(
            "UPDATE tables SET visibility = 'private', room_id = NULL, creator_id = %s, code = 'ABCDEFGH'"
            " WHERE id = %s",
            int(self.owner.player["id"]),
            int(private_table),
        )

    def anyone(self):
        return Client(self.server)

    def player(self):
        return Client(self.server).guest()

    def holder(self, role, holder="tests"):
        client = Client(self.server)
        client.token = make_key(self.server.owner_db, role, holder=holder)
        return client

    def account(self):
        """A player with an address and PASSWORD."""
        client = Client(self.server)
        client.email = f"{uuid.uuid4().hex}@example.org"
        return client.register(client.email, PASSWORD)

    def table(self, owner, **more):
        """Opens a waiting table of the owner; returns the response."""
        body = {"variant": "rummy51", "seats": 4, **more}
        return owner.call("POST", "/v1/tables", body, headers=new_key(), status=201).json()

    def order(self, buyer):
        return buyer.call(
            "POST", "/v1/shop/orders", {"pack": "gold_300", "provider": "sms"}, headers=new_key(), status=201
        ).json()

    def paid(self):
        """A buyer and their card payment."""
        self.shop.buyer = self.player()
        order, _ = self.shop.paid()
        return self.shop.buyer, order

    def shared_table(self):
        """A player at a table with two others."""
        ann = self.player()
        seat = self.table(ann)
        for other in (self.player(), self.player()):
            other.call("POST", f"/v1/tables/by-code/{seat['code']}/seats", headers=new_key(), status=201)
        return ann, seat["table_id"]

    def lost(self):
        ann = self.player()
        table = self.table(ann)["table_id"]
        epoch = self.sql(
            "SELECT n.epoch FROM nodes n JOIN tables t ON t.node = n.name WHERE t.id = %s", int(table)
        )[0][0]
        assert self.sql(
            "SELECT code FROM do_lose_table(%s, %s, 'write_refused', '{}', '')", int(table), epoch
        ) == [("ok",)]
        return table


def new_key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def fresh_email():
    return f"{uuid.uuid4().hex}@example.org"


# Members that need a different value in every request.
UNIQUE = {
    "nickname": lambda: a_name("Mia"),
    "email": fresh_email,
    "id": lambda: f"r{uuid.uuid4().hex[:20]}",
}
UNIQUE_NAMES = {  # operations in which `name` is such a member
    "makeKey": lambda: uuid.uuid4().hex,
    "createClub": lambda: a_name("Owls"),
    "renameClub": lambda: a_name("Owls"),
}

# The value of a path parameter for which any item will do.
NAMES = {
    "room": lambda w: "desert",
    "league": lambda w: "desert",
    "variant": lambda w: "rummy51",
    "board": lambda w: "rating",
    "period": lambda w: "all",
    "job": lambda w: "upkeep",
    "pack": lambda w: "gold_1000",
    "achievement": lambda w: "first_game",
    "day": lambda w: datetime.datetime.now(datetime.UTC).date().isoformat(),
    "week": lambda w: this_week(),
    "player": lambda w: w.player().player["id"],
    "provider": lambda w: "google",
    "round": lambda w: "1",
    "seat": lambda w: "0",
}
# An item that belongs to a player or has to be created first. The function creates it, and returns its
# owner (None: an operator) and the path to it.
MADE = {}
# Operations on such items that any signed-in player may call.
EVERYBODYS = {
    "getTournament", "listTournamentStandings", "listTournamentTables", "enterTournament", "getClub",
    "listClubMembers", "getClubLeaderboard", "reportClub", "takeSeatByCode", "getTableByCode",
    "getPuzzle", "tryPuzzle",
}  # fmt: skip
GOOD = {}


def made(*names):
    def keep(make):
        MADE.update(dict.fromkeys(names, make))
        return make

    return keep


def good(*ids):
    def keep(make):
        for name in ids:
            assert name in BY_ID, f"operations_rig: the contract no longer has an operation {name}"
            GOOD[name] = make
        return make

    return keep


def usual(world, operation):
    """A request by an authorized caller for items that they own."""
    owner, path = None, {}
    for name in reversed([name for name in operation.in_path if name in MADE]):
        if name not in path:
            owner, more = MADE[name](world)
            path.update(more)
    if operation.role == "key":
        return Good(world.jobs if "jobs" in (operation.roles or ()) else world.admin, path)
    if operation.role == "anyone":
        return Good(world.anyone(), path)
    if operation.id in EVERYBODYS:
        return Good(world.player(), path, whose="everybody's")
    asks_for_password = "password" in (operation.example or {})
    caller = owner or (world.account() if asks_for_password else world.player())
    return Good(caller, path, whose="theirs" if path else "")


def filled(example, *sources):
    """The example with placeholders replaced by state: values, or functions that create one."""
    others = {name: value for source in sources for name, value in source.items() if name in example}
    return {**example, **{name: value() if callable(value) else value for name, value in others.items()}}


def good_request(world, operation):
    """Returns a request that this operation accepts."""
    for name in operation.in_path:
        assert name in NAMES or name in MADE, (
            f"{operation.id}: say in operations_rig.NAMES what {{{name}}} is, or make it by @made"
        )
    it = GOOD[operation.id](world) if operation.id in GOOD else usual(world, operation)
    assert operation.role not in ("player", "reader") or it.whose or not set(MADE) & set(operation.in_path), (
        f"{operation.id}: say in operations_rig.py whose these things are"
    )
    it.path = {name: it.path[name] if name in it.path else NAMES[name](world) for name in operation.in_path}
    if it.body is None and operation.example is not None:
        name = {"name": UNIQUE_NAMES[operation.id]} if operation.id in UNIQUE_NAMES else {}
        it.body = filled(operation.example, UNIQUE, name, it.given)
    return it


# --- accounts ---


@good("upgrade")
def _(w):
    return Good(w.player(), given={"invite_code": invitation(w)})


@good("login")
def _(w):
    return Good(w.anyone(), given={"email": w.account().email})


@good("refresh", "logout")
def _(w):
    return Good(w.anyone(), given={"refresh_token": w.player().refresh_token})


@good("verifyEmail")
def _(w):
    return Good(w.anyone(), given={"token": Mailbox(w.server, w.account().email).link(VERIFY)})


@good("undoEmail", "unlockAccount", "resetPassword", "getResetWays")
def _(w):
    return Good(w.anyone(), code="link_invalid")  # test_mail_links.py and test_lockout.py test valid links


@good("confirmEmail")
def _(w):
    account = w.account()
    return Good(account, given={"token": Mailbox(w.server, account.email).link(VERIFY)})


@good("loginFactor")
def _(w):
    member = Member(w.server, w.sql).set_up().confirm()
    challenge = member.challenge()
    body = lambda: {"challenge": challenge, "factor_code": member.code(ahead=1)}
    return Good(w.anyone(), given=body(), anew=body)


@good("confirmFactor")
def _(w):
    member = Member(w.server, w.sql).set_up()
    body = lambda: {"factor_code": member.code(ahead=1)}
    return Good(member.client, given=body(), anew=body)


@good("renewRecoveryCodes", "switchFactorOff")
def _(w):
    member = Member(w.server, w.sql).set_up().confirm()
    # a recovery code, because codes of the second factor expire after a minute
    return Good(member.client, given={"factor_code": member.codes[0]})


@good("sendVerification")
def _(w):
    return Good(w.account())


@made("session")
def _(w):
    ann = w.player()
    again = Client(w.server).guest(ann.device_secret)
    session = next(s["id"] for s in again.get("/v1/me/sessions")["items"] if not s["current"])
    return again, {"session": session}


@good("beginSignIn", "finishSignIn")
def _(w):
    return Good(w.anyone(), code="no_such_provider")  # openid_rig.py has a server with providers


@good("beginLink", "finishLink")
def _(w):
    return Good(w.player(), code="no_such_provider")


@made("identity")
def _(w):
    ann = w.account()
    ((id,),) = w.sql(
        "INSERT INTO identities (player_id, issuer, subject) VALUES (%s, 'https://accounts.example', %s)"
        " RETURNING id",
        int(ann.player["id"]),
        uuid.uuid4().hex,
    )
    return ann, {"identity": str(id)}


@good("cancelDeletion")
def _(w):
    ann = w.player()
    ann.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)
    return Good(ann)


@made("export", "part")
def _(w):
    ann = w.player()
    export = str(
        w.sql(
            "INSERT INTO exports (player_id, parts_n, ready_at, expires_at) VALUES (%s, 1, now(), now() +"
            " interval '1 day') RETURNING id",
            int(ann.player["id"]),
        )[0][0]
    )
    w.sql("INSERT INTO export_parts VALUES (%s, 1, '{}')", export)
    return ann, {"export": export, "part": "1"}


def invitation(w):
    return w.account().call("POST", "/v1/invites", status=200).json()["code"]


@good("acceptInvitation")
def _(w):
    return Good(w.account(), given={"code": invitation(w)})


@made("invite")
def _(w):
    return w.account(), {"invite": invitation(w)}


def bot_owner(w):
    """A player who may have bots."""
    ann = w.account()
    w.sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(ann.player["id"]))
    return ann


def with_bot(w):
    ann = bot_owner(w)
    body = {"nickname": a_name("Robin")}
    return ann, ann.call("POST", "/v1/me/bots", body, headers=new_key(), status=201).json()["id"]


def with_bot_token(w):
    ann, bot = with_bot(w)
    body = BY_ID["makeBotToken"].example
    return ann, bot, ann.call("POST", f"/v1/me/bots/{bot}/tokens", body, headers=new_key(), status=201).json()


@good("makeBot")
def _(w):
    return Good(bot_owner(w), other_body={"nickname": a_name("Robin")})


@made("bot")
def _(w):
    ann, bot = with_bot(w)
    return ann, {"bot": bot}


@made("token")
def _(w):
    ann, bot, token = with_bot_token(w)
    return ann, {"bot": bot, "token": token["token"]["id"]}


@good("enterWithToken")
def _(w):
    return Good(w.anyone(), given={"token": with_bot_token(w)[2]["secret"]})


def asked(ann):
    """Options for a new passkey of a guest."""
    return ann.call("POST", "/v1/me/passkey/begin", {}, status=200).json()


@good("addPasskey")
def _(w):
    ann = w.player()
    return Good(ann, given=Passkey().create(asked(ann)))


@made("passkey")
def with_passkey(w):
    ann = w.player()
    made = ann.call("POST", "/v1/me/passkeys", Passkey().create(asked(ann)), status=201).json()
    return ann, {"passkey": made["id"]}


@good("removePasskey")
def _(w):
    return Good(*with_passkey(w), body={}, whose="theirs")  # a wrong password would be counted


@good("loginWithPasskey")
def _(w):
    ann, key = w.player(), Passkey()
    ann.call("POST", "/v1/me/passkeys", key.create(asked(ann)), status=201)
    begun = w.anyone().call("POST", "/v1/auth/passkey/begin", status=200).json()
    return Good(w.anyone(), given=key.get(begun))


@good("addDevice")
def _(w):
    return Good(w.player(), code="push_off")  # test_push.py has a server that pushes


@made("device")
def _(w):
    ann = w.player()
    ((id,),) = w.sql(
        "INSERT INTO push_devices (player_id, session_id, kind, address, point, auth) SELECT player_id, id,"
        " 'webpush', %s, %s, %s FROM sessions WHERE player_id = %s RETURNING id",
        "https://push.example/" + uuid.uuid4().hex,
        b"\4" * 65,
        b"a" * 16,
        int(ann.player["id"]),
    )
    return ann, {"device": str(id)}


# --- tables and games ---


@made("table")
def _(w):
    ann = w.player()
    return ann, {"table": w.table(ann)["table_id"]}


@made("code")
def _(w):
    ann = w.player()
    return ann, {"code": w.table(ann)["code"]}


@good("takeTableSeat", "watchTable")
def _(w):
    return Good(
        w.player(),
        {"table": w.table(w.player(), visibility="public", watch_delay_ms=0)["table_id"]},
        whose="theirs",
        foreign={"table": w.table(w.player())["table_id"]},
    )


@good("inviteFriend")
def _(w):
    ann, bob = w.player(), w.player()
    for one, other in ((ann, bob), (bob, ann)):
        one.call("PUT", f"/v1/friends/{other.player['id']}", status=200)
    return Good(ann, {"player": bob.player["id"], "table": w.table(ann)["table_id"]}, whose="theirs")


@good("reportPlayer")
def _(w):
    ann, table = w.shared_table()
    return Good(ann, {"table": table}, whose="theirs")


@good("playAgain")
def _(w):
    return Good(w.owner, {"table": w.games[1][0]}, whose="theirs")


def daily_deal(w):
    """An open deal that a player has begun and whose table was ended. Returns the player and the day."""
    ann, day = w.player(), NAMES["day"](w)
    ann.call("POST", f"/v1/daily-deals/{day}/rami/plays", {}, headers=new_key(), status=201)
    w.sql(
        "UPDATE deal_plays SET state = 'void', ended_at = now() WHERE player_id = %s", int(ann.player["id"])
    )
    w.sql("UPDATE deals SET opens_at = now() - interval '1 hour' WHERE variant = 'rami'")
    return ann, day


@good("getDailyBoard")
def _(w):
    ann, day = daily_deal(w)
    return Good(ann, path={"day": day, "variant": "rami"})


@good("listDailySeeds")
def _(w):
    ann, day = daily_deal(w)
    return Good(ann, path={"day": day})


@made("puzzle")
def _(w):
    return w.player(), {"puzzle": str(put_puzzle(w.sql))}


@good("getDailyPuzzle", "getNextPuzzle")
def _(w):
    put_puzzle(w.sql)
    return Good(w.player())


@made("game")
def _(w):
    return w.owner, {"game": w.private_game}


# --- the shop ---


@made("order")
def _(w):
    buyer = w.player()
    return buyer, {"order": w.order(buyer)["id"]}


@good("submitReceipt")
def _(w):
    # The same receipt leads to the same order again, with any key.
    first, other = (
        {"store": "apple", "product": "gold300", "receipt": w.shop.apple.receipt("gold300")} for _ in range(2)
    )
    return Good(w.player(), given=first, other_body=other)


@good("stripeWebhook")
def _(w):
    w.shop.buyer = w.player()
    _, session = w.shop.bought()
    body, signature = w.shop.stripe.signed(w.shop.stripe.pay(session))
    return Good(w.anyone(), body=body, headers={"Stripe-Signature": signature})


@good("paypalWebhook")
def _(w):
    w.shop.buyer = w.player()
    _, name = w.shop.paypal_order()
    body, headers = w.shop.paypal.signed(w.shop.paypal.approve(name))
    return Good(w.anyone(), body=body, headers=headers)


@good("smsWebhook")
def _(w):
    w.shop.buyer = w.player()
    _, text = w.shop.sms_order()
    body, headers = w.shop.carrier.signed(w.shop.carrier.paid(text, 499))
    return Good(w.anyone(), body=body, headers=headers)


@good("appleWebhook")
def _(w):
    body = w.shop.apple.notification("REFUND", w.shop.apple.transaction("gold300"))
    return Good(w.anyone(), body=body if isinstance(body, bytes) else body.encode())


@good("googleWebhook")
def _(w):
    return Good(w.anyone(), body=w.shop.google.push(w.shop.google.buy("gold300")))


# --- operators ---


@made("api_key")
def _(w):
    body = {"name": uuid.uuid4().hex, "role": "money", "holder": "Bob"}
    made = w.admin.call("POST", "/v1/admin/keys", body, headers=new_key(), status=201).json()
    return None, {"api_key": made["key"]["id"]}


@made("grant")
def _(w):
    path = f"/v1/admin/players/{w.player().player['id']}/grants"
    body = {"currency": "gold", "amount": 900, "reason": "prize", "note": "x"}
    asked = w.holder("money", "Ann").call("POST", path, body, headers=new_key(), status=201).json()
    return None, {"grant": asked["id"]}


@good("adminGetOrder", "refundOrder")
def _(w):
    return Good(w.admin, {"order": w.paid()[1]["id"]})


@made("report")
def _(w):
    ann, table = w.shared_table()
    body = BY_ID["reportPlayer"].example
    return None, {"report": ann.call("POST", f"/v1/tables/{table}/reports", body, status=201).json()["id"]}


@made("flag")
def _(w):
    ((id,),) = w.sql(
        "INSERT INTO shop_flags (order_id, reason) VALUES (%s, 'amount_differs') RETURNING id",
        int(w.paid()[1]["id"]),
    )
    return None, {"flag": str(id)}


@good("switchPlayersFactorOff")
def _(w):
    return Good(w.admin, {"player": str(Member(w.server, w.sql).set_up().confirm().player)})


@good("separatePlayers")
def _(w):
    return Good(w.admin, given={"other": w.player().player["id"]})


@good("rebalanceNodes", "unbanPlayer")
def _(w):
    return Good(w.admin)


@made("node")
def _(w):
    """A second live node, which takes no tables."""
    name = f"n-{uuid.uuid4().hex[:20]}"
    w.sql("INSERT INTO nodes (name, epoch) VALUES (%s, nextval('node_epochs')) RETURNING name", name)
    w.sql(
        "INSERT INTO node_leases (node, epoch, state, alive_at)"
        " SELECT name, epoch, 'starting', now() + interval '1 hour' FROM nodes WHERE name = %s RETURNING"
        " node",
        name,
    )
    return None, {"node": name}


def tournament(w, **more):
    body = {
        "name": "A cup",
        "kind": "knockout",
        "variant": "straight",
        "seats": 2,
        "entry": 10,
        "entries_max": 4,
        **more,
    }
    return w.admin.call("POST", "/v1/admin/tournaments", body, headers=new_key(), status=201).json()["id"]


@made("tournament")
def _(w):
    return None, {"tournament": tournament(w)}


@good("listTournamentSeat")
def _(w):
    return Good(
        w.player(), {"tournament": tournament(w, kind="swiss", duplicate=True, entry=0)}, whose="everybody's"
    )


@good("withdrawFromTournament")
def _(w):
    ann, number = w.player(), tournament(w)
    ann.call("POST", f"/v1/tournaments/{number}/entries", headers=new_key(), status=201)
    return Good(ann, {"tournament": number}, whose="theirs")


# --- clubs ---


def club(w):
    ann = w.account()
    body = {"name": a_name("Owls")}
    return ann, ann.call("POST", "/v1/clubs", body, headers=new_key(), status=201).json()["id"]


@made("club")
def _(w):
    ann, number = club(w)
    return ann, {"club": number}


@good("createClub")
def _(w):
    return Good(w.account())


@good("joinClub", "leaveClub")
def _(w):
    ann, number = w.player(), club(w)[1]
    return Good(ann, {"club": number, "player": ann.player["id"]}, whose="theirs")


@made("message")
def _(w):
    ann, number = club(w)
    path = f"/v1/clubs/{number}/chat"
    line = ann.call("POST", path, {"text": "Hello"}, headers=new_key(), status=201).json()["id"]
    return ann, {"club": number, "message": line}


@good("reportClubMessage")
def _(w):
    _, path = MADE["message"](w)
    ann = w.player()
    w.sql("UPDATE clubs SET joining = 'open' WHERE id = %s", int(path["club"]))
    ann.call("PUT", f"/v1/clubs/{path['club']}/members/{ann.player['id']}", status=200)
    return Good(ann, path, whose="theirs")


# --- records and webhooks ---


@good("listLostMoves", "getLostRecord")
def _(w):
    return Good(w.admin, {"table": w.lost()})


@made("webhook", "delivery")
def _(w):
    """A webhook that is disabled, so that nothing is sent, and the result of its only delivery."""
    ((id,),) = w.sql(
        "INSERT INTO webhook_endpoints (url, events, active) VALUES ('https://hooks.example.org/x',"
        " '{order.paid}', false) RETURNING id"
    )
    ((delivery,),) = w.sql(
        "INSERT INTO deliveries (endpoint_id, event, body, failed_at) VALUES (%s, 'order.paid',"
        " webhook_body('order.paid', '{}'), now()) RETURNING id",
        id,
    )
    return None, {"webhook": str(id), "delivery": str(delivery)}


@good("makeWebhook")
def _(w):
    w.sql("UPDATE settings SET value = '1000' WHERE name = 'webhooks_max'")
    return Good(w.admin)


def new_world(cluster, database, sql, shared_every_shop, stripe, paypal, google):
    server, connection, apple = shared_every_shop
    shop = EveryShop(server, stripe, paypal, apple, google, connection)
    return World(shop, sql, Node(cluster, database))
