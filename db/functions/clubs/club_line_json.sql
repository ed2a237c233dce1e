CREATE OR REPLACE FUNCTION club_line_json(p_line club_chat) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT jsonb_build_object(
        'id', p_line.id::text, 'player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar,
        'text', p_line.text, 'at', rfc3339(p_line.at))
            FROM players p WHERE p.id = p_line.player_id);
END $$;

COMMENT ON FUNCTION club_line_json IS
'A club message in the API''s format.
Called by do_club_chat, q_club_chat.';
