/* See certificates.h. */
#include "net/certificates.h"

#include <openssl/err.h>
#include <openssl/pem.h>

bool net_certificates_in(FILE *file)
{
    X509 *first = PEM_read_X509(file, NULL, NULL, NULL);
    bool found = first != NULL;
    X509_free(first);
    ERR_clear_error(); /* other code on this thread must not find our errors */
    return found;
}
