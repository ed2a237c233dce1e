-- Double entry, guarded by the database itself (docs/ledger.md says why it is done this way):
--  * all postings of a transfer come in one INSERT and sum to zero in each currency;
--  * postings and transfers are never changed, deleted or truncated;
--  * balances move only by postings, and those of purses and holds never fall below zero.
-- The triggers are ENABLE ALWAYS: a session that plays replica does not pass them either.

CREATE TABLE causes (
    cause text PRIMARY KEY,
    about text NOT NULL
);

INSERT INTO causes (cause, about) VALUES
    ('welcome',  'chips of a new account'),
    ('stake',    'a stake held when a seat is taken; as a house account: stakes that were lost'),
    ('refund',   'a held stake given back'),
    ('settle',   'a finished game: stakes and reward'),
    ('reward',   'rewards of won games'),
    ('level',    'reward for reaching a level'),
    ('over_cap', 'silver lost because the purse was full'),
    ('grant',    'given or taken by an operator');

-- purse: of a player. hold: of a player at a table. house: where chips of a cause come from and go
-- to; it has no stored balance, so that no row is locked by every game that ends.
CREATE TABLE accounts (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind      text NOT NULL CHECK (kind IN ('purse', 'hold', 'house')),
    currency  text NOT NULL CHECK (currency IN ('silver', 'gold')),
    player_id bigint REFERENCES players (id),
    table_id  bigint REFERENCES tables (id),
    cause     text   REFERENCES causes (cause),
    balance   bigint CHECK (balance >= 0),
    CHECK (CASE kind
           WHEN 'purse' THEN player_id IS NOT NULL AND table_id IS NULL AND cause IS NULL
           WHEN 'hold'  THEN player_id IS NOT NULL AND table_id IS NOT NULL AND cause IS NULL
           ELSE player_id IS NULL AND table_id IS NULL AND cause IS NOT NULL END),
    CHECK ((balance IS NULL) = (kind = 'house'))
);
CREATE UNIQUE INDEX accounts_purse ON accounts (player_id, currency) WHERE kind = 'purse';
CREATE UNIQUE INDEX accounts_hold ON accounts (table_id, player_id, currency) WHERE kind = 'hold';
CREATE UNIQUE INDEX accounts_house ON accounts (cause, currency) WHERE kind = 'house';

INSERT INTO accounts (kind, currency, cause)
SELECT 'house', currency, cause
FROM causes CROSS JOIN (VALUES ('silver'), ('gold')) AS c (currency)
WHERE cause NOT IN ('refund', 'settle')
ORDER BY cause, currency;

-- key: says what this is, once for ever ('settle:table:9'). note: the reason, where one is due.
CREATE TABLE transfers (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cause    text NOT NULL REFERENCES causes (cause),
    key      text NOT NULL UNIQUE CHECK (char_length(key) BETWEEN 1 AND 200),
    table_id bigint REFERENCES tables (id),
    note     text NOT NULL DEFAULT '',
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX transfers_table ON transfers (table_id) WHERE table_id IS NOT NULL;

-- reason: what this line is within its transfer. The guard writes id and balance_after (of a purse or
-- hold): the postings of an account are numbered in the order in which they moved its balance.
CREATE SEQUENCE postings_id;
CREATE TABLE postings (
    id            bigint PRIMARY KEY,
    transfer_id   bigint NOT NULL REFERENCES transfers (id),
    account_id    bigint NOT NULL REFERENCES accounts (id),
    amount        bigint NOT NULL CHECK (amount <> 0 AND abs(amount) <= 1000000000000),
    reason        text   NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 40),
    balance_after bigint CHECK (balance_after >= 0)
);
ALTER SEQUENCE postings_id OWNED BY postings.id;
CREATE INDEX postings_transfer ON postings (transfer_id);
CREATE INDEX postings_account ON postings (account_id, id);

-- Moves the balance of a purse or hold along with each posting. The row lock this takes is what
-- keeps two concurrent transfers from spending the same chips.
CREATE FUNCTION ledger_posting_apply() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts SET balance = balance + NEW.amount
    WHERE id = NEW.account_id AND kind <> 'house'
    RETURNING balance INTO NEW.balance_after;
    IF NOT FOUND THEN
        NEW.balance_after := NULL; -- a house account, or none (the foreign key refuses that)
    END IF;
    NEW.id := nextval('postings_id'); -- not before the lock is held
    RETURN NEW;
END $$;

-- All postings of a transfer come in one statement and sum to zero in each currency.
CREATE FUNCTION ledger_transfer_balanced() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_transfer bigint;
BEGIN
    SELECT p.transfer_id INTO v_transfer
    FROM added p JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency
    HAVING sum(p.amount) <> 0
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    SELECT n.transfer_id INTO v_transfer
    FROM (SELECT transfer_id, count(*) AS added_n FROM added GROUP BY transfer_id) n
    WHERE n.added_n <> (SELECT count(*) FROM postings p WHERE p.transfer_id = n.transfer_id)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % has its postings already', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION ledger_transfer_posted() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM postings WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger: transfer % has no postings', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION ledger_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

-- An account is born empty and changes only in its balance, and that only from within the guard
-- of the postings (depth 1 is a statement of a user, depth 2 one of that trigger).
CREATE FUNCTION ledger_account_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.kind <> 'house' AND NEW.balance IS NULL THEN
            NEW.balance := 0;
        END IF;
        IF NEW.balance <> 0 THEN
            RAISE EXCEPTION 'ledger: an account starts empty' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF pg_trigger_depth() < 2
       OR (NEW.id, NEW.kind, NEW.currency, NEW.player_id, NEW.table_id, NEW.cause)
          IS DISTINCT FROM (OLD.id, OLD.kind, OLD.currency, OLD.player_id, OLD.table_id, OLD.cause) THEN
        RAISE EXCEPTION 'ledger: a balance changes only by a posting' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- At the end of the transaction: the balance is what the last posting left. Catches a change of a
-- balance that came by any way around the guard above.
CREATE FUNCTION ledger_balance_posted() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_balance bigint;
    v_posted  bigint;
BEGIN
    SELECT a.balance, coalesce((SELECT p.balance_after FROM postings p WHERE p.account_id = a.id
                                ORDER BY p.id DESC LIMIT 1), 0)
    INTO v_balance, v_posted
    FROM accounts a WHERE a.id = NEW.id;
    IF v_balance IS NOT NULL AND v_balance <> v_posted THEN
        RAISE EXCEPTION 'ledger: account % has a balance of % without a posting', NEW.id, v_balance
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER posting_apply BEFORE INSERT ON postings
    FOR EACH ROW EXECUTE FUNCTION ledger_posting_apply();
CREATE TRIGGER transfer_balanced AFTER INSERT ON postings
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_transfer_balanced();
CREATE TRIGGER posting_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER transfer_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE CONSTRAINT TRIGGER transfer_posted AFTER INSERT ON transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_posted();
CREATE TRIGGER account_guard BEFORE INSERT OR UPDATE ON accounts
    FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
CREATE CONSTRAINT TRIGGER balance_posted AFTER UPDATE ON accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balance_posted();
CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();

ALTER TABLE postings ENABLE ALWAYS TRIGGER posting_apply;
ALTER TABLE postings ENABLE ALWAYS TRIGGER transfer_balanced;
ALTER TABLE postings ENABLE ALWAYS TRIGGER posting_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER transfer_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER transfer_posted;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_guard;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER balance_posted;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_kept;
