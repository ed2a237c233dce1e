/* The subcommands of rummyd. Each gets the words after its name, prints its one-sentence error itself, and
 * returns the exit code (server/operations/failure.h). Main thread. */
#ifndef RUMMYD_SERVER_CLI_CMD_H
#define RUMMYD_SERVER_CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "server/operations/failure.h"

struct srv_command {
    const char *name;
    int (*run)(int args_n, char *const *args);
    const char *meaning;
    const char *usage; /* shown after the name, one form per line; a line that begins with a bracket continues
                          a form */
    bool configured;   /* accepts configuration keys as flags */
};

int srv_cmd_serve(int args_n, char *const *args);
int srv_cmd_check_config(int args_n, char *const *args);
int srv_cmd_migrate(int args_n, char *const *args);
int srv_cmd_verify(int args_n, char *const *args);
int srv_cmd_replay(int args_n, char *const *args);
int srv_cmd_vectors(int args_n, char *const *args);
int srv_cmd_ledger_check(int args_n, char *const *args);
int srv_cmd_ledger_head(int args_n, char *const *args);
int srv_cmd_ratings_check(int args_n, char *const *args);
int srv_cmd_simulate(int args_n, char *const *args);
int srv_cmd_routes(int args_n, char *const *args);
int srv_cmd_metrics(int args_n, char *const *args);
int srv_cmd_variants(int args_n, char *const *args);
int srv_cmd_throw_rates(int args_n, char *const *args);
int srv_cmd_puzzles(int args_n, char *const *args);
int srv_cmd_api_key(int args_n, char *const *args);
int srv_cmd_setup(int args_n, char *const *args);

/* Pages and shell completion, printed from the list of commands and the table of keys. */
int srv_print_manual(const struct srv_command *commands, size_t n, int args_n, char *const *args);
int srv_print_completion(const struct srv_command *commands, size_t n, int args_n, char *const *args);

struct db_conn;
/* Connects to the database named by the flags, the environment, or the file; NULL after printing the error,
 * with the exit code in *code. */
struct db_conn *srv_cmd_connect(int args_n, char *const *args, int *code);

enum { SRV_FILE_BYTES_MAX = 64 * 1024 * 1024 };
/* Reads the whole file, or standard input if path is `-`. On failure returns NULL and sets errno (EFBIG:
 * the file exceeds SRV_FILE_BYTES_MAX). The caller frees it. */
char *srv_cmd_read_whole(const char *path, size_t *len);
/* Describes the errno value that srv_cmd_read_whole set. */
const char *srv_cmd_read_problem(int problem);
#endif
