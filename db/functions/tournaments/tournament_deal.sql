CREATE OR REPLACE FUNCTION tournament_deal(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    t      tournaments := p_tournament;
    v_link bytea := tournament_deal_link((SELECT seed FROM tournament_secrets WHERE tournament_id = t.id),
                                         t.draws_max - t.round_no);
    v_deal bigint;
BEGIN
    INSERT INTO deals (variant, params, options, seats_n, bot_level, best_high, seed, client_seed, opens_at,
                       number)
    VALUES (t.variant, t.params, t.options, t.seats_n, t.bot_level, deal_best_high(t.variant),
            sha256('rummy-tournament-deal-1'::bytea || v_link || t.clients || int8send(t.id)
                   || int4send(t.round_no)),
            t.clients, 'infinity', t.id)
    RETURNING id INTO STRICT v_deal;
    INSERT INTO tournament_deals (tournament_id, round_no, deal_id, seed)
    VALUES (t.id, t.round_no, v_deal, v_link);
END $$;

COMMENT ON FUNCTION tournament_deal IS
'Creates the deal of a duplicate round. No one can choose it, because its link was committed to when the
tournament was announced, clients is derived from all entrants'' seeds, and its number is that of the
tournament.
Key: the round; the caller has locked the tournament and drawn the round.
Called by tournament_draw.';

CREATE OR REPLACE FUNCTION tournament_deals_open(p_tournament bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE deals d SET opens_at = now()
    FROM tournament_deals k
    WHERE k.tournament_id = p_tournament AND d.id = k.deal_id AND d.opens_at = 'infinity';
END $$;

COMMENT ON FUNCTION tournament_deals_open IS
'Makes the cards of a tournament''s deals public from now on, because no one will play them again.
Called by tournament_refund, tournament_round_end.';
