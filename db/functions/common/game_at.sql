CREATE OR REPLACE FUNCTION game_at(p_ms bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
    v_at     timestamptz := to_timestamp(least(greatest(p_ms, -62135596800000), 253402300799999) / 1000.0);
    v_before bigint := 0;
    v_from   bigint := coalesce((SELECT max(id) FROM games), 0) + 1;
    v_middle bigint;
    v_id     bigint;
    v_its    timestamptz;
BEGIN
    WHILE v_from - v_before > 1 LOOP
        v_middle := v_before + (v_from - v_before) / 2;
        SELECT id, ended_at INTO v_id, v_its FROM games WHERE id >= v_middle ORDER BY id LIMIT 1;
        IF v_id IS NULL OR v_id >= v_from OR v_its >= v_at THEN
            v_from := v_middle;
        ELSE
            v_before := v_id;
        END IF;
    END LOOP;
    RETURN v_from;
END $$;

COMMENT ON FUNCTION game_at IS
'The number of the first game that ended at that time (milliseconds since 1970) or later, found by binary
search in a few dozen lookups; NULL gives NULL. Games are numbered roughly in the order in which they end.
To read all games since a time, a caller starts earlier by the maximum length of a transaction and checks
the time of each game.
Called by api, admin_play, opponents_met_n, week_counts, week_games.';
