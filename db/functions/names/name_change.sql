CREATE OR REPLACE FUNCTION name_change(p_player bigint, p_name jsonb, p_by_operator boolean) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_player players;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    IF v_player.id IS NULL THEN
        RETURN 'no_such_player';
    ELSIF v_player.nickname = p_name->>'nickname' THEN
        RETURN 'ok';
    ELSIF NOT p_by_operator AND name_changes_at(v_player) IS NOT NULL THEN
        RETURN 'name_too_soon';
    END IF;
    BEGIN
        IF v_player.nickname_given THEN
            DELETE FROM name_keys WHERE player_id = p_player AND until IS NULL;
        ELSE
            UPDATE name_keys SET until = now() + name_cooldown() WHERE player_id = p_player AND until IS NULL;
        END IF;
        PERFORM name_take(p_player, p_name);
    EXCEPTION WHEN unique_violation THEN
        RETURN 'name_taken';
    END;
    UPDATE players
    SET nickname_given = false,
        nickname_changed_at = CASE WHEN nickname_given OR p_by_operator THEN nickname_changed_at
                                   ELSE now() END
    WHERE id = p_player;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION name_change IS
'Changes a nickname (name_take). The old name remains reserved for name_change_days, so that no one else can
be mistaken for the player. A generated name does not remain reserved, and replacing it does not count as a
change. An operator may change a name at any time, which does not count either.
Refusals: no_such_player, name_too_soon, name_taken.
Locks: the player, then the keys of the name.
Called by do_admin_rename, do_bot_change, do_change_me, do_enter_upgraded.';
