CREATE OR REPLACE FUNCTION do_admin_collusion(p_key_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'read:collusion', '{}', NULL, NULL);
    v_since timestamptz := now() - make_interval(days => setting_int('collusion_days')::integer);
BEGIN
    IF v_call.answer IS NULL THEN
        v_call.answer := admin_end(v_call, 'ok', (
            WITH played AS (
                SELECT p.game_id, p.player_id, p.won, p.silver + p.gold - g.stake AS chips
                FROM games g JOIN game_players p ON p.game_id = g.id
                WHERE g.ended_at > v_since AND g.people_n > 1 AND NOT g.practice AND p.player_id IS NOT NULL
            ), alone AS (
                SELECT player_id, count(*) AS games_n FROM played GROUP BY player_id
            ), pairs AS (
                SELECT a.player_id AS low, b.player_id AS high, count(*) AS games_n,
                       count(*) FILTER (WHERE a.won) AS low_wins, count(*) FILTER (WHERE b.won) AS high_wins,
                       sum(a.chips) AS low_chips, sum(b.chips) AS high_chips
                FROM played a JOIN played b ON b.game_id = a.game_id AND b.player_id > a.player_id
                GROUP BY a.player_id, b.player_id HAVING count(*) >= setting_int('collusion_games_min')
            ), told AS (
                SELECT p.*, l.games_n AS low_games, h.games_n AS high_games,
                       100 * p.games_n / least(l.games_n, h.games_n) AS share
                FROM pairs p JOIN alone l ON l.player_id = p.low JOIN alone h ON h.player_id = p.high
                ORDER BY share DESC, p.games_n DESC, p.low, p.high LIMIT 50
            )
            SELECT jsonb_build_object('since', rfc3339(v_since),
                                      'items', coalesce(jsonb_agg(jsonb_build_object(
                'games', games_n, 'share_percent', share,
                'separated', EXISTS (SELECT 1 FROM separations WHERE low_id = low AND high_id = high),
                'players', jsonb_build_array(
                    jsonb_build_object('id', low::text, 'games', low_games, 'wins', low_wins,
                                       'chips', low_chips),
                    jsonb_build_object('id', high::text, 'games', high_games, 'wins', high_wins,
                                       'chips', high_chips)))
                ORDER BY share DESC, games_n DESC, low, high), '[]'))
            FROM told));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_collusion IS
'Pairs of players who keep meeting, as JSON: of games of two people and more, practice left out.
share_percent: of the games of that one of the two who has fewer, those with the other.
Refusals: those of admin_begin.
Called by api.';
