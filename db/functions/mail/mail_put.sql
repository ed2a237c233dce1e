CREATE OR REPLACE FUNCTION mail_put(p_player bigint, p_address text, p_template text, p_data jsonb)
    RETURNS bigint
    LANGUAGE sql AS $$
    INSERT INTO mails (player_id, address, template, data)
    SELECT p_player, address, p_template, p_data
    FROM coalesce(p_address, (SELECT email FROM credentials WHERE player_id = p_player)) AS address
    WHERE address IS NOT NULL
    RETURNING id
$$;

COMMENT ON FUNCTION mail_put IS
'Queues an email to a player, to be sent once the caller''s transaction has committed. p_address NULL: to
the address of their account; a guest has none, so nothing is queued and the result is NULL. p_template: a
file of mail/templates. p_data: texts or numbers, named like the template''s placeholders; {{nickname}} and
{{site}} are filled automatically.
Called everywhere.';
