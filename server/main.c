/* Entry of rummyd: picks the subcommand. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/config.h"
#include "server/version.h"

struct command {
    const char *name;
    int (*run)(int args_n, char *const *args);
    const char *meaning;
};

static int cmd_help(int args_n, char *const *args);
static int cmd_version(int args_n, char *const *args);

static const struct command commands[] = {
    {"serve", srv_cmd_serve, "play: REST, live tables and the page"},
    {"migrate", srv_cmd_migrate, "bring the database to the schema of this program"},
    {"verify", srv_cmd_verify, "check records of hands and whole sessions: verify FILE..."},
    {"replay", srv_cmd_replay,
     "step through records in a terminal: replay [--view open|public|SEAT] [--hand N] [--turn N] FILE..."},
    {"vectors", srv_cmd_vectors, "run rule vectors: vectors FILE..."},
    {"ledger-check", srv_cmd_ledger_check,
     "prove the books of the whole database, and that nothing before a head was rewritten: --since HEAD"},
    {"ledger-head", srv_cmd_ledger_head,
     "bring the chain of the ledger up to date and print its head, to publish"},
    {"ratings-check", srv_cmd_ratings_check,
     "make ratings, boards and levels again from the games and compare"},
    {"api-key", srv_cmd_api_key,
     "keys for jobs and operators: api-key make NAME ROLE HOLDER [DAYS], api-key revoke NAME"},
    {"simulate", srv_cmd_simulate,
     "bots against bots: --variant NAME|all, --option NAME=VALUE, --games, --seats easy,master..., "
     "--deals mirrored, --ladder GAMES, --seed, --record FILE"},
    {"routes", srv_cmd_routes, "the REST endpoints as JSON"},
    {"metrics", srv_cmd_metrics, "what /metrics shows, as a page"},
    {"variants", srv_cmd_variants, "the rows of all variants as JSON"},
    {"throw-rates", srv_cmd_throw_rates, "how often bots take a throw, as rows of SQL: throw-rates [GAMES]"},
    {"help", cmd_help, "this list"},
    {"version", cmd_version, "the version"},
};

static int cmd_help(int args_n, char *const *args)
{
    (void)args_n;
    (void)args;
    (void)printf("rummyd: online rummy\n\nusage: rummyd COMMAND [FLAGS]\n\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        (void)printf("  %-16s %s\n", commands[i].name, commands[i].meaning);
    srv_config_help();
    return SRV_EXIT_OK;
}

static int cmd_version(int args_n, char *const *args)
{
    (void)args_n;
    (void)args;
    (void)printf("rummyd %s\n", srv_version);
    return SRV_EXIT_OK;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return srv_fail(SRV_EXIT_FAILED, "libsodium cannot start");
    if (argc < 2)
        return srv_fail(SRV_EXIT_USAGE, "a command is missing; `rummyd help` lists them");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return commands[i].run(argc - 2, argv + 2);
    return srv_fail(SRV_EXIT_USAGE, "there is no command \"%.60s\"; `rummyd help` lists them", argv[1]);
}
