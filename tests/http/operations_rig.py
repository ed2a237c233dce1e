"""For every operation of the contract one request that is good: who sends it, to what, with which body. test_operations.py
changes one thing of it at a time. An operation needs an entry here when its example cannot be sent as it is; what a
parameter of the path names stands in NAMES, and so a new parameter has to be told of here, too."""

import datetime
import uuid
from dataclasses import dataclass, field

from shop_rig import EveryShop
from support.authenticator import Passkey
from support.contract import Client, a_name
from support.keys import make_key
from support.mailbox import VERIFY, Mailbox
from support.node import Node
from support.operations import BY_ID
from support.tokens import secret_of
from support.totp import PASSWORD, Member

OTHER_PASSWORD = "nine dancing herons"


@dataclass
class Good:
    caller: Client
    path: dict = field(default_factory=dict)
    body: object = None  # a dict, or bytes in another's words; None: the contract's example
    anew: object = None  # a function that makes the body again, where one is good for a minute only
    other_body: dict = None  # another request to the same end; None: a blank more
    headers: dict = field(default_factory=dict)
    code: str = ""  # the refusal it gets, where more than a request is needed for success
    # Whose the things are that the path names. "theirs": a stranger is refused, at `foreign` where that is another path.
    # "everybody's": whoever is signed in may do this to them. It has to be said of what belongs to somebody (MADE).
    whose: str = ""
    foreign: dict = None


class World:
    """People, tables, orders … of one server, made as they are needed."""

    def __init__(self, shop, sql, node):
        self.shop, self.server, self.sql, self.node = shop, shop.server, sql, node
        self.secret = secret_of(self.server)
        self.keys = {role: self.holder(role) for role in ("jobs", "support", "money", "games")}
        self.jobs, self.admin, self.gone = self.keys["jobs"], self.holder("owner"), self.holder("owner")
        sql("UPDATE api_keys SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_keys)")
        # No game begins by itself: it would be over before a slow run is.
        sql("UPDATE rooms SET fill_wait_ms = 600000")
        sql("UPDATE settings SET value = '3600000' WHERE name IN ('rematch_wait_ms', 'rematch_offer_ms')")
        # Nor is a file of own data made by itself: the REST connections that do it are those that are witnessed.
        sql("CREATE OR REPLACE FUNCTION do_export_step() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'")
        sql("SELECT do_daily_days()")  # nor is a day committed to meanwhile
        self.owner, self.other, self.stranger = self.player(), self.player(), self.player()
        # All that is played is played before anybody sits down: the node takes seats as people do.
        self.games = [self.node.play(*(int(p.player["id"]) for p in (self.owner, self.other))) for _ in range(2)]
        private_table, self.private_game = self.games[0]
        sql("UPDATE tables SET visibility = 'private', room_id = NULL, creator_id = %s, code = 'ABCDEFGH' WHERE id = %s",
            int(self.owner.player["id"]), int(private_table))

    def anyone(self):
        return Client(self.server)

    def player(self):
        return Client(self.server).guest()

    def holder(self, role, holder="tests"):
        client = Client(self.server)
        client.token = make_key(self.server.owner_db, role, holder=holder)
        return client

    def account(self):
        """Somebody with an address and PASSWORD."""
        client = Client(self.server)
        client.email = f"{uuid.uuid4().hex}@example.org"
        return client.register(client.email, PASSWORD)

    def table(self, owner, **more):
        """A table of the owner's that waits; its answer."""
        body = {"variant": "rummy51", "seats": 4, **more}
        return owner.call("POST", "/v1/tables", body, headers=new_key(), status=201).json()

    def order(self, buyer):
        return buyer.call("POST", "/v1/shop/orders", {"pack": "gold_300", "provider": "sms"}, headers=new_key(), status=201).json()

    def paid(self):
        """A buyer and what they have paid for, by card."""
        self.shop.buyer = self.player()
        order, _ = self.shop.paid()
        return self.shop.buyer, order

    def reported(self):
        """A table of two and a report of one of them by the other."""
        ann, bob = self.player(), self.player()
        seat = self.table(ann)
        bob.call("POST", f"/v1/tables/by-code/{seat['code']}/seats", headers=new_key(), status=201)
        return ann, seat["table_id"]

    def lost(self):
        ann = self.player()
        table = self.table(ann)["table_id"]
        epoch = self.sql("SELECT n.epoch FROM nodes n JOIN tables t ON t.node = n.name WHERE t.id = %s", int(table))[0][0]
        assert self.sql("SELECT code FROM do_lose_table(%s, %s, 'write_refused', '{}', '')", int(table), epoch) == [("ok",)]
        return table


def new_key():
    return {"Idempotency-Key": uuid.uuid4().hex}


# What a parameter of a path names, where any will do.
NAMES = {
    "room": lambda w: "desert", "league": lambda w: "desert", "variant": lambda w: "rummy51", "board": lambda w: "rating",
    "period": lambda w: "all", "job": lambda w: "upkeep", "pack": lambda w: "gold_1000", "achievement": lambda w: "first_game",
    "day": lambda w: datetime.datetime.now(datetime.UTC).date().isoformat(),
    "player": lambda w: w.player().player["id"], "provider": lambda w: "google", "round": lambda w: "1", "seat": lambda w: "0",
}
# What belongs to somebody, or has to be made first: an operation that names such a thing has an entry below.
MADE = {"session", "passkey", "identity", "table", "game", "order", "report", "flag", "api_key", "grant", "code", "club", "message", "tournament", "export", "part", "webhook", "delivery", "device", "bot", "token", "node"}

GOOD = {}


def good(*ids):
    def keep(make):
        for name in ids:
            assert name in BY_ID, f"operations_rig: the contract has no operation {name} any more"
            GOOD[name] = make
        return make

    return keep


def good_request(world, operation):
    """What to send so that this operation does what it is for."""
    for name in operation.in_path:
        assert name in NAMES or name in MADE, f"{operation.id}: say in operations_rig.NAMES what {{{name}}} is, or in MADE that it has to be made"
    if operation.id in GOOD:
        it = GOOD[operation.id](world)
    else:
        missing = set(operation.in_path) - set(NAMES)
        assert not missing, f"{operation.id}: make {missing} in operations_rig.py (@good), and say whose it is"
        operator = world.jobs if "jobs" in (operation.roles or ()) else world.admin
        it = Good({"anyone": world.anyone, "player": world.player, "key": lambda: operator}[operation.role]())
    assert operation.role != "player" or it.whose or not MADE & set(operation.in_path), f"{operation.id}: say in operations_rig.py whose these things are"
    it.path = {**{name: NAMES[name](world) for name in operation.in_path if name not in it.path}, **it.path}
    if it.body is None:
        it.body = operation.example
    return it


# --- accounts ---


@good("register")
def _(w):
    return Good(w.anyone(), body={"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD, "nickname": a_name("Mia")})


@good("enterAsGuest")
def _(w):
    return Good(w.anyone(), body={"nickname": a_name("Mia")})


@good("changeMe")
def _(w):
    return Good(w.player(), body={"nickname": a_name("Mia"), "avatar": "fox"})


@good("renamePlayer")
def _(w):
    return Good(w.admin, body={"nickname": a_name("Mia"), "reason": "insults"})


@good("upgrade")
def _(w):
    return Good(w.player(), body={"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD})


@good("login")
def _(w):
    return Good(w.anyone(), body={"email": w.account().email, "password": PASSWORD})


@good("refresh", "logout")
def _(w):
    return Good(w.anyone(), body={"refresh_token": w.player().refresh_token})


@good("verifyEmail")
def _(w):
    return Good(w.anyone(), body={"token": Mailbox(w.server, w.account().email).link(VERIFY)})


@good("undoEmail", "unlockAccount", "resetPassword")
def _(w):
    return Good(w.anyone(), code="link_invalid")  # links that work: test_mail_links.py, test_lockout.py


@good("changePassword")
def _(w):
    return Good(w.account(), body={"old_password": PASSWORD, "password": OTHER_PASSWORD})


@good("changeEmail")
def _(w):
    return Good(w.account(), body={"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD})


@good("loginFactor")
def _(w):
    member = Member(w.server, w.sql).set_up().confirm()
    challenge = member.challenge()
    body = lambda: {"challenge": challenge, "factor_code": member.code(ahead=1)}
    return Good(w.anyone(), body=body(), anew=body)


@good("setUpFactor")
def _(w):
    return Good(w.account(), body={"password": PASSWORD})


@good("confirmFactor")
def _(w):
    member = Member(w.server, w.sql).set_up()
    body = lambda: {"factor_code": member.code(ahead=1)}
    return Good(member.client, body=body(), anew=body)


@good("renewRecoveryCodes", "switchFactorOff")
def _(w):
    member = Member(w.server, w.sql).set_up().confirm()
    return Good(member.client, body={"password": PASSWORD, "factor_code": member.codes[0]})  # those of the factor end in a minute


@good("sendVerification")
def _(w):
    return Good(w.account())


@good("endSession")
def _(w):
    ann = w.player()
    again = Client(w.server).guest(ann.device_secret)
    session = next(s["id"] for s in again.get("/v1/me/sessions")["items"] if not s["current"])
    return Good(again, {"session": session}, whose="theirs")


@good("beginSignIn", "finishSignIn")
def _(w):
    return Good(w.anyone(), code="no_such_provider")  # a server that has some: openid_rig.py


@good("beginLink", "finishLink")
def _(w):
    return Good(w.player(), code="no_such_provider")


@good("unlinkIdentity")
def _(w):
    ann = w.account()
    (id,), = w.sql("INSERT INTO identities (player_id, issuer, subject) VALUES (%s, 'https://accounts.example', %s) RETURNING id",
                   int(ann.player["id"]), uuid.uuid4().hex)
    return Good(ann, {"identity": str(id)}, whose="theirs")


@good("takeBackDeletion")
def _(w):
    ann = w.player()
    ann.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)
    return Good(ann)


@good("askDeletion")
def _(w):
    return Good(w.account(), body={"confirm": "delete", "password": PASSWORD})


@good("askExport")
def _(w):
    return Good(w.account(), body={"password": PASSWORD})


@good("getExportPart")
def _(w):
    ann = w.player()
    export = str(w.sql("INSERT INTO exports (player_id, parts_n, ready_at, expires_at) VALUES (%s, 1, now(), now() + interval '1 day')"
                       " RETURNING id", int(ann.player["id"]))[0][0])
    w.sql("INSERT INTO export_parts VALUES (%s, 1, '{}')", export)
    return Good(ann, {"export": export, "part": "1"}, whose="theirs")


@good("acceptInvitation")
def _(w):
    return Good(w.account(), body={"code": w.account().call("POST", "/v1/invites", status=200).json()["code"]})


def bot_owner(w):
    """Somebody who may have bots."""
    ann = w.account()
    w.sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(ann.player["id"]))
    return ann


def with_bot(w):
    ann = bot_owner(w)
    return ann, ann.call("POST", "/v1/me/bots", {"nickname": a_name("Robin")}, headers=new_key(), status=201).json()["id"]


TOKEN = {"name": "at home", "scopes": ["read", "play"], "expires_in_days": 90}


def with_bot_token(w):
    ann, bot = with_bot(w)
    made = ann.call("POST", f"/v1/me/bots/{bot}/tokens", TOKEN, headers=new_key(), status=201).json()
    return ann, bot, made


@good("makeBot")
def _(w):
    return Good(bot_owner(w), body={"nickname": a_name("Robin")}, other_body={"nickname": a_name("Robin")})


@good("changeBot")
def _(w):
    ann, bot = with_bot(w)
    return Good(ann, {"bot": bot}, body={"nickname": a_name("Robin"), "avatar": "fox"}, whose="theirs")


@good("retireBot", "listBotTokens")
def _(w):
    ann, bot = with_bot(w)
    return Good(ann, {"bot": bot}, whose="theirs")


@good("makeBotToken")
def _(w):
    ann, bot = with_bot(w)
    return Good(ann, {"bot": bot}, body=TOKEN, whose="theirs")


@good("revokeBotToken")
def _(w):
    ann, bot, made = with_bot_token(w)
    return Good(ann, {"bot": bot, "token": made["token"]["id"]}, whose="theirs")


@good("enterWithToken")
def _(w):
    return Good(w.anyone(), body={"token": with_bot_token(w)[2]["secret"]})


@good("beginPasskey")
def _(w):
    return Good(w.account(), body={"password": PASSWORD})


def asked(ann):
    """What an authenticator is asked for a new passkey of a guest."""
    return ann.call("POST", "/v1/me/passkey/begin", {}, status=200).json()


@good("addPasskey")
def _(w):
    ann = w.player()
    return Good(ann, body=Passkey().create(asked(ann)))


def with_passkey(w):
    ann = w.player()
    return ann, ann.call("POST", "/v1/me/passkeys", Passkey().create(asked(ann)), status=201).json()["id"]


@good("renamePasskey")
def _(w):
    ann, passkey = with_passkey(w)
    return Good(ann, {"passkey": passkey}, whose="theirs")


@good("removePasskey")
def _(w):
    ann, passkey = with_passkey(w)
    return Good(ann, {"passkey": passkey}, body={}, whose="theirs")


@good("loginWithPasskey")
def _(w):
    ann, key = w.player(), Passkey()
    ann.call("POST", "/v1/me/passkeys", key.create(asked(ann)), status=201)
    return Good(w.anyone(), body=key.get(w.anyone().call("POST", "/v1/auth/passkey/begin", status=200).json()))


@good("addDevice")
def _(w):
    return Good(w.player(), code="push_off")  # a server that pushes: test_push.py


@good("removeDevice")
def _(w):
    ann = w.player()
    (id,), = w.sql(
        "INSERT INTO push_devices (player_id, session_id, kind, address, point, auth) SELECT player_id, id, 'webpush', %s, %s, %s"
        " FROM sessions WHERE player_id = %s RETURNING id", "https://push.example/" + uuid.uuid4().hex, b"\4" * 65, b"a" * 16, int(ann.player["id"]))
    return Good(ann, {"device": str(id)}, whose="theirs")


# --- tables and games ---


@good("openTable")
def _(w):
    return Good(w.player(), body={"variant": "straight", "seats": 2, "options": {"target": 100, "ace": "high"}})


@good("takeSeatByCode")
def _(w):
    return Good(w.player(), {"code": w.table(w.player())["code"]}, whose="everybody's")  # who has the code may come


@good("getTableByCode")
def _(w):
    return Good(w.player(), {"code": w.table(w.player())["code"]}, whose="everybody's")


@good("getTable", "newTicket", "leaveSeat", "listChat")
def _(w):
    ann = w.player()
    return Good(ann, {"table": w.table(ann)["table_id"]}, whose="theirs")


@good("takeTableSeat", "watchTable")
def _(w):
    return Good(w.player(), {"table": w.table(w.player(), visibility="public", watch_delay_ms=0)["table_id"]}, body={}, whose="theirs",
                foreign={"table": w.table(w.player())["table_id"]})


@good("inviteFriend")
def _(w):
    ann, bob = w.player(), w.player()
    for one, other in ((ann, bob), (bob, ann)):
        one.call("PUT", f"/v1/friends/{other.player['id']}", status=200)
    return Good(ann, {"player": bob.player["id"], "table": w.table(ann)["table_id"]}, whose="theirs")


@good("reportPlayer")
def _(w):
    ann, table = w.reported()
    return Good(ann, {"table": table}, body={"seat": 1, "reason": "insult", "text": "Look."}, whose="theirs")


@good("playAgain")
def _(w):
    return Good(w.owner, {"table": w.games[1][0]}, whose="theirs")


def daily_deal(w):
    """A deal that is open: somebody has begun it, and its table was ended. The player and the day."""
    ann, day = w.player(), NAMES["day"](w)
    ann.call("POST", f"/v1/daily-deals/{day}/rami/plays", {}, headers=new_key(), status=201)
    w.sql("UPDATE deal_plays SET state = 'void', ended_at = now() WHERE player_id = %s", int(ann.player["id"]))
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


@good("getGame", "getRecord")
def _(w):
    return Good(w.owner, {"game": w.private_game}, whose="theirs")


# --- the shop ---


@good("createOrder")
def _(w):
    return Good(w.player(), body={"pack": "gold_300", "provider": "sms"})


@good("getOrder")
def _(w):
    buyer = w.player()
    return Good(buyer, {"order": w.order(buyer)["id"]}, whose="theirs")


@good("showReceipt")
def _(w):
    # The same receipt finds its order again, under whatever key.
    first, other = ({"store": "apple", "product": "gold300", "receipt": w.shop.apple.receipt("gold300")} for _ in range(2))
    return Good(w.player(), body=first, other_body=other)


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


@good("makeKey")
def _(w):
    return Good(w.admin, body={"name": uuid.uuid4().hex, "role": "support", "holder": "Mia"})


@good("getKey", "rotateKey", "revokeKey")
def _(w):
    made = w.admin.call("POST", "/v1/admin/keys", {"name": uuid.uuid4().hex, "role": "money", "holder": "Bob"}, headers=new_key(), status=201).json()
    return Good(w.admin, {"api_key": made["key"]["id"]})


@good("getGrant", "approveGrant", "refuseGrant")
def _(w):
    asked = w.holder("money", "Ann").call("POST", f"/v1/admin/players/{w.player().player['id']}/grants",
                                          {"currency": "gold", "amount": 900, "reason": "prize", "note": "x"}, headers=new_key(), status=201).json()
    return Good(w.admin, {"grant": asked["id"]})


@good("adminGetOrder", "refundOrder")
def _(w):
    return Good(w.admin, {"order": w.paid()[1]["id"]})


@good("closeReport")
def _(w):
    ann, table = w.reported()
    report = ann.call("POST", f"/v1/tables/{table}/reports", {"seat": 1, "reason": "insult"}, status=201).json()
    return Good(w.admin, {"report": report["id"]})


@good("settleFlag")
def _(w):
    order = int(w.paid()[1]["id"])
    return Good(w.admin, {"flag": str(w.sql("INSERT INTO shop_flags (order_id, reason) VALUES (%s, 'amount_differs') RETURNING id", order)[0][0])})


@good("switchPlayersFactorOff")
def _(w):
    return Good(w.admin, {"player": str(Member(w.server, w.sql).set_up().confirm().player)})


@good("keepPlayersApart")
def _(w):
    return Good(w.admin, body={"other": w.player().player["id"], "separated": True, "reason": "they throw each other cards"})


@good("drainNode", "undrainNode")
def _(w):
    """Not the server itself: a node that was heard, and takes no tables."""
    name = f"n-{uuid.uuid4().hex[:20]}"
    w.sql("INSERT INTO nodes (name, epoch) VALUES (%s, nextval('node_epochs')) RETURNING name", name)
    w.sql("INSERT INTO node_leases (node, epoch, state, alive_at)"
          " SELECT name, epoch, 'starting', now() + interval '1 hour' FROM nodes WHERE name = %s RETURNING node", name)
    return Good(w.admin, {"node": name})


@good("rebalanceNodes")
def _(w):
    return Good(w.admin)


@good("unbanPlayer")
def _(w):
    return Good(w.admin)


def tournament(w, **more):
    body = {"name": "A cup", "kind": "knockout", "variant": "straight", "seats": 2, "entry": 10, "entries_max": 4, **more}
    return w.admin.call("POST", "/v1/admin/tournaments", body, headers={"Idempotency-Key": uuid.uuid4().hex}, status=201).json()["id"]


@good("getTournament", "listTournamentStandings", "listTournamentTables", "enterTournament")
def _(w):
    return Good(w.player(), {"tournament": tournament(w)}, whose="everybody's")


@good("listTournamentSeat")
def _(w):
    return Good(w.player(), {"tournament": tournament(w, kind="swiss", duplicate=True)}, whose="everybody's")


@good("withdrawFromTournament")
def _(w):
    ann, number = w.player(), tournament(w)
    ann.call("POST", f"/v1/tournaments/{number}/entries", headers={"Idempotency-Key": uuid.uuid4().hex}, status=201)
    return Good(ann, {"tournament": number}, whose="theirs")


def club(w):
    ann = w.account()
    return ann, ann.call("POST", "/v1/clubs", {"name": a_name("Owls")}, headers=new_key(), status=201).json()["id"]


@good("createClub")
def _(w):
    return Good(w.account(), body={"name": a_name("Owls"), "about": "Every evening at nine.", "joining": "ask"})


@good("getClub", "listClubMembers", "getClubLeaderboard")
def _(w):
    return Good(w.player(), {"club": club(w)[1]}, whose="everybody's")


@good("joinClub", "leaveClub")
def _(w):
    ann, number = w.player(), club(w)[1]
    return Good(ann, {"club": number, "player": ann.player["id"]}, whose="theirs")


@good("changeClub")
def _(w):
    ann, number = club(w)
    return Good(ann, {"club": number}, body={"about": "Every evening at ten."}, whose="theirs")


@good("closeClub")
def _(w):
    ann, number = club(w)
    return Good(ann, {"club": number}, whose="theirs")


def club_message(w):
    ann, number = club(w)
    line = ann.call("POST", f"/v1/clubs/{number}/chat", {"text": "Hello"}, headers=new_key(), status=201).json()["id"]
    return ann, {"club": number, "message": line}


@good("listClubChat")
def _(w):
    ann, number = club(w)
    return Good(ann, {"club": number}, whose="theirs")


@good("sayInClub")
def _(w):
    ann, number = club(w)
    return Good(ann, {"club": number}, body={"text": "Nine o’clock?"}, whose="theirs")


@good("deleteClubMessage")
def _(w):
    return Good(*club_message(w), whose="theirs")


@good("reportClubMessage")
def _(w):
    _, path = club_message(w)
    ann = w.player()
    w.sql("UPDATE clubs SET joining = 'open' WHERE id = %s", int(path["club"]))
    ann.call("PUT", f"/v1/clubs/{path['club']}/members/{ann.player['id']}", status=200)
    return Good(ann, path, whose="theirs")


@good("listClubTables")
def _(w):
    ann, number = club(w)
    return Good(ann, {"club": number}, whose="theirs")


@good("reportClub")
def _(w):
    return Good(w.player(), {"club": club(w)[1]}, whose="everybody's")


@good("adminGetClub", "clearClub", "adminCloseClub")
def _(w):
    return Good(w.admin, {"club": club(w)[1]})


@good("renameClub")
def _(w):
    return Good(w.admin, {"club": club(w)[1]}, body={"name": a_name("Owls"), "reason": "insults"})


@good("cancelTournament", "adminGetTournament", "adminListTournamentEntries")
def _(w):
    return Good(w.admin, {"tournament": tournament(w)})


@good("makePrizeTable")
def _(w):
    return Good(w.admin, body={"id": f"p{uuid.uuid4().hex[:20]}", "shares": {"1": "10000"}})


@good("openRoom")
def _(w):
    return Good(w.admin, body={"id": f"r{uuid.uuid4().hex[:20]}", "name": "Attic", "variant": "treff", "seats": 2, "stake": 10, "reward": 5, "title": "Ant"})


@good("changeRoom")
def _(w):
    return Good(w.admin, body={"open": True})


@good("changePack")
def _(w):
    return Good(w.admin, body={"on_sale": True})


@good("adminGetTable", "cancelTable")
def _(w):
    return Good(w.admin, {"table": w.table(w.player())["table_id"]})


@good("adminGetRecord")
def _(w):
    return Good(w.admin, {"game": w.private_game})


@good("listLostMoves", "getLostRecord")
def _(w):
    return Good(w.admin, {"table": w.lost()})


def webhook(w):
    """A webhook that is switched off, so that nothing is sent, and what came of its only delivery."""
    (id,), = w.sql("INSERT INTO webhook_endpoints (url, events, active) VALUES ('https://hooks.example.org/x', '{order.paid}', false) RETURNING id")
    (delivery,), = w.sql("INSERT INTO deliveries (endpoint_id, event, body, failed_at) VALUES (%s, 'order.paid',"
                         " webhook_body('order.paid', '{}'), now()) RETURNING id", id)
    return {"webhook": str(id), "delivery": str(delivery)}


@good("makeWebhook")
def _(w):
    w.sql("UPDATE settings SET value = '1000' WHERE name = 'webhooks_max'")
    return Good(w.admin)


@good("changeWebhook", "removeWebhook", "renewWebhookSecret", "pingWebhook", "listDeliveries")
def _(w):
    return Good(w.admin, {"webhook": webhook(w)["webhook"]})


@good("redeliver")
def _(w):
    return Good(w.admin, webhook(w))


def new_world(cluster, database, sql, shared_every_shop, stripe, paypal, google):
    server, connection, apple = shared_every_shop
    shop = EveryShop(server, stripe, paypal, apple, google, connection)
    return World(shop, sql, Node(cluster, database))
