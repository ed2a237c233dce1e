CREATE OR REPLACE FUNCTION do_daily_play(p_player bigint, p_day date, p_variant text, p_idem_key text,
                                         p_body_hash bytea, p_ticket uuid, p_seed bytea, p_node text)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
    v_player players;
    v_day    daily_days;
    v_deal   deals;
    v_play   deal_plays;
    v_table  tables;
    v_code   text;
    v_today  date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'daily_play', p_body_hash);
    IF v_answer IS NOT NULL THEN
        RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
    END IF;
    SELECT p.* INTO v_play FROM daily_deals n JOIN deal_plays p ON p.deal_id = n.deal_id
    WHERE n.day = p_day AND n.variant = p_variant AND p.player_id = p_player;
    v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                   WHEN NOT EXISTS (SELECT 1 FROM daily_variants WHERE variant = p_variant)
                   THEN 'no_such_daily'
                   WHEN v_play.state = 'playing' AND NOT EXISTS (
                        SELECT 1 FROM seats WHERE table_id = v_play.table_id AND left_at IS NOT NULL)
                   THEN NULL
                   WHEN v_play.state IS NOT NULL THEN 'daily_played'
                   WHEN p_day > v_today THEN 'daily_not_begun'
                   WHEN p_day < v_today THEN 'daily_over'
                   WHEN NOT (SELECT open FROM daily_variants WHERE variant = p_variant) THEN 'no_such_daily'
                   WHEN seat_limit_reached(p_player, false) THEN 'too_many_tables' END;
    IF v_code IS NULL AND v_play.state IS NULL THEN
        PERFORM do_daily_days();
        v_deal := daily_deal(p_day, p_variant);
        SELECT * INTO STRICT v_day FROM daily_days WHERE day = p_day FOR SHARE;
        IF v_day.closed THEN
            v_code := 'daily_over';
        ELSE
            v_table := open_deal_table(p_player, v_deal, p_node);
            INSERT INTO deal_plays (deal_id, player_id, table_id, ranked)
            VALUES (v_deal.id, p_player, v_table.id, (SELECT ranked FROM daily_ranking(p_player)));
            INSERT INTO daily_seeds (day, seed) SELECT p_day, p_seed WHERE p_seed IS NOT NULL;
        END IF;
    ELSIF v_code IS NULL THEN
        SELECT * INTO STRICT v_table FROM tables WHERE id = v_play.table_id;
        v_code := CASE WHEN v_table.state = 'lost' THEN 'table_lost' END;
    END IF;
    IF v_code IS NULL THEN
        v_answer := seat_answer(p_player, v_table, 0::smallint, p_ticket);
    END IF;
    v_answer := idempotent_keep(p_player, p_idem_key, 'daily_play', p_body_hash, v_code, v_answer);
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_daily_play IS
'The player''s table of a daily deal: a new one on the day of the deal, or the one at which they are already
playing it. p_seed: their contribution to the client seed of the next day (NULL: none).
Key: the deal and the player, and p_idem_key of the player. repeated: this is the reply to an earlier call.
Refusals: no_such_player, banned, no_such_daily, daily_not_begun, daily_over, daily_played, too_many_tables,
table_lost, idempotency_key_reused.
Called by api.';
