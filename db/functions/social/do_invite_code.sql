CREATE OR REPLACE FUNCTION do_invite_code(p_player bigint) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text;
BEGIN
    LOOP
        SELECT code INTO v_code FROM invite_codes WHERE player_id = p_player;
        EXIT WHEN FOUND;
        INSERT INTO invite_codes (player_id, code)
        VALUES (p_player, upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)))
        ON CONFLICT DO NOTHING;
    END LOOP;
    RETURN v_code;
END $$;

COMMENT ON FUNCTION do_invite_code IS
'The invitation code of a player, created if there is none.
Called by do_invites.';
