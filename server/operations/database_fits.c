/* Checks that the database fits the program; see database_fits.h. */
#include "server/operations/database_fits.h"

#include "api/names/name_rekey.h"
#include "base/log.h"
#include "db/grants.h"
#include "db/migrate.h"
#include "server/operations/failure.h"

static bool check_schema(const struct srv_config *config, struct db_conn *conn)
{
    struct db_error err = {0};
    struct db_migrated done;
    const struct db_roles roles = {config->db_server_role, config->db_read_role};
    if (config->dev) {
        if (!db_migrate(conn, &roles, &done, &err)) {
            (void)srv_fail(SRV_EXIT_FAILED, "db: %s", err.text);
            return false;
        }
        if (done.code)
            log_info("migrated", LOG_NUM("migrations", done.migrations));
        return true;
    }
    switch (db_schema_state(conn, &err)) {
    case DB_SCHEMA_OK:
        return true;
    case DB_SCHEMA_BEHIND:
        (void)srv_fail(SRV_EXIT_FAILED,
                       "db: the database is not the one of this program; run `rummyd migrate` first");
        return false;
    case DB_SCHEMA_UNKNOWN:
        break;
    }
    (void)srv_fail(SRV_EXIT_FAILED, "db: %s", err.text);
    return false;
}

/* Name keys computed by a different ICU version may miss confusable names. `rummyd migrate` and --dev
 * recompute them. */
static bool check_names(const struct srv_config *config, struct db_conn *conn)
{
    static struct api_rekeyed names;
    struct db_error err = {0};
    if (config->dev ? !api_names_rekey(conn, &names, &err)
                    : !api_names_current(conn, &err) && err.outcome != DB_OK) {
        (void)srv_fail(SRV_EXIT_FAILED, "names: %s", err.text);
        return false;
    }
    if (!config->dev && !api_names_current(conn, &err))
        log_warn("names_by_another_icu");
    if (names.alike > 0)
        log_warn("names_alike", LOG_NUM("names", names.alike), LOG_NUM("first", names.players[0]));
    return true;
}

/* Only --dev allows a role that could remove the ledger's guards. */
static bool check_role(const struct srv_config *config, struct db_conn *conn)
{
    struct db_error err = {0};
    char excess[SRV_ERROR_MAX / 2];
    if (!db_grants_excess(conn, excess, sizeof(excess), &err)) {
        (void)srv_fail(SRV_EXIT_FAILED, "db: %s", err.text);
        return false;
    }
    if (excess[0] == '\0')
        return true;
    if (config->dev) {
        log_warn("role_may_too_much", LOG_TEXT("what", excess));
        return true;
    }
    (void)srv_fail(SRV_EXIT_FAILED, "db: %s, which a server's role must not (docs/operations.md)", excess);
    return false;
}

bool srv_database_fits(const struct srv_config *config, struct db_conn *conn)
{
    return check_schema(config, conn) && check_role(config, conn) && check_names(config, conn);
}
