CREATE OR REPLACE FUNCTION count_achievements(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint := p_result.player_id;
    f jsonb := p_result.facts;
    v_names  text[] := ARRAY['games'];
    v_ns     bigint[];
    v_streak bigint := (SELECT streak FROM player_days WHERE player_id = p);
    v_row    bigint;
BEGIN
    IF p_result.won THEN v_names := v_names || 'any_wins'::text; END IF;
    IF p_result.won AND p_game.rated THEN v_names := v_names || 'wins'::text; END IF;
    IF p_result.opened THEN v_names := v_names || 'opened'::text; END IF;
    IF p_result.rummy THEN v_names := v_names || 'rummies'::text; END IF;
    IF (f->>'opening')::bigint = 51 THEN v_names := v_names || 'opened_51'::text; END IF;
    IF (f->>'opening')::bigint >= 100 THEN v_names := v_names || 'opened_100'::text; END IF;
    IF (f->>'buried')::boolean THEN v_names := v_names || 'buried'::text; END IF;
    IF p_result.won AND (f->>'joker_out')::boolean THEN v_names := v_names || 'joker_out'::text; END IF;
    v_ns := array_fill(1::bigint, ARRAY[cardinality(v_names)]);
    IF (f->>'swaps')::bigint > 0 THEN
        v_names := v_names || 'swaps'::text;
        v_ns := v_ns || (f->>'swaps')::bigint;
    END IF;
    IF v_streak > 0 THEN
        v_names := v_names || 'day_streak'::text;
        v_ns := v_ns || v_streak;
    END IF;
    IF p_result.levels_gained > 0 THEN
        v_names := v_names || 'level'::text;
        v_ns := v_ns || p_result.level::bigint;
    END IF;
    IF p_game.rated THEN
        INSERT INTO player_counters AS c (player_id, counter, n)
        VALUES (p, 'wins_in_row', p_result.won::integer)
        ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_result.won THEN c.n + 1 ELSE 0 END
        RETURNING n INTO v_row;
        IF v_row > 0 THEN
            v_names := v_names || 'win_streak'::text;
            v_ns := v_ns || v_row;
        END IF;
    END IF;
    PERFORM add_to_counters(p, v_names, v_ns, '{day_streak,level,win_streak}');
END $$;

COMMENT ON FUNCTION count_achievements IS
'Counts what one person did in a finished game.
Called by count_finished_table.';
