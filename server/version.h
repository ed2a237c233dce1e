/* The version that `rummyd version`, /version and the logs show. */
#ifndef RUMMYD_SERVER_VERSION_H
#define RUMMYD_SERVER_VERSION_H

#define SRV_VERSION "0.1.0"

#endif
