/* The version that `rummyd version`, /version, and the logs show. It comes from the file VERSION at the top
 * of the tree; the Makefile generates the constant, and scripts/version checks all other places against
 * it. */
#ifndef RUMMYD_SERVER_VERSION_H
#define RUMMYD_SERVER_VERSION_H

extern const char srv_version[]; /* "0.1.0": no prefix, never changes while the program runs */

#endif
