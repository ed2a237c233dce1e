CREATE OR REPLACE FUNCTION q_friends(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname,
                                            'avatar', p.avatar, 'title', l.title,
                   'state', CASE WHEN f.accepted_at IS NOT NULL THEN 'friends'
                                 WHEN f.from_id = p_player THEN 'asked' ELSE 'asks' END)
                   ORDER BY f.accepted_at IS NULL DESC, p.nickname, p.id)
        FROM friends f JOIN players p ON p.id = CASE WHEN f.from_id = p_player THEN f.to_id ELSE f.from_id END
        JOIN levels l ON l.level = p.level
        WHERE p_player IN (f.from_id, f.to_id)
          AND NOT (f.accepted_at IS NULL AND f.to_id = p_player AND has_blocked(p_player, f.from_id))),
          '[]'))::text
$$;

COMMENT ON FUNCTION q_friends IS
'A player''s friends and requests as JSON. Who is blocked and asks is not in the list of the one who blocked
them, for as long as that lasts.
Called by api.';
