CREATE OR REPLACE FUNCTION set_limit(p_player bigint, p_kind text, p_value bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_now     bigint := limit_of(p_player, p_kind);
    v_tighter boolean := CASE p_kind WHEN 'exclusion' THEN p_value > v_now ELSE p_value < v_now END;
    v_later   boolean := NOT v_tighter AND p_value <> v_now;
BEGIN
    INSERT INTO play_limits AS l (player_id, kind, value, next_value, next_at)
    VALUES (p_player, p_kind, CASE WHEN v_tighter THEN p_value ELSE v_now END,
            CASE WHEN v_later THEN p_value END,
            CASE WHEN v_later THEN now() + make_interval(secs => setting_int('limit_loosen_s')) END)
    ON CONFLICT (player_id, kind) DO UPDATE
    SET value = EXCLUDED.value, next_value = EXCLUDED.next_value,
        -- repeating a request does not restart the wait
        next_at = CASE WHEN l.next_value = EXCLUDED.next_value AND l.next_at > now() THEN l.next_at
                       ELSE EXCLUDED.next_at END;
END $$;

COMMENT ON FUNCTION set_limit IS
'Sets one limit. A tighter one takes effect at once, and a pending looser one is dropped; a looser one takes
effect after limit_loosen_s. Setting the current value again only drops a pending one.
Called by do_set_limits.';
