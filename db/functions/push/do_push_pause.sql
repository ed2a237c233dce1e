CREATE OR REPLACE FUNCTION do_push_pause(p_players bigint[]) RETURNS void
    LANGUAGE sql AS $$
    UPDATE push_devices SET here_until = now() + interval '20 seconds'
    WHERE id = ANY (ARRAY(
        SELECT id FROM push_devices
        WHERE player_id = ANY (p_players)
          AND (here_until IS NULL OR here_until < now() + interval '10 seconds')
        FOR NO KEY UPDATE SKIP LOCKED))
$$;

COMMENT ON FUNCTION do_push_pause IS
'Suppresses pushes to these players for 20 s, because they are in the lobby and can see what happens.
Called by server.';
