"""New accounts per address: which addresses count, and what is stored about them."""

import hashlib

from support.chips import WELCOME_SILVER
from support.contract import Client, a_name


def entered(server, address, path="guest"):
    """A new account created from this address."""
    client = Client(server)
    body = {"nickname": a_name("New")}
    if path == "register":
        body |= {
            "email": f"{body['nickname'].replace(' ', '').lower()}@example.org",
            "password": "seven sleeping camels",
        }
    return client._adopt(
        client.call("POST", f"/v1/auth/{path}", body, headers={"X-Forwarded-For": address}).json()
    )


def withheld(client):
    return client.get("/v1/me")["rewards_withheld"]


def test_internet_addresses_are_counted_by_a_keyed_hash(new_server, cluster):
    server = new_server(proxies="127.0.0.1")
    sql = cluster.connect(server.database).cursor()
    sql.execute("UPDATE settings SET value = '1' WHERE name = 'address_accounts_per_day'")
    for same in (
        ["198.51.101.7", "198.51.101.7:4711", "::ffff:198.51.101.7"],
        ["2a00:db8:1:2::1", "2a00:db8:1:2:3::9"],
    ):
        made = [entered(server, address, path) for address, path in zip(same, ("guest", "register", "guest"))]
        assert [withheld(client) for client in made] == [False] + [True] * (len(made) - 1), same
        assert [client.get("/v1/wallet")["silver"] for client in made] == [WELCOME_SILVER] + [0] * (
            len(made) - 1
        )
        bonus = made[-1].get("/v1/wallet")["bonus"]
        assert (bonus["due"], bonus["tomorrow_amount"]) == (False, 0)
    sql.execute("UPDATE players SET email_verified_at = now() WHERE id = %s", [int(made[-1].player["id"])])
    assert not withheld(made[-1]) and made[-1].get("/v1/wallet")["silver"] == WELCOME_SILVER
    sql.execute("SELECT address_hash, count(*) FROM account_origins GROUP BY 1")
    kept = {bytes(address): n for address, n in sql.fetchall()}
    assert sorted(kept.values()) == [2, 3]
    assert not kept.keys() & {
        hashlib.sha256(text).digest() for text in (b"198.51.101.7", b"2a00:db8:1:2::/64")
    }, "anyone could try all addresses"
    for address in ("10.1.2.3", "192.168.0.9", "127.0.0.1", "fd00::1", "100.64.0.1"):
        assert not any(withheld(entered(server, address)) for _ in range(2)), f"{address} names nobody"
    sql.connection.close()
