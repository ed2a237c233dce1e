CREATE OR REPLACE FUNCTION q_players(p_player bigint, p_name jsonb) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
    SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
BEGIN
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
               'player_id', o.id::text, 'nickname', o.nickname, 'avatar', o.avatar,
               'title', (SELECT l.title FROM levels l WHERE l.level = o.level))
               ORDER BY o.nickname_folded <> p_name->>'folded', o.nickname_folded, o.id), '[]'))::text
    FROM (SELECT DISTINCT f.id, f.nickname, f.nickname_folded COLLATE "C" AS nickname_folded, f.avatar,
                 f.level
          FROM jsonb_array_elements_text(p_name->'keys') b (key)
          CROSS JOIN LATERAL (
              SELECT p.* FROM name_keys k CROSS JOIN LATERAL (SELECT * FROM players WHERE id = k.player_id
                                                              OFFSET 0) p
              WHERE k.key >= b.key AND k.key < b.key || chr(1114111) AND k.until IS NULL
                AND p.id <> p_player AND p.deleted_at IS NULL AND p.banned_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.player_id = p.id)
                AND NOT has_blocked(p.id, p_player) AND NOT has_blocked(p_player, p.id)
              ORDER BY k.key LIMIT 10) f
          ORDER BY nickname_folded, f.id LIMIT 10) o;
END $$;

COMMENT ON FUNCTION q_players IS
'At most ten players whose nickname begins with p_name, {folded, keys} as api/names/names.c creates them, or
looks as if it did; NULL: none. Exact matches come first; the rest follow by name. Excludes the reader,
players who are deleted, being deleted, or banned, and players who have blocked the reader or whom the
reader has blocked. Names are found by their keys, in index order, so that the cost does not grow with the
number of players.
Called by api.';
