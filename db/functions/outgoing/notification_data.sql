CREATE OR REPLACE FUNCTION notification_data(p_data jsonb) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT p_data || jsonb_build_object('nickname', p.nickname) FROM players p
                     WHERE p.id = (p_data ->> 'player_id')::bigint), p_data)
$$;

COMMENT ON FUNCTION notification_data IS
'The data of a notification as shown: only the id of another player is stored, and the current name is
added.
Called by do_delivery_claim, export_rows_social, notification_shown.';
