/* Reads keys that sign messages or tokens; see push_in.h. Main thread. */
#include "server/outbound/push_in.h"

#include "server/keys/secret_file.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

EVP_PKEY *srv_push_key_read(const char *setting, const char *path, char error[SRV_ERROR_MAX])
{
    size_t len;
    char *pem = srv_file_read(setting, path, &len, error);
    if (!pem)
        return NULL;
    EVP_PKEY *key = net_webpush_key_read(pem, len);
    sodium_memzero(pem, len);
    free(pem);
    if (!key)
        (void)snprintf(error, SRV_ERROR_MAX, "%s: must contain a private key on P-256", setting);
    return key;
}
