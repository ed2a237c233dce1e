/* Whether the database is the one of this program, and lets it do no more than a server must: asked at its
 * start. Main thread. */
#ifndef RUMMYD_SERVER_DATABASE_FITS_H
#define RUMMYD_SERVER_DATABASE_FITS_H

#include "db/pg.h"
#include "server/config.h"

/* With --dev what is behind is migrated. false: the sentence is said (server/failure.h). */
bool srv_database_fits(const struct srv_config *config, struct db_conn *conn);

#endif
