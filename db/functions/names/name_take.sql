CREATE OR REPLACE FUNCTION name_take(p_player bigint, p_name jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_keys text[] := ARRAY(SELECT jsonb_array_elements_text(p_name->'keys') ORDER BY 1);
BEGIN
    DELETE FROM name_keys WHERE key = ANY (v_keys) AND (player_id = p_player OR until <= now());
    INSERT INTO name_keys (key, player_id) SELECT k, p_player FROM unnest(v_keys) k;
    UPDATE players SET nickname = p_name->>'nickname', nickname_folded = p_name->>'folded'
    WHERE id = p_player;
    UPDATE schema_state SET names_by = NULL WHERE names_by <> p_name->>'by';
END $$;

COMMENT ON FUNCTION name_take IS
'Reserves a name for a player. p_name: {nickname, folded, keys, by, given}, as api/names/names.c creates it;
given: the name was generated. Players can take a name that they have or had before. Raises unique_violation
if another player has one of its keys: the caller rolls all of it back.
Locks: its keys in their order, after players.
Called by do_create_named, name_change.';
