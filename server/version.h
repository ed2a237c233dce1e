/* The version that `rummyd version`, /version and the logs show. Its text is the file VERSION at the top of
 * the tree; the Makefile makes the constant from it, scripts/version holds all other places to it. */
#ifndef RUMMYD_SERVER_VERSION_H
#define RUMMYD_SERVER_VERSION_H

extern const char srv_version[]; /* "0.1.0": no prefix, never changes while the program runs */

#endif
