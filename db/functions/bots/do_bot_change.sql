CREATE OR REPLACE FUNCTION do_bot_change(p_owner bigint, p_bot bigint, p_name jsonb, p_avatar text)
    RETURNS TABLE (code text, body text, nickname_changes_at bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_bot  bigint := bot_of(p_owner, p_bot);
    v_code text   := CASE WHEN v_bot IS NULL THEN 'no_such_bot' ELSE 'ok' END;
BEGIN
    IF v_code = 'ok' AND p_name IS NOT NULL THEN
        v_code := name_change(v_bot, p_name, false);
    END IF;
    IF v_code = 'ok' THEN
        UPDATE players SET avatar = coalesce(p_avatar, avatar) WHERE id = v_bot;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'ok' THEN bot_json(v_bot)::text END,
                        (SELECT (extract(epoch FROM name_changes_at(p)) * 1000)::bigint FROM players p
                         WHERE p.id = v_bot AND v_code = 'name_too_soon');
END $$;

COMMENT ON FUNCTION do_bot_change IS
'Changes the nickname (p_name, see name_take) and avatar of a bot; NULL leaves one unchanged.
Refusals: no_such_bot (also: another player''s), name_too_soon, name_taken; then neither is changed.
Called by api.';
