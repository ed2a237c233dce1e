CREATE OR REPLACE FUNCTION inviter_of(p_code text) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT player_id FROM invite_codes WHERE code = upper(p_code COLLATE "C")
$$;

COMMENT ON FUNCTION inviter_of IS
'Owner of an invitation code; NULL: no player has it.
Called by do_accept_invite, do_enter_registered, do_enter_upgraded, q_invite_link.';
