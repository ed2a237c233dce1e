CREATE OR REPLACE FUNCTION note_invites_due(p_invited bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_invited IS NOT NULL THEN
        INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
        WHERE i.invited_id = ANY (p_invited) AND i.state = 'open' AND p.level >= setting_int('invite_level')
        ON CONFLICT DO NOTHING;
    ELSE
        INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
        WHERE i.state = 'open' AND p.level >= setting_int('invite_level')
        ON CONFLICT DO NOTHING;
    END IF;
END $$;

COMMENT ON FUNCTION note_invites_due IS
'Notes as due the open invitations of some players, or all of them (NULL), whose player has reached the level.
Two statements: one plan for a few players and for all of them would read all for each.
Called by invite_level_changed, invite_made, players_level_rose.';
