CREATE OR REPLACE FUNCTION settle_seats(p_tables bigint[], p_codes text[], p_results jsonb[],
                                        p_same bigint[])
    RETURNS settled_seat[]
    LANGUAGE plpgsql AS $$
DECLARE
    v       settle_numbers := settle_numbers();
    v_seats settled_seat[];
    v_wrong bigint;
    v_twice boolean;
BEGIN
    WITH result AS (
        SELECT u.n, u.id AS table_id, t.seats_n, s.seat IS NULL AS unknown, s.seat, s.player_id, s.nickname,
               s.avatar, s.stake_silver, s.stake_gold, r.place, coalesce(r.total, r.points) AS points,
               r.opened, r.cards_left, coalesce(r.won, r.place = 1 AND g.ending = 'out') AS won, r.rummy,
               r."left", r.turns, r.own_turns, s.player_id IS NOT NULL
                   AND took_part(r."left", r.turns, r.own_turns, v.part_percent) AS acted,
               coalesce(s.player_id = ANY (p_same), false) AS same_people,
               g.id AS game_id, g.variant, g.rated, g.bots_rated, g.practice,
               g.multiplier_tenths,
               m.position AS room_position, k.own_points,
               CASE WHEN h.results = u.results THEN r.facts
                    ELSE (SELECT x.facts FROM jsonb_to_recordset(h.results) x (seat smallint, facts jsonb)
                          WHERE x.seat = r.seat) END AS facts,
               decode(coalesce(k.seeds[s.seat + 1], ''), 'hex') AS client_seed,
               CASE WHEN k.own_points
                    THEN game_points(pp.points, r.opened, r.cards_left, v.points_max, v.opened, v.discarded)
                    ELSE variant_points(r.place, t.seats_n, v.variant_most, v.variant_span) END AS full_points
        FROM unnest(p_tables, p_codes, p_results) WITH ORDINALITY u (id, code, results, n)
        JOIN tables t ON t.id = u.id AND t.id = ANY (p_tables)
        JOIN games g ON g.table_id = t.id AND g.table_id = ANY (p_tables)
        JOIN hands h ON h.table_id = t.id AND h.hand_no = g.hand_no AND h.table_id = ANY (p_tables)
        LEFT JOIN rooms m ON m.id = t.room_id AND m.variant = 'rummy51'
        CROSS JOIN LATERAL (SELECT unpack_seeds(h.client_seeds) AS seeds,
                                   EXISTS (SELECT FROM place_points WHERE variant = g.variant) AS own_points
                            OFFSET 0) k
        CROSS JOIN LATERAL jsonb_to_recordset(u.results) AS r (
            seat smallint, place smallint, points integer, total integer, opened boolean, cards_left smallint,
            won boolean, rummy boolean, "left" boolean, turns integer, own_turns integer, facts jsonb)
        LEFT JOIN seats s ON s.table_id = t.id AND s.seat = r.seat
        LEFT JOIN place_points pp ON pp.variant = g.variant AND pp.place = r.place
        WHERE u.code = 'ok'
    ), played AS (
        -- A seat that never got a turn took part if another player did.
        SELECT r.*, player_id IS NULL OR acted
                   OR NOT "left" AND turns = 0 AND bool_or(acted) OVER (PARTITION BY n) AS took_part
        FROM result r
    ), scored AS (
        SELECT r.*, count(*) OVER (PARTITION BY r.n) AS results_n, p.level AS level_before,
               v.level_from[p.level] + p.level_points AS points_before,
               CASE WHEN r.took_part THEN r.full_points ELSE 0 END AS game_points,
               CASE WHEN r.own_points AND NOT r.practice AND r.player_id IS NOT NULL AND r.took_part
                         AND NOT r.same_people
                    THEN clover_of(r.full_points, r.rummy, v.rummy, r.multiplier_tenths) END AS clover
        FROM played r LEFT JOIN players p ON p.id = r.player_id
    ), climbed AS (
        SELECT s.*, CASE WHEN clover IS NULL THEN level_before
                         ELSE width_bucket(points_before + clover, v.level_from) END AS level
        FROM scored s
    )
    SELECT array_agg(ROW(table_id, game_id, seat, player_id, nickname, avatar, client_seed, place, points,
                         opened, cards_left, won, rummy, "left",
                         CASE WHEN practice THEN '{}' ELSE coalesce(facts, '{}') END, variant, room_position,
                         rated AND NOT same_people, practice, game_points, clover, level,
                         points_before + coalesce(clover, 0) - v.level_from[level],
                         level - level_before, v.level_gold[level] - v.level_gold[level_before],
                         v.level_title[level], v.level_cap[level], stake_silver, stake_gold,
                         bots_rated, turns, own_turns, took_part,
                         same_people)::settled_seat
                     ORDER BY n, seat),
           min(table_id) FILTER (WHERE unknown OR results_n <> seats_n),
           count(DISTINCT player_id) <> count(player_id)
    INTO v_seats, v_wrong, v_twice
    FROM climbed;
    IF v_wrong IS NOT NULL THEN
        RAISE EXCEPTION 'results of table % do not name each of its seats', v_wrong;
    ELSIF v_twice THEN
        RAISE EXCEPTION 'a player sits at two of the tables %', p_tables;
    END IF;
    RETURN v_seats;
END $$;

COMMENT ON FUNCTION settle_seats IS
'The result of each seat in the stored games of tables with code ok, in the order of the tables: place,
points, Clover points, and the level that these lead to. Writes nothing. A player who did not take part gets
no points, and one who met the others too often today (p_same) gets no Clover points. Facts come from the
results of the game''s last hand, which has already ended if the session ended between hands. Raises if
results do not name each seat of their table once, or if a player sits at two of the tables.
Called by do_settle_batch.';
