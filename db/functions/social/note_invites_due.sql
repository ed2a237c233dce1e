CREATE OR REPLACE FUNCTION note_invites_due(p_invited bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_invited IS NOT NULL THEN
        INSERT INTO invites_due
        SELECT i.invited_id FROM invites i
        WHERE i.invited_id = ANY (p_invited) AND i.state = 'open'
          AND rated_games(i.invited_id) >= setting_int('invite_games') AND is_proved(i.invited_id)
        ON CONFLICT DO NOTHING;
    ELSE
        INSERT INTO invites_due
        SELECT i.invited_id FROM invites i
        WHERE i.state = 'open'
          AND rated_games(i.invited_id) >= setting_int('invite_games') AND is_proved(i.invited_id)
        ON CONFLICT DO NOTHING;
    END IF;
END $$;

COMMENT ON FUNCTION note_invites_due IS
'Marks the open invitations of some players, or all of them (NULL), as due if the player is confirmed and has
taken part in enough rated games. do_counts_due checks whether they were against enough other players. Uses
two statements, because a common plan for a few players and for all of them would read all players in both
cases.
Called by count_games, invite_address_proved, invite_made, invite_proved, invite_terms_changed.';
