"""Who keeps meeting whom."""

import hashlib
import json


def look(rig):
    key = hashlib.sha256(b"collusion").digest()
    rig.rows("INSERT INTO api_keys (name, role, holder, key_hash, prefix, expires_at)"
             " SELECT 'collusion', 'owner', 'collusion', %s, 'rk_123456', now() + interval '1 day' WHERE NOT EXISTS"
             " (SELECT 1 FROM api_keys WHERE key_hash = %s) RETURNING id", key, key)
    code, body = rig.row("SELECT * FROM do_admin_collusion(%s)", key)
    assert code == "ok"
    return json.loads(body)["items"]


def test_pairs_with_many_games_together_the_greatest_share_first(rig):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'collusion_games_min' RETURNING name")
    ann, bob, eve = sorted(rig.player(silver=100) for _ in range(3))
    assert look(rig) == []
    for i in range(3):
        rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4] if i else [2, 1, 3, 4])
    for _ in range(2):
        rig.settle(rig.table_of(bob, eve), [1, 2, 3, 4])
    rig.settle(rig.table_of(ann), [1, 2, 3, 4])  # alone with bots
    first, = look(rig)
    assert (first["games"], first["share_percent"], first["separated"]) == (3, 100, False)
    assert [(p["id"], p["games"], p["wins"]) for p in first["players"]] == [(str(ann), 3, 2), (str(bob), 5, 1)]
    for p in first["players"]:
        chips = rig.one("SELECT sum(p.silver + p.gold - g.stake)::bigint FROM game_players p JOIN games g ON g.id = p.game_id"
                        " WHERE p.player_id = %s AND EXISTS (SELECT 1 FROM game_players o WHERE o.game_id = g.id AND o.player_id IN (%s, %s)"
                        " AND o.player_id <> p.player_id)", int(p["id"]), ann, bob)
        assert p["chips"] == chips
    rig.settle(rig.table_of(bob, eve), [1, 2, 3, 4])
    rig.rows("INSERT INTO separations (low_id, high_id) VALUES (%s, %s) RETURNING at", bob, eve)
    assert [(item["games"], item["share_percent"], item["separated"]) for item in look(rig)] == [(3, 100, False), (3, 100, True)]
    rig.rows("UPDATE games SET ended_at = now() - interval '31 days' RETURNING id")
    assert look(rig) == []
