CREATE OR REPLACE FUNCTION deletion_begin(p_player bigint, p_key_id bigint) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_due timestamptz := date_trunc('second', now())
                         + make_interval(days => setting_int('deletion_days')::integer);
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        RETURN 'no_such_player';
    END IF;
    INSERT INTO deletions (player_id, due_at, key_id) VALUES (p_player, v_due, p_key_id)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM bots_sessions_end(p_player);
        PERFORM mail_put(p_player, NULL, 'deletion_asked',
                         jsonb_build_object('day', to_char(v_due AT TIME ZONE 'UTC', 'YYYY-MM-DD')));
    END IF;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION deletion_begin IS
'An account is to be deleted deletion_days from now, and a mail says so; its bots are sent out at once. Asked
for again, the first day stays. p_key_id: of the operator who does it; NULL: the player.
Refusals: no_such_player.
Locks: the player.
Called by do_admin_deletion, do_ask_deletion.';
