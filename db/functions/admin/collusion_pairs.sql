CREATE OR REPLACE FUNCTION collusion_pairs(p_since timestamptz, p_sort text) RETURNS jsonb
    LANGUAGE sql STABLE
    SET enable_nestloop = off AS $$
    WITH limits AS (
        SELECT setting_int('collusion_games_min') AS games, setting_int('collusion_chances_min') AS chances
    ), seated AS (
        SELECT p.game_id, p.seat, p.player_id, p.won, p.silver + p.gold - g.stake AS chips, p.facts,
               p.same_people, g.variant, count(*) OVER (PARTITION BY p.game_id) AS seats_n
        FROM games g JOIN game_players p ON p.game_id = g.id
        WHERE g.ended_at > p_since AND g.people_n > 1 AND NOT g.practice
    ), alone AS (
        SELECT player_id, count(*) AS games_n FROM seated WHERE player_id IS NOT NULL GROUP BY player_id
    ), met AS (
        SELECT a.player_id AS low, b.player_id AS high, count(*) AS games_n,
               count(*) FILTER (WHERE a.won) AS low_wins, count(*) FILTER (WHERE b.won) AS high_wins,
               sum(a.chips) AS low_chips, sum(b.chips) AS high_chips,
               count(*) FILTER (WHERE a.same_people OR b.same_people) AS beyond_n
        FROM seated a JOIN seated b ON b.game_id = a.game_id AND b.player_id > a.player_id
        GROUP BY a.player_id, b.player_id HAVING count(*) >= (SELECT games FROM limits)
    ), thrown AS ( -- one row per seat and the seat that drew after it
        SELECT s.game_id, s.variant, s.seats_n, s.player_id AS thrower, o.player_id AS taker,
               (t.n->>0)::numeric AS chances, (t.n->>1)::numeric AS taken
        FROM seated s CROSS JOIN LATERAL jsonb_each(s.facts->'throws') AS t (seat, n)
        JOIN seated o ON o.game_id = s.game_id AND o.seat = t.seat::smallint
    ), fed AS ( -- both directions of each pair, by variant and number of seats
        SELECT thrower, taker, variant, seats_n, sum(chances) AS chances, sum(taken) AS taken
        FROM thrown JOIN met ON low = least(thrower, taker) AND high = greatest(thrower, taker)
        GROUP BY thrower, taker, variant, seats_n
    ), given AS (
        SELECT thrower, variant, seats_n, sum(chances) AS chances, sum(taken) AS taken
        FROM thrown GROUP BY thrower, variant, seats_n
    ), gotten AS (
        SELECT taker, variant, seats_n, sum(chances) AS chances, sum(taken) AS taken
        FROM thrown GROUP BY taker, variant, seats_n
    ), yardstick AS (
        SELECT f.*, y.kind, y.n, y.m
        FROM fed f JOIN given g USING (thrower, variant, seats_n)
        JOIN gotten t USING (taker, variant, seats_n)
        LEFT JOIN throw_rates r USING (variant, seats_n)
        CROSS JOIN LATERAL (
            VALUES ('bots', coalesce(r.chances, 0)::numeric, coalesce(r.taken, 0)::numeric),
                   ('to_others', g.chances - f.chances, g.taken - f.taken),
                   ('from_others', t.chances - f.chances, t.taken - f.taken)) AS y (kind, n, m)
    ), measured AS ( -- Mantel and Haenszel: discards taken beyond the common rate, and the variance of that
        SELECT thrower, taker, kind, sum(n) AS chances, sum(m) AS taken,
               sum(taken - chances * (taken + m) / (chances + n)) FILTER (WHERE n > 0) AS more,
               sum(chances * n * (taken + m) * (chances + n - taken - m)
                   / ((chances + n) ^ 2 * (chances + n - 1))) FILTER (WHERE n > 0) AS variance,
               sum(chances) FILTER (WHERE n > 0) AS compared
        FROM yardstick GROUP BY thrower, taker, kind
    ), compared AS (
        SELECT *, CASE WHEN variance > 0 AND least(chances, compared) >= (SELECT chances FROM limits)
                       THEN round(more / sqrt(variance), 1) END AS excess
        FROM measured
    ), directed AS (
        SELECT thrower, taker, min(excess) AS excess,
               jsonb_object_agg(kind, CASE kind WHEN 'bots' THEN '{}' ELSE jsonb_build_object(
                   'chances', chances, 'taken', taken) END || jsonb_build_object(
                   'taken_percent', round(100 * taken / nullif(chances, 0), 1), 'excess', excess)) AS against
        FROM compared GROUP BY thrower, taker
    ), told AS (
        SELECT m.*, l.games_n AS low_games, h.games_n AS high_games, x.excess,
               100 * m.games_n / least(l.games_n, h.games_n) AS share,
               row_number() OVER (ORDER BY CASE p_sort WHEN 'throws' THEN x.excess
                                                       WHEN 'meetings' THEN m.beyond_n
                                                       WHEN 'invites' THEN
                                                           (i.invited_id IS NOT NULL)::integer
                                                       END DESC NULLS LAST,
                                           100 * m.games_n / least(l.games_n, h.games_n) DESC, m.games_n DESC,
                                           m.low, m.high) AS rank
        FROM met m JOIN alone l ON l.player_id = m.low JOIN alone h ON h.player_id = m.high
        LEFT JOIN (SELECT least(thrower, taker) AS low, greatest(thrower, taker) AS high,
                          max(excess) AS excess
                   FROM directed GROUP BY 1, 2) x ON x.low = m.low AND x.high = m.high
        LEFT JOIN invites i ON least(i.invited_id, i.inviter_id) = m.low
                               AND greatest(i.invited_id, i.inviter_id) = m.high
        ORDER BY rank LIMIT 50
    ), shown AS MATERIALIZED ( -- the games in which the pair took most beyond the bots' rate
        SELECT x.*, row_number() OVER (PARTITION BY low, high
                                       ORDER BY more DESC, taken DESC, game_id DESC) AS nth
        FROM (SELECT low, high, game_id, sum(chances) AS chances, sum(taken) AS taken,
                     sum(taken - chances * coalesce(r.share, 0)) AS more
              FROM thrown JOIN told ON low = least(thrower, taker) AND high = greatest(thrower, taker)
              LEFT JOIN (SELECT variant, seats_n, taken::numeric / chances AS share FROM throw_rates) r
                   USING (variant, seats_n)
              GROUP BY low, high, game_id HAVING sum(taken) > 0) x
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'games', games_n, 'share_percent', share, 'excess', excess,
        'meetings', jsonb_build_object(
            'today', coalesce((SELECT t.games FROM meetings t
                               WHERE t.low_id = low AND t.high_id = high AND t.day = local_day(now())), 0),
            'per_day_max', setting_int('same_players_games_per_day'), 'beyond', beyond_n),
        'invitations', collusion_invitations(low, low_games, high, high_games, games_n),
        'shared_device', EXISTS (SELECT 1 FROM known_devices a JOIN known_devices b USING (token_hash)
                                 WHERE a.player_id = low AND b.player_id = high),
        'shared_address', EXISTS (SELECT 1 FROM account_origins a JOIN account_origins b USING (address_hash)
                                  WHERE a.player_id = low AND b.player_id = high),
        'separated', EXISTS (SELECT 1 FROM separations s WHERE s.low_id = low AND s.high_id = high),
        'players', jsonb_build_array(
            jsonb_build_object('id', low::text, 'games', low_games, 'wins', low_wins, 'chips', low_chips),
            jsonb_build_object('id', high::text, 'games', high_games, 'wins', high_wins,
                               'chips', high_chips)),
        'throws', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                              'from', d.thrower::text, 'to', d.taker::text, 'chances', f.chances,
                              'taken', f.taken, 'taken_percent', round(100 * f.taken / f.chances, 1),
                              'excess', d.excess)
                              || d.against ORDER BY d.thrower), '[]')
                   FROM directed d
                   JOIN (SELECT thrower, taker, sum(chances) AS chances, sum(taken) AS taken FROM fed
                         GROUP BY thrower, taker) f USING (thrower, taker)
                   WHERE (d.thrower, d.taker) IN ((low, high), (high, low))),
        'records', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                               'game', s.game_id::text, 'chances', s.chances, 'taken', s.taken,
                               'record', '/v1/admin/games/' || s.game_id || '/record') ORDER BY s.nth), '[]')
                    FROM shown s WHERE s.low = told.low AND s.high = told.high AND s.nth <= 5))
        ORDER BY rank), '[]')
    FROM told
$$;

COMMENT ON FUNCTION collusion_pairs IS
'Fifty pairs of players who keep meeting in games that ended after p_since, as JSON: games with two or more
human players, without practice. p_sort: throws (greatest excess first), share (greatest fraction of games
together first), meetings (most games beyond the daily limit that counts), or invites (pairs of which one
invited the other). meetings: their games together today, how many per day count, and how many exceeded that
in total. share_percent: of the games of the player with fewer games, those with the other player. throws:
for each direction, how often the second took the first''s discards, out of how many draws after a discard
(tables/throws.h), with three baselines for the same variants and numbers of seats: how often strong bots
take (throw_rates), how often others take from the first, and how often the second takes from others.
excess: by how many standard deviations the pair took more than the rate common to it and the baseline
(Mantel and Haenszel), NULL if either has fewer than collusion_chances_min chances; for a direction, the
lowest of its three values; for a pair, the higher of its two directions.
Called by do_admin_collusion.';
