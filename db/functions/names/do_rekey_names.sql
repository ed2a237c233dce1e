CREATE OR REPLACE FUNCTION do_rekey_names(p_players bigint[], p_names jsonb) RETURNS SETOF bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_row record;
    v_n   bigint;
BEGIN
    PERFORM lock_players(p_players);
    FOR v_row IN SELECT u.id, u.name
                 FROM ROWS FROM (unnest(p_players), jsonb_array_elements(p_names)) u (id, name)
                 JOIN players p ON p.id = u.id AND p.nickname = u.name->>'was' AND p.deleted_at IS NULL
                 ORDER BY u.id LOOP
        DELETE FROM name_keys WHERE player_id = v_row.id AND until IS NULL;
        INSERT INTO name_keys (key, player_id)
        SELECT k, v_row.id FROM jsonb_array_elements_text(v_row.name->'keys') k ORDER BY 1
        ON CONFLICT (key) DO UPDATE SET player_id = excluded.player_id, until = NULL
        WHERE name_keys.player_id = excluded.player_id OR name_keys.until <= now();
        GET DIAGNOSTICS v_n = ROW_COUNT;
        UPDATE players SET nickname_folded = v_row.name->>'folded'
        WHERE id = v_row.id AND nickname_folded <> v_row.name->>'folded';
        IF v_n < jsonb_array_length(v_row.name->'keys') OR v_n = 0 THEN
            RETURN NEXT v_row.id;
        END IF;
    END LOOP;
END $$;

COMMENT ON FUNCTION do_rekey_names IS
'Recomputes the keys of these players'' names, after the similarity tables have changed. p_names: {was,
folded, keys} for each player; a player whose name is no longer `was` is skipped. Returns the players who
now lack a key because another player has it; they keep their names.
Locks: the players, then keys, in the order of players.
Called by api.';
