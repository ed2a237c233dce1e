CREATE OR REPLACE FUNCTION deletion_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT jsonb_build_object(
                         'state', 'pending', 'asked_at', rfc3339(d.asked_at), 'due_at', rfc3339(d.due_at),
                         'by_operator', d.key_id IS NOT NULL,
                         'waits_for', to_jsonb(deletion_waits_for(d.player_id)))
                     FROM deletions d WHERE d.player_id = p_player),
                    jsonb_build_object('state', 'none', 'days', setting_int('deletion_days')))
$$;

COMMENT ON FUNCTION deletion_json IS
'Whether and when an account is scheduled for deletion, and what currently delays it.
Called by do_cancel_deletion, do_request_deletion, export_rows_account, q_deletion.';
