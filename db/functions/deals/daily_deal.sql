CREATE OR REPLACE FUNCTION daily_deal(p_day date, p_variant text) RETURNS deals
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_deal   deals;
    v_client bytea;
BEGIN
    SELECT d.* INTO v_deal FROM daily_deals n JOIN deals d ON d.id = n.deal_id
    WHERE n.day = p_day AND n.variant = p_variant;
    IF FOUND THEN
        RETURN v_deal;
    END IF;
    PERFORM 1 FROM daily_days WHERE day = p_day FOR NO KEY UPDATE;
    SELECT d.* INTO v_deal FROM daily_deals n JOIN deals d ON d.id = n.deal_id
    WHERE n.day = p_day AND n.variant = p_variant;
    IF FOUND THEN
        RETURN v_deal;
    END IF;
    v_client := daily_client_seed(p_day);
    INSERT INTO deals (variant, params, options, seats_n, bot_level, best_high, seed, client_seed, opens_at)
    SELECT v.variant, coalesce((SELECT string_agg(key || '=' || value, ' ' ORDER BY key COLLATE "C")
                                FROM jsonb_each_text(v.options)), ''),
           v.options, v.seats_n, v.bot_level, v.best_high,
           sha256('rummy-daily-1'::bytea || d.seed || convert_to(v.variant, 'UTF8')), v_client,
           (p_day + 1)::timestamp AT TIME ZONE 'UTC'
    FROM daily_variants v JOIN daily_days d ON d.day = p_day WHERE v.variant = p_variant
    RETURNING * INTO STRICT v_deal;
    INSERT INTO daily_deals (day, variant, deal_id) VALUES (p_day, p_variant, v_deal.id);
    RETURN v_deal;
END $$;

COMMENT ON FUNCTION daily_deal IS
'The deal of a variant on a day, created when the first player starts it. Raises if there is no such day or
variant.
Called by do_daily_play.';
