CREATE OR REPLACE FUNCTION do_open_table(p_player bigint, p_variant text, p_params text, p_options jsonb,
                                         p_seats integer, p_visibility text, p_bots integer,
                                         p_bot_level integer, p_idem_key text, p_body_hash bytea,
                                         p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text,
                                         p_codes text[], p_stake bigint, p_point_value integer,
                                         p_watch_delay_ms integer, p_bot_accounts boolean,
                                         p_turn_hours integer DEFAULT NULL,
                                         p_club bigint DEFAULT NULL)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
    v_player players;
    v_table  tables;
    v_code   text;
    v_join   text;
    v_bot_accounts boolean := coalesce(p_bot_accounts, p_visibility = 'private');
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'open_table', p_body_hash);
    IF v_answer IS NULL THEN
        IF p_visibility = 'private' THEN
            SELECT c INTO v_join FROM unnest(p_codes) WITH ORDINALITY AS u (c, n)
            WHERE NOT EXISTS (SELECT 1 FROM tables t WHERE t.code = c AND t.state IN ('waiting', 'playing'))
            ORDER BY n LIMIT 1;
        END IF;
        PERFORM 1 FROM clubs WHERE id = p_club FOR KEY SHARE;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN p_turn_hours NOT BETWEEN setting_int('turn_hours_min')
                                             AND setting_int('turn_hours_max')
                       THEN 'turn_hours_range'
                       WHEN p_club IS NOT NULL AND NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club)
                       THEN 'no_such_club'
                       WHEN NOT club_admits(p_club, p_player) THEN 'not_club_member'
                       WHEN seat_limit_reached(p_player, p_turn_hours IS NOT NULL) THEN 'too_many_tables'
                       WHEN p_visibility = 'private' AND v_join IS NULL THEN 'busy'
                       WHEN v_bot_accounts AND p_visibility = 'public' AND p_stake + p_point_value > 0
                       THEN 'stake_bots'
                       ELSE stake_refusal(p_player, p_variant, p_visibility, p_bots, p_stake, p_point_value,
                                          true) END;
        IF v_code IS NULL THEN
            INSERT INTO tables (variant, params, options, seats_n, stake, point_value, reward,
                                multiplier_tenths, practice, node,
                                server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept,
                                bot_level, code, watch_delay_ms, bot_accounts, turn_hours, club_id)
            VALUES (p_variant, p_params, p_options, p_seats,
                    CASE WHEN p_point_value > 0 THEN p_point_value * setting_int('point_value_hold')
                         ELSE p_stake END,
                    p_point_value, 0, 0, p_visibility = 'private' OR v_bot_accounts,
                    place_node(p_node),
                    p_server_seed, p_commit,
                    now() + make_interval(secs => setting_int(CASE WHEN p_turn_hours IS NULL
                        THEN 'open_table_wait_ms' ELSE 'slow_table_wait_ms' END) / 1000.0),
                    p_visibility, p_player, p_bots, p_bots, p_bot_level, v_join, p_watch_delay_ms,
                    v_bot_accounts, p_turn_hours, p_club)
            RETURNING * INTO v_table;
            v_answer := seat_answer(p_player, v_table, seat_player(p_player, v_table), p_ticket);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'open_table', p_body_hash, v_code, v_answer);
    END IF;
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_open_table IS
'Opens a table with its creator in seat 0. p_bots seats are reserved for bots. p_codes: random codes; the
first that no live table has becomes the code of a private table. p_watch_delay_ms: delay of spectators;
NULL: none are allowed. p_bot_accounts: whether bot accounts may sit there, which makes it a practice table;
NULL: only if it is private. p_turn_hours: per turn; NULL: the variant''s clock. p_club: open to its members
only; NULL: no club.
Key: p_idem_key of the player. repeated: this is the reply to an earlier call.
Refusals: no_such_player, banned, turn_hours_range, no_such_club, not_club_member, too_many_tables,
idempotency_key_reused, busy (each code is another table''s), stake_bots (a stake where bot accounts may
sit), and those of stake_refusal.
Called by api.';
