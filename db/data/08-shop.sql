-- Permitted state transitions of an order. A late payment still buys gold, so failed and expired lead to
-- paid, but not the reverse.
INSERT INTO shop_transitions (from_state, to_state) VALUES
    ('created', 'pending'), ('created', 'failed'), ('created', 'expired'), ('created', 'paid'),
    ('pending', 'failed'), ('pending', 'expired'), ('pending', 'paid'),
    ('failed', 'paid'), ('expired', 'paid'),
    ('paid', 'refunding'), ('paid', 'refunded'), ('paid', 'disputed'), ('paid', 'charged_back'),
    ('refunding', 'paid'), ('refunding', 'refunded'), ('refunding', 'disputed'),
    ('refunding', 'charged_back'),
    ('refunded', 'paid'), ('refunded', 'refunding'), ('refunded', 'disputed'), ('refunded', 'charged_back'),
    ('disputed', 'paid'), ('disputed', 'refunding'), ('disputed', 'refunded'), ('disputed', 'charged_back')
ON CONFLICT DO NOTHING;

-- Packs, and the value of currencies for purchase limits. For a new database only, so that rows that an
-- operator removed do not return.
INSERT INTO shop_packs (id, position, name, gold, price_minor, currency)
SELECT p.*
FROM (VALUES
    ('gold_100',  1, '100 gold',   100,  199, 'eur'),
    ('gold_300',  2, '300 gold',   300,  499, 'eur'),
    ('gold_1000', 3, '1000 gold', 1000, 1499, 'eur')
) AS p
WHERE (SELECT code = '' FROM schema_state);

INSERT INTO limit_currencies (currency, worth)
SELECT c.*
FROM (VALUES ('eur', 1), ('usd', 0.87), ('gbp', 1.14), ('chf', 1.07), ('pln', 0.24), ('czk', 0.041),
             ('huf', 0.0026), ('sek', 0.091), ('jpy', 0.56)) AS c
WHERE (SELECT code = '' FROM schema_state);
