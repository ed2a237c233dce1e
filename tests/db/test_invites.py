"""Invitations pay both players, once, when the invited player is confirmed and has taken part in enough
rated games with enough other players. Chains of inviters end."""

import json
import uuid

import pytest
from test_achievements import earned


def register(rig):
    return rig.one("SELECT do_create_player('registered', 'R', '')")


def code_of(rig, player):
    return rig.one("SELECT do_invite_code(%s)", player)


def accept(rig, player, code, key=None, body=b"b"):
    return rig.one(
        "SELECT code FROM do_accept_invite(%s, %s, %s, %s)", player, code, key or uuid.uuid4().hex, body
    )


def count(rig):
    for _ in range(100):
        if rig.one("SELECT do_counts_due(10)") == 0:
            return
    raise AssertionError("there is always more to be counted")


def state(rig, player):
    return rig.one("SELECT state FROM invites WHERE invited_id = %s", player)


def gold(rig, *players):
    return [rig.purse(player)[1] for player in players]


def qualify(rig, player, others):
    """The requirements for a payment."""
    rig.prove(player)
    rig.play_rated(player, *others, n=rig.one("SELECT setting_int('invite_games')"))


@pytest.fixture
def others(rig):
    """Possible opponents, with settings under which only invitations bring gold and any number of games
    count."""
    rig.rows("UPDATE achievements SET gold = 0 WHERE counter <> 'invites'")
    rig.rows("UPDATE quests SET gold = 0")
    rig.rows("UPDATE settings SET value = '1000' WHERE name = 'same_players_games_per_day'")
    return [rig.player() for _ in range(3)]


def test_an_invitation_pays_both_players_once(rig, others):
    ann, bob = rig.player(), register(rig)
    code = code_of(rig, ann)
    assert len(code) == 8 and code_of(rig, ann) == code
    assert (
        accept(rig, bob, code.lower(), "k") == "ok"
        and accept(rig, bob, code, "k", b"c") == "idempotency_key_reused"
    )
    assert accept(rig, bob, code.lower(), "k") == "ok" and accept(rig, bob, code) == "invite_used"
    count(rig)
    assert gold(rig, ann, bob) == [0, 0], "nothing at registration"
    qualify(rig, bob, others)
    count(rig)
    count(rig)
    assert gold(rig, ann, bob) == [30 + 10, 10] and earned(rig, ann) == ["invite_1"]
    told = rig.rows(
        "SELECT player_id, kind, data FROM notifications WHERE kind IN ('invite', 'invited') ORDER BY kind"
    )
    assert told == [
        [ann, "invite", {"gold": 30, "player_id": str(bob)}],
        [bob, "invited", {"gold": 10, "player_id": str(ann)}],
    ]
    assert sorted(row[0] for row in rig.rows("SELECT key FROM transfers WHERE cause = 'invite'")) == [
        f"invite:{bob}",
        f"invited:{bob}",
    ]
    assert rig.proof() == []


def test_the_payment_waits_until_every_condition_is_met(rig, others):
    """Confirmation, games, and opponents in any order. Games that the player left or a bot played for them
    do not count."""
    ann = rig.player()
    unproved, idle, left, lonely, guest, ready = (register(rig) for _ in range(6))
    for player in (unproved, idle, left, lonely, guest, ready):
        assert accept(rig, player, code_of(rig, ann)) == "ok"
    rig.play_rated(unproved, *others, n=10)
    rig.prove(idle)
    rig.play_rated(idle, *others, n=12, own_turns=[3, 8, 8, 8])
    rig.prove(left)
    rig.play_rated(left, *others, n=12, left=[True, False, False, False])
    rig.prove(lonely)
    rig.play_rated(lonely, *others[:2], n=12)
    rig.prove(guest)
    rig.play_rated(guest, *others, n=9)
    qualify(rig, ready, others)
    count(rig)
    assert [state(rig, player) for player in (unproved, idle, left, lonely, guest, ready)] == ["open"] * 5 + [
        "paid"
    ]
    rig.rows(
        "INSERT INTO identities (player_id, issuer, subject) VALUES (%s, 'https://id.example', 'x')", unproved
    )
    rig.play_rated(idle, *others, n=10)
    rig.play_rated(left, *others, n=10)
    rig.play_rated(lonely, others[2], others[0])
    rig.play_rated(guest, *others)
    count(rig)
    assert [state(rig, player) for player in (unproved, idle, left, lonely, guest)] == ["paid"] * 5
    assert gold(rig, ann) == [6 * 30 + 10]
    assert rig.proof() == []


def test_opponents_who_did_not_take_part_do_not_count(rig, others):
    ann, bob = rig.player(), register(rig)
    accept(rig, bob, code_of(rig, ann))
    rig.prove(bob)
    rig.play_rated(bob, *others, n=12, own_turns=[8, 8, 8, 0])
    count(rig)
    assert state(rig, bob) == "open"


@pytest.mark.parametrize(
    "proof",
    [
        "UPDATE players SET email_verified_at = now() WHERE id = %s",
        "INSERT INTO identities (player_id, issuer, subject) VALUES (%s, 'https://id.example', 'x')",
        """WITH h AS (INSERT INTO passkey_handles VALUES (%s, sha256('h')) RETURNING player_id)
       INSERT INTO passkeys (player_id, credential_id, algorithm, public_key, sign_count, backup_eligible,
           backed_up, transports, name)
       SELECT player_id, 'c', 'EdDSA', sha256('k'), 0, false, false, '{}', 'key' FROM h""",
    ],
)
def test_each_kind_of_proof_confirms_the_invited_player(rig, others, proof):
    ann, bob = rig.player(), register(rig)
    accept(rig, bob, code_of(rig, ann))
    rig.play_rated(bob, *others, n=10)
    count(rig)
    assert state(rig, bob) == "open"
    rig.rows(proof, bob)
    count(rig)
    assert state(rig, bob) == "paid" and gold(rig, ann, bob) == [40, 10]


def test_ineligible_players_cannot_accept(rig):
    ann, guest = rig.player(), rig.player()
    code = code_of(rig, ann)
    old, own = register(rig), register(rig)
    rig.rows("UPDATE players SET created_at = now() - interval '2 days' WHERE id = %s", old)
    assert accept(rig, guest, code) == "invite_guest"
    assert accept(rig, old, code) == "invite_late"
    assert accept(rig, own, code_of(rig, own)) == "invite_self"
    assert accept(rig, own, "NOSUCH00") == "invite_unknown"
    assert accept(rig, 10**9, code) == "no_such_player"
    assert rig.one("SELECT count(*) FROM invites") == 0


ADD_WAY = {
    "provider": (
        "INSERT INTO identities (player_id, issuer, subject, created_at) VALUES (%s, 'https://id.example',"
        " 'x', now() - make_interval(days => %s))"
    ),
    "password": (
        "INSERT INTO credentials (player_id, email, password_hash, created_at) VALUES (%s, 'a@example.org',"
        " 'x', now() - make_interval(days => %s))"
    ),
}


@pytest.mark.parametrize("first, second", [("provider", "password"), ("password", "provider")])
def test_adding_a_sign_in_method_does_not_reopen_the_deadline(rig, first, second):
    player = register(rig)
    rig.rows(ADD_WAY[first], player, 2)
    rig.rows(ADD_WAY[second], player, 0)
    assert rig.one("SELECT invite_acceptance(%s)", player) == "late"


def test_the_number_of_paid_invitations_is_limited(rig, others):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'invites_paid_max'")
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'invite_games'")
    assert rig.one("SELECT about FROM settings WHERE name = 'invites_paid_max'").startswith(
        "invitations of one player"
    )
    ann, invited = rig.player(), [register(rig) for _ in range(5)]
    for player in invited:
        accept(rig, player, code_of(rig, ann))
        qualify(rig, player, others)
    count(rig)
    assert rig.rows("SELECT state, count(*) FROM invites GROUP BY 1 ORDER BY 1") == [["over", 2], ["paid", 3]]
    assert gold(rig, ann, *invited) == [3 * 30 + 10] + [10] * 5, (
        "invited players get their reward in any case"
    )
    assert json.loads(rig.one("SELECT body FROM do_invites(%s)", ann))["paid"] == 3
    assert rig.proof() == []


def test_a_chain_of_inviters_is_paid_only_to_a_limited_depth(rig, others):
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'invite_games'")
    chain = [register(rig) for _ in range(7)]
    for inviter, invited in zip(chain, chain[1:]):
        assert accept(rig, invited, code_of(rig, inviter)) == "ok"
        qualify(rig, invited, others)
    count(rig)
    assert [state(rig, player) for player in chain[1:]] == ["paid"] * 3 + ["over"] * 3
    assert gold(rig, *chain) == [40, 50, 50, 10, 10, 10, 10]
    assert rig.proof() == []


def test_invitations_are_paid_from_the_due_list(rig, others):
    """Games before the invitation, changed terms, gold that was owed when the process died."""
    ann = rig.player()
    early, late, few = register(rig), register(rig), register(rig)
    due = lambda: [row[0] for row in rig.rows("SELECT invited_id FROM invites_due ORDER BY 1")]
    qualify(rig, early, others)
    assert due() == []
    for player in (early, late, few):
        assert accept(rig, player, code_of(rig, ann)) == "ok"
    assert due() == [early]
    qualify(rig, late, others)
    rig.prove(few)
    rig.play_rated(few, *others, n=2)
    assert due() == [early, late]
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'invite_games'")
    assert due() == [early, late, few]
    count(rig)
    assert due() == [] and rig.one("SELECT count(*) FROM invites WHERE owed") == 0
    assert gold(rig, ann, early, late, few) == [3 * 30 + 10, 10, 10, 10]
    rig.rows("UPDATE invites SET owed = true")  # as if no job had paid
    count(rig)
    assert gold(rig, ann, early, late, few) == [
        3 * 30 + 10,
        10,
        10,
        10,
    ], "the gold of an invitation comes once"
    assert rig.proof() == []
