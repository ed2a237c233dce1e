CREATE OR REPLACE FUNCTION tournament_json(p_tournament tournaments) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    t tournaments := p_tournament;
BEGIN
    RETURN jsonb_build_object(
        'id', t.id::text, 'name', t.name, 'kind', t.kind, 'variant', t.variant, 'options', t.options,
        'seats', t.seats_n, 'advance', t.advance_n, 'keep_percent', t.keep_percent, 'rounds', t.rounds_n,
        'entry', t.entry, 'prize_table', t.prize_table, 'entries_min', t.entries_min,
        'entries_max', t.entries_max, 'bots_to', t.bots_to,
        'bot_level', (ARRAY['easy', 'medium', 'strong', 'master'])[t.bot_level],
        'sit_and_go', t.sit_and_go, 'starts_at', rfc3339(t.starts_at), 'late_s', t.late_s,
        'break_s', t.break_s, 'state', CASE t.state WHEN 'cancelling' THEN 'cancelled' ELSE t.state END,
        'reason', t.reason, 'people', t.people_n, 'bots', t.bots_n, 'round', t.round_no,
        'next_at', rfc3339(t.next_at), 'late_until', rfc3339(t.late_until), 'commit', encode(t.commit, 'hex'),
        'duplicate', t.duplicate, 'deal_commit', encode(t.deal_commit, 'hex'),
        'created_at', rfc3339(t.created_at), 'started_at', rfc3339(t.started_at),
        'ended_at', rfc3339(t.ended_at));
END $$;

COMMENT ON FUNCTION tournament_json IS
'The public data of a tournament, as JSON.
Called by admin_tournament_json, do_admin_cancel_tournament, do_admin_tournament, do_admin_tournaments,
q_tournament, q_tournaments.';
