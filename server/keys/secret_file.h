/* Files that keys name: secrets, and other small files. Main thread. */
#ifndef RUMMYD_SERVER_SECRET_FILE_H
#define RUMMYD_SERVER_SECRET_FILE_H

#include "server/config.h"

/* Whether only its owner can read or change a secret file; with --dev, only logs a warning. false: `error`
 * names the key. */
bool srv_secret_private(const char *key, const char *path, bool dev, char error[SRV_ERROR_MAX]);
/* Reads a file that holds a secret; false: `error` names the key. */
bool srv_secret_read(const char *key, const char *path, char out[SRV_SECRET_MAX], char error[SRV_ERROR_MAX]);

/* Reads a whole file of at most SRV_FILE_MAX bytes; the caller frees it. NULL: `error` names the key. */
char *srv_file_read(const char *key, const char *path, size_t *len, char error[SRV_ERROR_MAX]);

#endif
