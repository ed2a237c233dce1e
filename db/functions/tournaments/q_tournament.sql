CREATE OR REPLACE FUNCTION q_tournament(p_player bigint, p_tournament bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    t       tournaments;
    v_entry tournament_entries;
BEGIN
    SELECT * INTO t FROM tournaments o WHERE o.id = p_tournament;
    IF t.id IS NULL THEN
        RETURN QUERY SELECT 'no_such_tournament', NULL::text;
        RETURN;
    END IF;
    SELECT * INTO v_entry FROM tournament_entries e WHERE e.tournament_id = t.id AND e.player_id = p_player;
    RETURN QUERY SELECT 'ok', (tournament_json(t) || jsonb_build_object(
        'own', tournament_entry_json(v_entry),
        'teams', (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.team) FROM tournament_teams(t) r
                  WHERE t.kind = 'teams' AND t.round_over AND t.state IN ('running', 'ended')),
        'pot', t.entry * t.people_n,
        'prizes', tournament_prizes_json(t),
        'draws', coalesce((SELECT jsonb_agg(jsonb_build_object(
                     'draw', d.draw_no, 'round', d.round_no, 'seed', encode(d.seed, 'hex'),
                     'clients', encode(d.clients, 'hex'),
                     'entries_to', d.entries_to, 'repeats', d.repeats,
                     'least', d.least, 'drawn_at', rfc3339(d.drawn_at)) ORDER BY d.draw_no)
                 FROM tournament_draws d WHERE d.tournament_id = t.id), '[]'),
        'deals', coalesce((SELECT jsonb_agg(jsonb_build_object(
                     'round', m.round_no, 'seed', encode(m.seed, 'hex')) ORDER BY m.round_no)
                 FROM tournament_deals m
                 WHERE m.tournament_id = t.id AND deal_is_open(m.deal_id)), '[]')))::text;
END $$;

COMMENT ON FUNCTION q_tournament IS
'A tournament as JSON, with the reader''s own entry, the prizes for the human players who have entered so
far, and the draws; in a duplicate, also the secrets of deals that no one will play again; in a match of two
teams, the results once the round has been counted.
Refusals: no_such_tournament.
Called by api.';

CREATE OR REPLACE FUNCTION q_tournament_standings(p_player bigint, p_tournament bigint, p_place bigint,
                                                  p_after bigint, p_unused bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT CASE WHEN t.id IS NULL THEN 'no_such_tournament' ELSE 'ok' END,
                        jsonb_build_object('tournament_id', t.id::text, 'state', t.state,
                                           'round', t.round_no)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint
    FROM (SELECT p_tournament AS asked) a LEFT JOIN tournaments t ON t.id = a.asked;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'rank', r.rank, 'place', r.place, 'entry', r.entry_no, 'team', r.team,
               'player_id', r.player_id::text,
               'nickname', coalesce(p.nickname, r.bot_name), 'avatar', coalesce(p.avatar, ''),
               'bot', r.player_id IS NULL, 'in', r.out_round IS NULL, 'out_round', r.out_round,
               'score', r.score, 'margin', r.margin, 'wins', r.wins, 'byes', r.byes,
               'percent', CASE WHEN r.duplicate AND r.counted > 0
                               THEN round(round(100 * r.matchpoints / r.counted, 10), 1) END,
               'client_seed', encode(r.client_seed, 'hex'), 'prize_silver', r.prize_silver,
               'prize_gold', r.prize_gold, 'own', r.player_id IS NOT DISTINCT FROM p_player)::text,
           r.rank, r.entry_no::bigint, 0::bigint
    FROM (SELECT e.*, t.duplicate,
                 coalesce(e.out_round, t.round_no - (NOT t.round_over)::integer) AS counted,
                 row_number() OVER (ORDER BY e.place NULLS FIRST,
                        CASE WHEN t.duplicate THEN round(e.matchpoints, 10)
                             WHEN t.kind = 'swiss' THEN e.score
                             WHEN t.kind = 'stages' THEN e.margin ELSE e.wins END DESC,
                        CASE WHEN t.kind = 'swiss' OR t.duplicate THEN e.margin ELSE e.score END DESC,
                        e.entry_no) AS rank
          FROM tournaments t JOIN tournament_entries e ON e.tournament_id = t.id
          WHERE t.id = p_tournament) r
    LEFT JOIN players p ON p.id = r.player_id
    WHERE r.rank > coalesce(p_place, 0)
    ORDER BY r.rank LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_tournament_standings IS
'A page of the entrants of a tournament after a rank: remaining ones by standing, then eliminated ones by
place. percent: in a duplicate, the mean of all counted rounds. The first row is the head. The seeds of
entrants are the inputs of tournament_clients; they reveal nothing, because only the server has the secret
of the draws.
Refusals: no_such_tournament.
Called by api.';

CREATE OR REPLACE FUNCTION q_tournament_tables(p_player bigint, p_tournament bigint, p_round bigint,
                                               p_table bigint, p_unused bigint, p_unused_too bigint,
                                               p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_deal bigint  := (SELECT deal_id FROM tournament_deals
                       WHERE tournament_id = p_tournament AND round_no = p_round);
    v_told boolean := deal_is_open(v_deal);
BEGIN
    RETURN QUERY SELECT CASE WHEN t.id IS NULL OR p_player IS NULL THEN 'no_such_tournament' ELSE 'ok' END,
                        jsonb_build_object('tournament_id', t.id::text, 'round', p_round)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint
    FROM (SELECT p_tournament AS asked) a LEFT JOIN tournaments t ON t.id = a.asked;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'table', k.table_no, 'draw', k.draw_no, 'table_id', k.table_id::text,
               'over', k.over_at IS NOT NULL, 'by_lot', k.by_lot,
               'watch', k.table_id IS NOT NULL AND k.over_at IS NULL AND v_deal IS NULL,
               'game_id', CASE WHEN v_told THEN (SELECT max(g.id)::text FROM games g
                                                 WHERE g.table_id = k.table_id) END,
               'seats', (SELECT jsonb_agg(jsonb_build_object(
                             'seat', s.seat, 'entry', s.entry_no, 'team', e.team,
                             'player_id', e.player_id::text,
                             'nickname', coalesce(p.nickname, e.bot_name), 'bot', e.player_id IS NULL,
                             'lot', encode(s.lot, 'hex'), 'place', CASE WHEN v_told THEN s.place END,
                             'points', CASE WHEN v_told THEN s.points END,
                             'score', CASE WHEN v_told THEN s.score END,
                             'margin', CASE WHEN v_told THEN s.margin END,
                             'percent', CASE WHEN v_told AND v_deal IS NOT NULL
                                             THEN round(100 * tournament_beaten(s.beaten, s.compared), 1) END,
                             'advanced', CASE WHEN e.out_round IS NULL OR e.out_round > k.round_no THEN true
                                              ELSE false END) ORDER BY s.seat)
                         FROM tournament_seats s
                         JOIN tournament_entries e ON e.tournament_id = s.tournament_id
                                                  AND e.entry_no = s.entry_no
                         LEFT JOIN players p ON p.id = e.player_id
                         WHERE s.tournament_id = k.tournament_id AND s.round_no = k.round_no
                           AND s.table_no = k.table_no))::text,
           k.table_no::bigint, 0::bigint, 0::bigint
    FROM tournament_tables k
    WHERE k.tournament_id = p_tournament AND k.round_no = p_round AND k.table_no > coalesce(p_table, 0)
    ORDER BY k.table_no LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_tournament_tables IS
'A page of the tables of a round after a given one, with players and results; in a duplicate, results appear
once all tables have ended. The first row is the head.
Refusals: no_such_tournament.
Called by api.';

CREATE OR REPLACE FUNCTION q_tournament_seat(p_player bigint, p_tournament bigint, p_round bigint,
                                             p_seat bigint, p_rank bigint, p_unused bigint,
                                             p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    t      tournaments;
    v_deal bigint := (SELECT deal_id FROM tournament_deals
                      WHERE tournament_id = p_tournament AND round_no = p_round);
    v_code text;
BEGIN
    SELECT * INTO t FROM tournaments o WHERE o.id = p_tournament;
    v_code := CASE WHEN t.id IS NULL THEN 'no_such_tournament'
                   WHEN NOT t.duplicate THEN 'not_duplicate'
                   WHEN NOT deal_is_open(v_deal) THEN 'deal_not_open' ELSE 'ok' END;
    RETURN QUERY SELECT v_code, jsonb_build_object('tournament_id', t.id::text, 'round', p_round,
                                                   'seat', p_seat)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'table', r.table_no, 'seats', r.seats_n, 'entry', r.entry_no, 'player_id', e.player_id::text,
               'nickname', coalesce(p.nickname, e.bot_name), 'avatar', coalesce(p.avatar, ''),
               'bot', e.player_id IS NULL, 'points', CASE WHEN r.deal_points IS NOT NULL THEN r.points END,
               'score', r.score, 'margin', r.margin,
               'percent', round(100 * tournament_beaten(r.beaten, r.compared), 1),
               'game_id', (SELECT max(g.id)::text FROM games g WHERE g.table_id = r.table_id),
               'own', e.player_id IS NOT DISTINCT FROM p_player)::text,
           r.rank, 0::bigint, 0::bigint
    FROM (SELECT s.*, k.seats_n, k.table_id,
                 row_number() OVER (ORDER BY k.seats_n DESC, s.deal_points DESC NULLS LAST,
                                             s.table_no) AS rank
          FROM tournament_seats s
          JOIN tournament_tables k ON k.tournament_id = s.tournament_id AND k.round_no = s.round_no
                                  AND k.table_no = s.table_no
          WHERE v_code = 'ok' AND s.tournament_id = p_tournament AND s.round_no = p_round
            AND s.seat = p_seat) r
    JOIN tournament_entries e ON e.tournament_id = r.tournament_id AND e.entry_no = r.entry_no
    LEFT JOIN players p ON p.id = e.player_id
    WHERE r.rank > coalesce(p_rank, 0)
    ORDER BY r.rank LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_tournament_seat IS
'A page, after a rank, of the results of all entrants who sat in the same seat of a duplicate round and had
the same cards: those at larger tables first, then the best first. The first row is the head. points NULL:
there is no result.
Refusals: no_such_tournament, not_duplicate, deal_not_open (not all tables are over).
Called by api.';

CREATE OR REPLACE FUNCTION q_tournaments(p_player bigint, p_before bigint, p_limit bigint, p_state text,
                                         p_kind text, p_variant text)
    RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT t.id, (tournament_json(t) || jsonb_build_object('entered', EXISTS (
               SELECT 1 FROM tournament_entries e WHERE e.tournament_id = t.id
                                                      AND e.player_id = p_player)))::text
    FROM tournaments t
    WHERE t.id < p_before
      AND (p_state IS NULL OR t.state = p_state OR p_state = 'cancelled' AND t.state = 'cancelling')
      AND (p_kind IS NULL OR t.kind = p_kind) AND (p_variant IS NULL OR t.variant = p_variant)
    ORDER BY t.id DESC LIMIT p_limit
$$;

COMMENT ON FUNCTION q_tournaments IS
'Tournaments as JSON, newest first: in one state, of one kind, of one variant.
Called by api.';
