CREATE OR REPLACE FUNCTION export_person(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('player_id', id::text, 'nickname', nickname) FROM players WHERE id = p_player
$$;

COMMENT ON FUNCTION export_person IS
'Data about another player in an export: only what everyone can see.
Called by export_rows_account, export_rows_social.';
