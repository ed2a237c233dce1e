CREATE OR REPLACE FUNCTION q_lobby(p_tables_max integer)
    RETURNS TABLE (kind text, id text, people bigint, body text)
    LANGUAGE sql STABLE AS $$
    WITH live AS (
        SELECT room_id, variant, people_n, state = 'playing' AS plays,
               state = 'waiting' AND visibility IN ('room', 'public') AND club_id IS NULL AS waits
        FROM tables WHERE state IN ('waiting', 'playing') AND NOT asleep)
    SELECT * FROM (
        SELECT 'room', r.id, coalesce(t.people, 0)::bigint,
               json_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats', r.seats_n,
                                 'stake', r.stake,
                   'reward', r.reward, 'level_required', l.level_from, 'open', r.open, 'bots', r.bots,
                   'bot_accounts', r.bot_accounts,
                   'people', coalesce(t.people, 0), 'tables', coalesce(t.tables, 0))::text
        FROM rooms r JOIN titles l ON l.name = r.title
        LEFT JOIN (SELECT room_id, count(*) AS tables, sum(people_n) AS people FROM live
                   GROUP BY room_id) t ON t.room_id = r.id
        ORDER BY r.position) rooms
    UNION ALL
    SELECT * FROM (
        SELECT 'game', g.variant, g.playing,
               json_build_object('variant', g.variant, 'playing', g.playing, 'waiting', g.waiting)::text
        FROM (SELECT variant, coalesce(sum(people_n) FILTER (WHERE plays), 0) AS playing,
                     coalesce(sum(people_n) FILTER (WHERE waits), 0) AS waiting
              FROM live GROUP BY variant) g
        WHERE g.playing + g.waiting > 0
        ORDER BY g.variant) games
    UNION ALL
    SELECT * FROM (
        SELECT 'table', t.id::text, NULL::bigint,
               json_build_object('id', t.id::text, 'room', t.room_id, 'variant', t.variant, 'state', t.state,
                   'seats', t.seats_n, 'people', t.people_n, 'bots', t.bots_n, 'stake', t.stake,
                   'options', t.options, 'watch', t.watch_delay_ms IS NOT NULL,
                   'bot_accounts', t.bot_accounts, 'turn_hours', t.turn_hours)::text
        FROM tables t WHERE t.state IN ('waiting', 'playing') AND NOT t.asleep AND t.visibility <> 'private'
          AND t.deal_id IS NULL AND t.club_id IS NULL
        ORDER BY t.state = 'waiting' DESC, t.id DESC LIMIT p_tables_max) tables
$$;

COMMENT ON FUNCTION q_lobby IS
'The lobby''s public state: rooms in order, the games with players, then tables, waiting ones first. A game
counts the players at all of its running tables (including private tables and tables of clubs, tournaments,
and daily deals), and those waiting at tables that anyone may join. body is the JSON that the lobby sends;
it contains only public data. Sleeping tables are not included.
Called by server.';
