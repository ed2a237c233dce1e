CREATE OR REPLACE FUNCTION admin_player_item(p_player players) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_player.id::text, 'kind', p_player.kind, 'nickname', p_player.nickname,
        'level', p_player.level, 'created_at', rfc3339(p_player.created_at),
        'banned_at', rfc3339(p_player.banned_at), 'deleted_at', rfc3339(p_player.deleted_at))
$$;

COMMENT ON FUNCTION admin_player_item IS
'A player as an item of an operator''s search result.
Called by do_admin_player_by_email, do_admin_players.';
