/* Checks at startup that the database matches this program and that the server's role has no more privileges
 * than it needs. Main thread. */
#ifndef RUMMYD_SERVER_DATABASE_FITS_H
#define RUMMYD_SERVER_DATABASE_FITS_H

#include "db/pg.h"
#include "server/config.h"

/* With --dev, migrates an outdated database. false: the error was printed (server/operations/failure.h). */
bool srv_database_fits(const struct srv_config *config, struct db_conn *conn);

#endif
