/* Entry of rummyd: picks the subcommand. */
#include <sodium.h>
#include <stdbool.h>
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
    const char *usage; /* what follows the name */
    bool configured;   /* takes the keys of the configuration as flags */
};

static int cmd_help(int args_n, char *const *args);
static int cmd_version(int args_n, char *const *args);

static const struct command commands[] = {
    {"serve", srv_cmd_serve, "run the server: REST, live tables, and the page", "[FLAGS]", true},
    {"check-config", srv_cmd_check_config,
     "check the configuration of `serve`, with the files and folders it names, and start nothing", "[FLAGS]",
     true},
    {"migrate", srv_cmd_migrate, "bring the database to the schema of this program", "[FLAGS]", true},
    {"verify", srv_cmd_verify, "check records of hands and whole sessions", "FILE...", false},
    {"replay", srv_cmd_replay, "step through records in a terminal",
     "[--view open|public|SEAT] [--hand N] [--turn N] [--width N] FILE...", false},
    {"vectors", srv_cmd_vectors, "run rule vectors", "FILE...", false},
    {"ledger-check", srv_cmd_ledger_check,
     "prove the books of the whole database, and that nothing before a published head was rewritten",
     "[--since HEAD]... [FLAGS]", true},
    {"ledger-head", srv_cmd_ledger_head,
     "bring the chain of the ledger up to date and print its head, to publish", "[FLAGS]", true},
    {"ratings-check", srv_cmd_ratings_check,
     "recompute ratings, leaderboards, and levels from the games, and compare", "[FLAGS]", true},
    {"api-key", srv_cmd_api_key, "make and revoke the keys of jobs and operators",
     "make NAME jobs|support|money|games|owner HOLDER [DAYS|never] [FLAGS], or: revoke NAME [FLAGS]", true},
    {"simulate", srv_cmd_simulate, "let bots play against bots",
     "[--variant NAME|all] [--option NAME=VALUE]... [--games N] [--seats easy,master...] [--deals mirrored] "
     "[--ladder GAMES] [--seed N] [--record FILE]",
     false},
    {"routes", srv_cmd_routes, "list the REST endpoints as JSON", "", false},
    {"metrics", srv_cmd_metrics, "list what /metrics shows, as a page", "", false},
    {"variants", srv_cmd_variants, "list the rows of all variants as JSON", "", false},
    {"throw-rates", srv_cmd_throw_rates, "count how often bots take a discard, as SQL rows", "[GAMES]",
     false},
    {"help", cmd_help, "show this list, or the usage of one command", "[COMMAND]", false},
    {"version", cmd_version, "show the version", "", false},
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    return srv_fail(SRV_EXIT_USAGE, "there is no command \"%.60s\"; `rummyd help` lists them", name);
}

/* A full disk behind stdout is a failure too. */
static int written(void)
{
    return fflush(stdout) == 0 ? SRV_EXIT_OK : srv_fail(SRV_EXIT_FAILED, "cannot write to standard output");
}

static int help_on(const struct command *command)
{
    (void)printf("rummyd %s: %s\n\nusage: rummyd %s%s%s\n", command->name, command->meaning, command->name,
                 command->usage[0] ? " " : "", command->usage);
    if (command->configured)
        srv_config_help();
    return written();
}

static int cmd_help(int args_n, char *const *args)
{
    if (args_n > 1)
        return srv_fail(SRV_EXIT_USAGE, "help takes one command at most");
    if (args_n == 1) {
        const struct command *command = find_command(args[0]);
        return command ? help_on(command) : no_command(args[0]);
    }
    (void)printf("rummyd: online rummy\n\nusage: rummyd COMMAND [FLAGS]\n       rummyd COMMAND --help\n\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        (void)printf("  %-16s %s\n", commands[i].name, commands[i].meaning);
    srv_config_help();
    return written();
}

static int cmd_version(int args_n, char *const *args)
{
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "version takes no arguments");
    (void)printf("rummyd %s\n", srv_version);
    return written();
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return srv_fail(SRV_EXIT_FAILED, "libsodium cannot start");
    if (argc < 2)
        return srv_fail(SRV_EXIT_USAGE, "a command is missing; `rummyd help` lists them");
    if (is_help(argv[1]))
        return cmd_help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return cmd_version(argc - 2, argv + 2);
    const struct command *command = find_command(argv[1]);
    if (!command)
        return no_command(argv[1]);
    for (int i = 2; i < argc; i++)
        if (is_help(argv[i]))
            return help_on(command);
    return command->run(argc - 2, argv + 2);
}
