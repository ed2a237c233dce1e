-- The three roles and the database of rummyd; docs/operations.md explains their purposes. Run once, as
-- a superuser or as any role that can create roles and databases:
--
--   psql -d postgres -f db/roles.sql [-v owner=rummyd_owner] [-v server=rummyd] [-v read=rummyd_read]
--                                    [-v database=rummyd]
--
-- Existing roles and databases are kept. Set passwords with `\password ROLE` in psql. Privileges inside the
-- database are in db/grants.sql, which `rummyd migrate` applies.
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

-- Only a member of a role can give it a database; a superuser always can.
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
