-- The three roles and the database of rummyd; docs/operations.md says what each of them is for. Run once, as
-- a superuser or as any role that may make roles and databases:
--
--   psql -d postgres -f db/roles.sql [-v owner=rummyd_owner] [-v server=rummyd] [-v read=rummyd_read]
--                                    [-v database=rummyd]
--
-- What is there already stays as it is. Passwords: `\password ROLE` in psql. What the roles may do inside the
-- database is in db/grants.sql, which `rummyd migrate` applies.
\set ON_ERROR_STOP 1
\if :{?owner} \else \set owner rummyd_owner
\endif
\if :{?server} \else \set server rummyd
\endif
\if :{?read} \else \set read rummyd_read
\endif
\if :{?database} \else \set database rummyd
\endif

SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest(ARRAY[:'owner', :'server', :'read']) name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

-- Only who may act as a role gives it a database; a superuser may always.
SELECT EXISTS (SELECT FROM pg_database WHERE datname = :'database') AS there,
       (SELECT NOT rolsuper FROM pg_roles WHERE rolname = current_user) AS becomes \gset
\if :there
\else
\if :becomes
GRANT :"owner" TO CURRENT_USER;
\endif
CREATE DATABASE :"database" OWNER :"owner";
\if :becomes
REVOKE :"owner" FROM CURRENT_USER;
\endif
\endif
