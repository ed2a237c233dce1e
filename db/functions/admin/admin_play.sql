CREATE OR REPLACE FUNCTION admin_play() RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'waiting', count(*) FILTER (WHERE state = 'waiting'),
        'playing', count(*) FILTER (WHERE state = 'playing'),
        'people', coalesce(sum(people_n), 0),
        'games_day', coalesce((SELECT max(id) FROM games), 0) + 1
            - game_at((extract(epoch FROM now() - interval '24 hours') * 1000)::bigint))
    FROM tables WHERE state IN ('waiting', 'playing') AND NOT asleep
$$;

COMMENT ON FUNCTION admin_play IS
'Live tables that do not sleep, the players at them, and roughly how many games ended within the last 24
hours.
Called by do_admin_status.';
