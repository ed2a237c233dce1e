CREATE OR REPLACE FUNCTION q_table_link(p_code text, p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN t.id IS NULL THEN 'no_such_table'
                WHEN mine.seated OR club_admits(t.club_id, p_player) THEN 'ok'
                ELSE 'not_club_member' END,
           (jsonb_build_object(
               'state', CASE WHEN t.live THEN t.state ELSE 'over' END,
               'variant', t.variant, 'options', t.options, 'turn_hours', t.turn_hours, 'stake', t.stake,
               'seats', t.seats_n,
               'people', CASE WHEN t.live THEN t.people_n ELSE 0 END,
               'bots', CASE WHEN t.live THEN t.bots_n ELSE 0 END,
               'free', CASE WHEN t.state = 'waiting' THEN t.seats_n - t.people_n ELSE 0 END,
               'host', jsonb_build_object('nickname', h.nickname, 'avatar', h.avatar),
               'players', coalesce((SELECT jsonb_agg(jsonb_build_object('nickname', s.nickname,
                                                                        'avatar', s.avatar) ORDER BY s.seat)
                                    FROM seats s
                                    WHERE s.table_id = t.id AND t.live AND s.player_id IS NOT NULL
                                          AND s.left_at IS NULL), '[]'))
            || CASE WHEN p_player IS NULL THEN '{}'
                    ELSE jsonb_build_object('seated', mine.seated) END)::text
    FROM (SELECT 1) one
    LEFT JOIN (
        SELECT true AS live, id, state, variant, options, turn_hours, stake, seats_n, people_n, bots_n,
               creator_id, club_id
        FROM tables WHERE code = p_code AND state IN ('waiting', 'playing')
        UNION ALL
        SELECT false, id, state, variant, options, turn_hours, stake, seats_n, people_n, bots_n,
               creator_id, club_id
        FROM tables WHERE code = p_code AND state NOT IN ('waiting', 'playing')
            AND coalesce(ended_at, created_at) > now() - interval '7 days'
        ORDER BY live DESC, id DESC LIMIT 1) t ON true
    LEFT JOIN players h ON h.id = t.creator_id
    CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT 1 FROM seats s
                       WHERE s.table_id = t.id AND t.live AND s.player_id = p_player) AS seated) mine
$$;

COMMENT ON FUNCTION q_table_link IS
'Target of a private table''s code, as JSON: who invites, to which game, who has a seat, and the number of
free seats. Anyone who has the link may read it, so it has no ids and nothing about the cards. p_player: the
reader, who also learns whether they have a seat there (`seated`); NULL: a visitor. A table that ended in the
last 7 days is `over`, without its players.
Refusals: no_such_table, not_club_member (the table belongs to a club; visitors are never members).
Called by api, q_page.';
