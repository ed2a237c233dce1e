/* Certificate files that operators configure. Any thread. */
#ifndef RUMMYD_NET_CERTIFICATES_H
#define RUMMYD_NET_CERTIFICATES_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the file has at least one PEM certificate from its current position on. */
bool net_certificates_in(FILE *file);

#endif
