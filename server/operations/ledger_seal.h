/* The thread that appends committed entries to the ledger's hash chain. Several servers may run it: only one
 * server at a time seals a batch. */
#ifndef RUMMYD_SERVER_LEDGER_SEAL_H
#define RUMMYD_SERVER_LEDGER_SEAL_H

struct srv_ledger_seal;

/* NULL: no thread or memory. Main thread. */
struct srv_ledger_seal *srv_ledger_seal_start(const char *conninfo);
/* Ends the thread and frees its memory. Accepts NULL. */
void srv_ledger_seal_stop(struct srv_ledger_seal *seal);

#endif
