CREATE OR REPLACE FUNCTION q_page(p_kind text, p_id text)
    RETURNS TABLE (status integer, facts jsonb)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_id     bigint := CASE WHEN p_id ~ '^\d{1,18}$' THEN p_id::bigint END;
    v_player players;
BEGIN
    status := 404;
    IF p_kind = 'player' THEN
        SELECT * INTO v_player FROM players WHERE id = v_id;
        status := CASE WHEN v_player.id IS NULL THEN 404 WHEN v_player.deleted_at IS NOT NULL THEN 410
                       ELSE 200 END;
        facts := jsonb_build_object('name', v_player.nickname, 'level', v_player.level);
    ELSIF p_kind = 'game' THEN
        SELECT 200, jsonb_build_object('variant', g.variant, 'names', (
            SELECT jsonb_agg(p.nickname ORDER BY p.place, p.seat) FROM game_players p WHERE p.game_id = g.id))
        INTO status, facts
        FROM games g JOIN tables t ON t.id = g.table_id
        WHERE g.id = v_id AND t.visibility <> 'private' AND t.club_id IS NULL AND deal_is_open(t.deal_id);
    ELSIF p_kind = 'club' THEN
        SELECT 200, jsonb_build_object('name', c.name) INTO status, facts
        FROM clubs c WHERE c.id = v_id;
    ELSIF p_kind = 'tournament' THEN
        SELECT 200, jsonb_build_object('name', t.name, 'variant', t.variant) INTO status, facts
        FROM tournaments t WHERE t.id = v_id;
    ELSIF p_kind = 'join' THEN
        SELECT CASE WHEN l.body::jsonb ->> 'state' = 'over' THEN 410 ELSE 200 END,
               jsonb_build_object('name', l.body::jsonb #>> '{host,nickname}',
                                  'variant', l.body::jsonb ->> 'variant')
        INTO status, facts FROM q_table_link(upper(p_id COLLATE "C"), NULL) l WHERE l.code = 'ok';
    ELSIF p_kind = 'invite' THEN
        SELECT 200, jsonb_build_object('name', l.body::jsonb #>> '{host,nickname}')
        INTO status, facts FROM q_invite_link(p_id) l WHERE l.code = 'ok';
    ELSIF p_kind = 'sitemap' THEN
        SELECT 200, jsonb_build_object(
            'club', (SELECT coalesce(jsonb_agg(id::text), '[]') FROM (
                SELECT id FROM clubs ORDER BY id DESC LIMIT 1000) c),
            'tournament', (SELECT coalesce(jsonb_agg(id::text), '[]') FROM (
                SELECT id FROM tournaments WHERE state IN ('open', 'running', 'ended')
                ORDER BY id DESC LIMIT 1000) t))
        INTO status, facts;
    END IF;
    status := coalesce(status, 404);
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION q_page IS
'Facts for the head of a public page. p_kind (player, game, club, tournament, join, invite) and p_id identify
its subject. status: 200, 404 (no such subject, or not everyone may see it), or 410 (the account was deleted,
or the table has ended). facts: what anyone may see. p_kind sitemap: the ids of the newest 1,000 clubs and
1,000 tournaments, newest first.
Called by server.';
