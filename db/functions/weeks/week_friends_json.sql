CREATE OR REPLACE FUNCTION week_friends_json(p_player bigint, p_week date) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    c_shown CONSTANT integer := 20;
BEGIN
    RETURN (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'player_id', r.id::text, 'nickname', r.nickname, 'avatar', r.avatar, 'place', r.place,
            'games', r.games, 'wins', r.wins) ORDER BY r.n), '[]')
        FROM (SELECT p.id, p.nickname, p.avatar, c.games, c.wins,
                     rank() OVER (ORDER BY c.wins DESC, c.games DESC) AS place,
                     row_number() OVER (ORDER BY c.wins DESC, c.games DESC, p.nickname, p.id) AS n
              FROM week_counts(ARRAY(SELECT f FROM friends_of(p_player) f) || p_player, p_week) c
              JOIN players p ON p.id = c.player_id
              WHERE p.deleted_at IS NULL AND (c.games > 0 OR p.id = p_player)) r
        WHERE r.n <= c_shown OR r.id = p_player);
END $$;

COMMENT ON FUNCTION week_friends_json IS
'A ranking of a player and those of their friends who played in a week, by wins, then by games. Contains the
first 20, and always the player.
Called by q_week.';
