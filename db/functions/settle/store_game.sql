CREATE OR REPLACE FUNCTION store_game(p_table tables, p_ending text, p_results jsonb, p_record text)
    RETURNS games
    LANGUAGE plpgsql AS $$
DECLARE
    v_game   games;
    v_hand   hands;
    v_stored bigint;
BEGIN
    DELETE FROM hands WHERE table_id = p_table.id AND dealt_at IS NULL;
    IF p_record <> '' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table.id AND ended_at IS NULL;
        IF NOT FOUND THEN
            UPDATE hands h SET record = h.record || p_record
            WHERE h.table_id = p_table.id
              AND h.hand_no = (SELECT max(l.hand_no) FROM hands l WHERE l.table_id = p_table.id);
        END IF;
    END IF;
    SELECT * INTO STRICT v_hand FROM hands WHERE table_id = p_table.id ORDER BY hand_no DESC LIMIT 1;
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths,
                       people_n, rated, practice, ending, moves_n, server_seed, commit, started_at)
    VALUES (p_table.id, v_hand.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min') AND p_table.visibility <> 'private',
            p_table.practice,
            p_ending, (SELECT count(*) FROM journal WHERE table_id = p_table.id), v_hand.server_seed,
            v_hand.commit, p_table.started_at)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar,
           decode(coalesce((unpack_seeds(v_hand.client_seeds))[s.seat + 1], ''), 'hex'), r.place,
           coalesce(r.total, r.points), r.opened,
           r.cards_left, coalesce(r.won, r.place = 1 AND p_ending = 'out'), r.rummy, r."left",
           game_points(p_table.variant, r.place, r.opened, r.cards_left)
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, total integer,
                                             opened boolean,
                                             cards_left smallint, won boolean, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;

COMMENT ON FUNCTION store_game IS
'Stores the game and the bare results, and ends the last hand. p_results: [{"seat", "place", "points",
"total", "opened", "cards_left", "won", "rummy", "left"}, ...]; several may have won. p_record is that of
the last hand, or, when no hand is running, what stands below it; empty: nothing is written. A hand that was
promised and not dealt is forgotten.
Raises when the results do not name each seat of the table once.
Called by do_settle_table.';
