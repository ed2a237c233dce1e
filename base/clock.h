/* The clocks. Any thread. */
#ifndef RUMMYD_BASE_CLOCK_H
#define RUMMYD_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

int64_t clock_mono_ms(void); /* monotonic: for timeouts */
int64_t clock_mono_ns(void);
int64_t clock_boot_ms(void); /* monotonic, including time while the machine sleeps: for leases */
int64_t clock_unix_ms(void); /* UTC wall clock: for times that are stored or shown */
/* "2026-11-20T19:28:00.123Z"; out needs 25 bytes. */
void clock_rfc3339(char out[25], int64_t unix_ms);
enum { CLOCK_DECIMALS_MAX = 9 };
/* Parses a time in this format. The seconds may have up to CLOCK_DECIMALS_MAX decimals; digits after
 * milliseconds are ignored. false: invalid, or no such day. */
bool clock_read_rfc3339(const char *text, int64_t *unix_ms);

#endif
