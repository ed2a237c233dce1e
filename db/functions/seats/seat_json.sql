CREATE OR REPLACE FUNCTION seat_json(p_table bigint, p_seat smallint, p_ticket uuid, p_expires timestamptz,
                                     p_commit bytea, p_join_code text)
    RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('code', 'ok', 'table_id', p_table, 'seat', p_seat, 'ticket', p_ticket,
                              'expires_at', p_expires, 'commit', p_commit, 'repeated', false,
                              'join_code', p_join_code)
$$;

COMMENT ON FUNCTION seat_json IS
'The reply that leads to a seat, with the members of a seat_taken.
Called by seat_answers.';
