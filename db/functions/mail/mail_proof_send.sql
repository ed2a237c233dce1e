CREATE OR REPLACE FUNCTION mail_proof_send(p_player bigint, p_kind text, p_address text, p_template text,
                                           p_data jsonb)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_token text := encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex');
    v_ttl_s bigint := CASE p_kind WHEN 'reset' THEN setting_int('mail_reset_s')
                                  WHEN 'undo' THEN setting_int('mail_undo_s')
                                  WHEN 'unlock' THEN setting_int('mail_unlock_s')
                                  ELSE setting_int('mail_verify_s') END;
BEGIN
    DELETE FROM mail_proofs WHERE player_id = p_player AND kind = p_kind AND kind <> 'undo';
    INSERT INTO mail_proofs (token_hash, player_id, kind, address, expires_at)
    VALUES (sha256(convert_to(v_token, 'UTF8')), p_player, p_kind, email_key(p_address),
            now() + make_interval(secs => v_ttl_s));
    PERFORM mail_put(p_player, email_key(p_address), p_template,
                     p_data || jsonb_build_object('token', v_token, 'valid_s', v_ttl_s));
END $$;

COMMENT ON FUNCTION mail_proof_send IS
'Sends a link to p_address that proves that the reader receives email there. It works once, within the
lifetime of its kind. Only the newest link of a kind is valid, except for undo, where each restores a
different address. The token is 244 random bits, of which only the hash is kept here; the queued email
contains it until it has been sent.
Called by do_change_email, do_confirm_email, do_enter_registered, do_enter_upgraded, do_links_due,
do_send_verification, do_undo_email, unlock_send.';
