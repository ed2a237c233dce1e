CREATE OR REPLACE FUNCTION do_admin_tournament(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                               p_name text, p_kind text, p_variant text, p_params text,
                                               p_options jsonb, p_seats bigint, p_advance bigint,
                                               p_keep bigint, p_rounds bigint, p_entry bigint,
                                               p_prize_table text, p_entries_min bigint,
                                               p_entries_max bigint, p_bots_to bigint, p_bot_level bigint,
                                               p_starts_ms bigint, p_late_s bigint, p_wait_s bigint,
                                               p_break_s bigint, p_seed bytea, p_duplicate boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'make_tournament', jsonb_build_object(
        'name', p_name, 'kind', p_kind, 'variant', p_variant, 'seats', p_seats, 'entry', p_entry,
        'prize_table', p_prize_table, 'duplicate', coalesce(p_duplicate, p_kind = 'teams')), p_idem_key,
        p_body_hash);
    v_prizes text := CASE WHEN p_kind <> 'teams' THEN coalesce(p_prize_table, 'standard') END;
    v_starts timestamptz := to_timestamp(p_starts_ms / 1000.0);
    v_max  integer := p_entries_max;
    v_teams boolean := p_kind = 'teams';
    v_duplicate boolean := coalesce(p_duplicate, p_kind = 'teams');
    v_code text;
    v_new  tournaments;
    v_chain CONSTANT integer := 64;
BEGIN
    IF v_call.answer IS NULL THEN
        LOCK TABLE tournaments IN SHARE ROW EXCLUSIVE MODE;
        v_code := CASE
            WHEN NOT EXISTS (SELECT 1 FROM prize_tables
                             WHERE id = coalesce(p_prize_table, 'standard')) THEN 'no_such_prize_table'
            WHEN (SELECT count(*) FROM tournaments WHERE state IN ('open', 'running', 'cancelling'))
                 >= setting_int('tournaments_max') THEN 'too_many_tournaments'
            WHEN (p_kind = 'knockout') < (p_advance IS NOT NULL) OR (p_kind = 'stages') < (p_keep IS NOT NULL)
              OR (p_kind = 'swiss') < (p_rounds IS NOT NULL) OR p_advance >= p_seats THEN 'tournament_kind'
            WHEN v_teams AND (NOT v_duplicate OR p_seats NOT IN (2, 4) OR v_max <> 2 * p_seats
                 OR p_bots_to NOT IN (0, v_max) OR p_bots_to = 0 AND p_entries_min < v_max OR p_late_s > 0
                 OR p_prize_table IS NOT NULL OR deal_best_high(p_variant) IS NULL) THEN 'tournament_teams'
            WHEN v_duplicate AND (p_kind = 'knockout' OR p_late_s > 0 OR deal_best_high(p_variant) IS NULL)
            THEN 'tournament_duplicate'
            WHEN p_entries_min > v_max OR p_bots_to > v_max
              OR v_starts IS NULL AND (v_max NOT IN (4, 8, 16) OR p_late_s > 0) THEN 'tournament_size'
            WHEN v_starts < now() OR v_starts > now() + interval '366 days' THEN 'tournament_time'
            WHEN v_duplicate AND p_entry > 0 AND NOT setting_on('duplicate_prizes')
            THEN 'duplicate_prizes_off'
            ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO tournaments (name, kind, variant, params, options, seats_n, advance_n, keep_percent,
                                     rounds_n, entry, prize_table, entries_min, entries_max, bots_to,
                                     bot_level, sit_and_go, starts_at, late_s, wait_s, break_s, draws_max,
                                     commit, duplicate, deal_commit)
            VALUES (p_name, p_kind, p_variant, p_params, p_options, p_seats,
                    CASE WHEN p_kind = 'knockout' THEN coalesce(p_advance, 1) END,
                    CASE WHEN p_kind = 'stages' THEN coalesce(p_keep, 50) END,
                    CASE WHEN p_kind = 'swiss' THEN coalesce(p_rounds, 5) END, p_entry, v_prizes,
                    coalesce(p_entries_min, CASE WHEN p_bots_to > 0 THEN 1
                                                 WHEN v_starts IS NULL OR v_teams THEN v_max ELSE 2 END),
                    v_max, p_bots_to, p_bot_level, v_starts IS NULL, v_starts, p_late_s, p_wait_s, p_break_s,
                    v_chain, tournament_seed(p_seed, v_chain), v_duplicate,
                    CASE WHEN v_duplicate THEN tournament_deal_link(p_seed, v_chain) END)
            RETURNING * INTO v_new;
            INSERT INTO tournament_secrets VALUES (v_new.id, p_seed);
            v_call.detail := v_call.detail || jsonb_build_object('tournament', v_new.id);
            INSERT INTO accounts (kind, currency, tournament_id)
            VALUES ('pot', 'silver', v_new.id), ('pot', 'gold', v_new.id);
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN tournament_json(v_new) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_tournament IS
'Announces a tournament. p_params: the engine''s form of the options. p_seed: 32 random bytes from which all
draws are derived, and all deals of a duplicate; their commitments are published at once. Parameters that do
not apply to a kind are omitted. p_starts_ms NULL: a sit-and-go of 4, 8, or 16. p_duplicate NULL: the kind''s
default.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_prize_table, too_many_tournaments, tournament_kind (a number that this
kind does not have, or everyone at a table advances), tournament_teams, tournament_duplicate, tournament_size,
tournament_time (in the past, or a year ahead), duplicate_prizes_off (a duplicate with an entry fee).
Locks: the table of tournaments, against another such call.
Called by api.';
