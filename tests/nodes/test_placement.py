"""Where tables are opened, and that every response refers to the node that has the table."""

from support.metrics import wait_for
from support.table import Player


def test_tables_are_spread_and_every_reply_leads_to_the_owner(nodes):
    n1, n2 = nodes.start("n1", "n2", table_max=10_000)  # 24 tables stay below 1%
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    urls = {"n1": f"ws://localhost:{n1.ws_port}/ws/tables/", "n2": f"ws://localhost:{n2.ws_port}/ws/tables/"}
    player = Player(n1)
    nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
    owners = []
    for n in range(24):
        seat = player.post("/tables", {"variant": "straight", "seats": 2, "visibility": "private"})
        assert seat.status_code == 201, seat.text
        table = seat.json()["table_id"]
        owner = nodes.look("SELECT node FROM tables WHERE id = %s", int(table))[0][0]
        owners.append(owner)
        assert seat.json()["ws_url"] == urls[owner] + table
        if n < 4:
            for server in (n1, n2):
                player.url = server.url
                assert player.post(f"/tables/{table}/tickets").json()["ws_url"] == urls[owner] + table
            player.url = n1.url
    mine = {one["table_id"]: one["ws_url"] for one in player.get("/me/tables").json()["items"]}
    found = dict(nodes.look("SELECT id::text, node FROM tables"))
    assert mine == {id: urls[node] + id for id, node in found.items()}
    assert 3 <= owners.count("n1") <= 21, owners


def test_lists_and_invitations_lead_to_the_owner(nodes):
    n1, n2 = nodes.start("n1", "n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
    ann, bob = Player(n1), Player(n1)
    for one, other in ((ann, bob), (bob, ann)):
        assert one.send("PUT", f"/v1/friends/{other.id}").status_code == 200
    urls = {}
    while {url.rsplit("/ws", 1)[0] for url in urls.values()} != {
        f"ws://localhost:{server.ws_port}" for server in (n1, n2)
    }:
        for visibility in ("private", "public"):
            seat = ann.post("/tables", {"variant": "straight", "seats": 2, "visibility": visibility}).json()
            urls[seat["table_id"]] = seat["ws_url"]
            if visibility == "private":
                assert ann.send("PUT", f"/v1/friends/{bob.id}/tables/{seat['table_id']}").status_code == 204
    for server in (n1, n2):
        bob.url = server.url
        told = {
            one["data"]["table_id"]: one["data"]["ws_url"]
            for one in bob.get("/notifications?limit=100").json()["items"]
            if one["kind"] == "table_invite"
        }
        open_ones = {one["table_id"]: one["ws_url"] for one in bob.get("/tables?limit=100").json()["items"]}
        assert told and open_ones and {**told, **open_ones} == urls
    over = next(iter(told))
    assert ann.send("DELETE", f"/v1/tables/{over}/seats/me").status_code == 204
    told = {
        one["data"]["table_id"]: one["data"]["ws_url"]
        for one in bob.get("/notifications?limit=100").json()["items"]
        if one["kind"] == "table_invite"
    }
    assert told[over] is None


def test_draining_and_full_nodes_get_no_new_tables(nodes):
    n1, n2 = nodes.start("n1", "n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
    n2.stop()
    player = Player(n1)
    for _ in range(6):
        assert (
            player.post("/tables", {"variant": "straight", "seats": 2})
            .json()["ws_url"]
            .startswith(f"ws://localhost:{n1.ws_port}/")
        )


def test_a_repeated_reply_leads_to_the_current_owner(nodes):
    """Repeats a request after the table has moved."""
    (n1,) = nodes.start("n1")
    player = Player(n1)
    headers = {"Idempotency-Key": "again-and-again"}
    body = {"variant": "straight", "seats": 2}
    first = player.send("POST", "/v1/tables", body=body, headers=headers).json()
    nodes.look("INSERT INTO nodes (name, epoch) VALUES ('n9', 900)")
    nodes.look(
        "INSERT INTO node_leases (node, epoch, state, ws_url) VALUES ('n9', 900, 'ready', 'wss://n9.example')"
    )
    nodes.look("UPDATE tables SET node = 'n9' WHERE id = %s", int(first["table_id"]))
    again = player.send("POST", "/v1/tables", body=body, headers=headers).json()
    assert first["ws_url"] == f"ws://localhost:{n1.ws_port}/ws/tables/{first['table_id']}"
    assert again == {**first, "ws_url": f"wss://n9.example/ws/tables/{first['table_id']}"}
