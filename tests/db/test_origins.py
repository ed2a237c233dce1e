"""New accounts from one address: how many per day get chips and rewards immediately, what the others have
to wait for, and what is reported."""

import hashlib
import itertools
import json

import pytest
from db_rig import at_once, named
from support.chips import WELCOME_SILVER

HOME = hashlib.sha256(b"one address").digest()
NUMBERS = itertools.count(1)


def enter(rig, address=HOME, via=None):
    n = next(NUMBERS)
    secret, token = (hashlib.sha256(f"{what} {n}".encode()).digest() for what in ("secret", "token"))
    return rig.one(
        "SELECT id FROM do_enter_guest(NULL, %s, %s, '', %s, NULL, NULL, NULL, 'en', %s)",
        secret,
        f"[{named(f'Guest{n}')}]",
        token,
        address,
        via=via,
    )


def register(rig, address=HOME):
    n = next(NUMBERS)
    return rig.one(
        "SELECT id FROM do_enter_registered(%s, 'hash', %s, '', NULL, NULL, %s, %s, NULL, NULL, NULL,"
        " 'en', %s)",
        f"p{n}@example.org",
        f"[{named(f'Player{n}')}]",
        *(hashlib.sha256(f"{what} {n}".encode()).digest() for what in ("device", "token")),
        address,
    )


def silver(rig, player):
    return rig.purse(player)[0]


@pytest.fixture
def full(rig):
    """Allows two accounts per day, and creates both."""
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'address_accounts_per_day'")
    return [enter(rig), enter(rig)]


def withheld(rig, player):
    return rig.one("SELECT rewards_withheld FROM q_me(%s)", player)


def test_only_a_limited_number_of_accounts_per_address_get_chips_at_once(rig, full):
    guest, registered, elsewhere, nowhere = (
        enter(rig),
        register(rig),
        enter(rig, hashlib.sha256(b"another").digest()),
        enter(rig, None),
    )
    assert [withheld(rig, player) for player in (*full, guest, registered, elsewhere, nowhere)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert [silver(rig, player) for player in (*full, guest, registered, elsewhere, nowhere)] == [
        WELCOME_SILVER,
        WELCOME_SILVER,
        0,
        0,
        WELCOME_SILVER,
        WELCOME_SILVER,
    ]
    rig.rows("UPDATE account_origins SET day = day - 1 RETURNING day")
    assert silver(rig, enter(rig)) == WELCOME_SILVER, "another day"
    assert rig.proof() == []


def test_concurrent_accounts_of_one_address_are_all_counted(rig):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'address_accounts_per_day'")
    made = at_once(rig, *[lambda via: enter(rig, via=via)] * 6)
    assert sorted(silver(rig, player) for player in made) == [
        0,
        0,
        0,
        WELCOME_SILVER,
        WELCOME_SILVER,
        WELCOME_SILVER,
    ]


def test_unproved_accounts_of_a_full_address_earn_and_bring_nothing(rig, full):
    """Alone with the others, against an older account, and for a third player who meets a real opponent at
    the same table."""
    first, second = enter(rig), enter(rig)
    ann, bob = rig.player(), rig.player()
    rig.play_rated(first, second)
    rig.play_rated(ann, first)
    with_bots = rig.open_table(second, "straight", seats=2, bots=1)["table_id"]
    rig.start(with_bots)
    rig.settle(with_bots, [1, 2])
    assert rig.rows("SELECT same_people FROM game_players WHERE player_id = %s", second) == [[True], [True]]
    rated = lambda player: rig.one(
        "SELECT coalesce(sum(rated), 0) FROM player_stats WHERE player_id = %s", player
    )
    assert [rated(player) for player in (ann, first, second)] == [0, 0, 0]
    rig.play_rated(ann, bob, first)
    assert [rated(player) for player in (ann, bob, first)] == [1, 1, 0]
    assert rig.rows("SELECT * FROM player_achievements WHERE player_id = ANY (%s)", [first, second]) == []
    assert rig.one("SELECT do_daily_bonus(%s, now() + interval '3 days')", [first, second]) == 0
    assert [silver(rig, player) for player in (first, second)] == [0, 0]
    assert rig.proof() == []


def test_unproved_accounts_do_not_count_as_opponents_for_invitations(rig, full):
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'invite_games'")
    ann, bob, carl, dora, made = rig.player(), register(rig, None), rig.player(), rig.player(), enter(rig)
    rig.rows("INSERT INTO invites (invited_id, inviter_id) VALUES (%s, %s)", bob, ann)
    rig.prove(bob)
    rig.play_rated(bob, carl, dora, made)
    assert rig.one("SELECT invite_state_due(%s, %s)", bob, ann) == "open"
    rig.prove(made)
    assert rig.one("SELECT invite_state_due(%s, %s)", bob, ann) == "paid"


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
def test_a_proof_pays_the_chips_once_and_starts_the_daily_bonus(rig, full, proof):
    player, ann = register(rig), rig.player()
    rig.rows(proof, player)
    assert (withheld(rig, player), silver(rig, player)) == (False, WELCOME_SILVER)
    rig.rows("UPDATE players SET email_verified_at = NULL WHERE id = %s", player)
    rig.prove(player)
    assert silver(rig, player) == WELCOME_SILVER
    rig.play_rated(player, ann)
    assert rig.one("SELECT count(*) FROM player_stats WHERE rated = 1") == 2
    assert rig.one("SELECT do_daily_bonus(%s, now() + interval '1 day')", [player]) == 1
    assert rig.proof() == []


def test_a_proof_changes_nothing_for_other_accounts(rig, full):
    for player in full:
        rig.prove(player)
    assert [silver(rig, player) for player in full] == [WELCOME_SILVER, WELCOME_SILVER] and rig.proof() == []


def test_addresses_with_many_accounts_are_reported_without_the_address(rig, full):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'collusion_accounts_min'")
    third = enter(rig)
    for _ in range(2):
        enter(rig, hashlib.sha256(b"another").digest())
    (found,) = json.loads(json.dumps(rig.one("SELECT collusion_addresses(now() - interval '30 days')")))
    assert found.pop("day") == str(rig.one("SELECT local_day(now())"))
    assert found == {"accounts": 3, "withheld": 1, "players": [str(player) for player in (*full, third)]}
    rig.play_rated(*full, n=rig.one("SELECT setting_int('collusion_games_min')"))
    (pair,) = rig.one("SELECT collusion_pairs(now() - interval '30 days', 'share')")
    assert pair["shared_address"] is True
    rig.rows("UPDATE account_origins SET day = day - 31 RETURNING day")
    rig.one("SELECT do_purge(100)")
    assert rig.rows("SELECT * FROM account_origins") == [] and withheld(rig, third), (
        "an account waits for its proof, however old it is"
    )
