/* A thread of its own that does something now and then, until it is stopped. Start and stop: the thread that
 * owns it; the work: the ticker's. */
#ifndef RUMMYD_BASE_TICKER_H
#define RUMMYD_BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker;
typedef void ticker_fn(struct ticker *ticker, void *arg);

/* Calls fn(ticker, arg) every_ms milliseconds after the start and after the end of each call. name: of the
 * thread (15 bytes at most); lives as long as the ticker, and so does arg. NULL: no thread or memory. */
struct ticker *ticker_start(const char *name, int64_t every_ms, ticker_fn *fn, void *arg);
/* The same, as a thread that is not kept waiting for a processor: its work is short. */
struct ticker *ticker_start_prompt(const char *name, int64_t every_ms, ticker_fn *fn, void *arg);
/* Whether it is being stopped: work that takes long looks now and then. Any thread. */
bool ticker_stopping(struct ticker *ticker);
/* Waits for the work to end, and frees it. NULL is fine. */
void ticker_stop(struct ticker *ticker);

#endif
