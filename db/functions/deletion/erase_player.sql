CREATE OR REPLACE FUNCTION erase_player(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_no    bigint := nextval('deletions_no');
    v_email text   := (SELECT email FROM credentials WHERE player_id = p_player);
BEGIN
    -- Credentials, and messages not yet sent to the person; the last email confirms the deletion.
    DELETE FROM mails WHERE player_id = p_player OR address = v_email;
    PERFORM mail_put(p_player, v_email, 'deletion_done', '{}');
    DELETE FROM credentials WHERE player_id = p_player;
    DELETE FROM guest_devices WHERE player_id = p_player;
    DELETE FROM identities WHERE player_id = p_player;
    DELETE FROM identity_flows WHERE player_id = p_player;
    DELETE FROM account_origins WHERE player_id = p_player;
    DELETE FROM withheld_players WHERE player_id = p_player;
    DELETE FROM known_devices WHERE player_id = p_player;
    DELETE FROM passkeys WHERE player_id = p_player;
    DELETE FROM passkey_handles WHERE player_id = p_player;
    DELETE FROM mail_proofs WHERE player_id = p_player;
    DELETE FROM link_requests WHERE email = v_email;
    DELETE FROM login_attempts WHERE account_hash = sha256(convert_to(v_email, 'UTF8'));
    PERFORM sessions_end_of(p_player, NULL);
    PERFORM bots_retire(p_player);
    DELETE FROM bot_tokens WHERE player_id = p_player;
    UPDATE sessions SET app = NULL, system = NULL, network = NULL WHERE player_id = p_player;
    DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE player_id = p_player);
    DELETE FROM push_devices WHERE player_id = p_player;
    DELETE FROM push_settings WHERE player_id = p_player;
    DELETE FROM lobby_players WHERE player_id = p_player;
    DELETE FROM exports WHERE player_id = p_player;
    DELETE FROM tickets WHERE player_id = p_player;
    DELETE FROM idempotency WHERE player_id = p_player;
    -- Relationships and settings.
    DELETE FROM friends WHERE p_player IN (from_id, to_id);
    PERFORM club_pass_on(p_player);
    DELETE FROM player_blocks WHERE p_player IN (player_id, other_id);
    DELETE FROM separations WHERE p_player IN (low_id, high_id);
    DELETE FROM invite_codes WHERE player_id = p_player;
    DELETE FROM invites_due d USING invites i
    WHERE i.invited_id = d.invited_id AND i.state = 'open' AND p_player IN (i.inviter_id, i.invited_id);
    DELETE FROM invites WHERE p_player IN (inviter_id, invited_id) AND state = 'open';
    DELETE FROM counts_due WHERE player_id = p_player;
    DELETE FROM quest_progress WHERE player_id = p_player AND done_at IS NULL;
    DELETE FROM play_limits WHERE player_id = p_player;
    DELETE FROM vacations WHERE player_id = p_player;
    DELETE FROM solo_games WHERE player_id = p_player;
    DELETE FROM puzzle_tries WHERE player_id = p_player;
    DELETE FROM puzzle_players WHERE player_id = p_player;
    DELETE FROM meetings WHERE p_player IN (low_id, high_id);
    -- Reports about them, and by them.
    DELETE FROM player_notes WHERE player_id = p_player;
    UPDATE player_notes SET text = '-' WHERE other_id = p_player;
    UPDATE chip_grants SET note = '-' WHERE player_id = p_player;
    UPDATE reports SET text = '', said = '', note = CASE WHEN note IS NOT NULL THEN '-' END
    WHERE p_player IN (reporter_id, reported_id);
    DELETE FROM board_entries e USING boards b
    WHERE b.id = e.board_id AND b.kind <> 'league' AND e.player_id = p_player;
    PERFORM forfeit_chips(p_player);
    DELETE FROM name_keys WHERE player_id = p_player;
    UPDATE players SET nickname = 'Deleted player ' || v_no, nickname_folded = 'deleted player ' || v_no,
                       nickname_given = true, nickname_changed_at = NULL,
                       avatar = '', deleted_at = now(), role = 'player',
                       chat_muted_until = NULL, email_verified_at = NULL
    WHERE id = p_player;
    UPDATE deletions SET no = v_no, erased_at = now() WHERE player_id = p_player;
    PERFORM webhook_put('player.deleted', jsonb_build_object('player_id', p_player::text));
END $$;

COMMENT ON FUNCTION erase_player IS
'Makes an account anonymous: removes its credentials, relationships, settings, and reports about it, and gives
it a meaningless name. Results and payments remain. Remaining chips are forfeited.
tests/db/test_personal_data.py lists what happens to every column. The caller holds the player''s lock, and
has checked that nothing delays the deletion.
Called by erase_players_step.';
