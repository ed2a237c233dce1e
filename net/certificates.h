/* Files of certificates that operators name. Any thread. */
#ifndef RUMMYD_NET_CERTIFICATES_H
#define RUMMYD_NET_CERTIFICATES_H

#include <stdbool.h>
#include <stdio.h>

/* Whether at least one certificate in PEM can be read from here on. */
bool net_certificates_in(FILE *file);

#endif
