/* `rummyd manual`: the manual pages rummyd(1) and rummyd.conf(5) as roff, from the lists that `rummyd help`
 * shows. Main thread. */
#include <stdio.h>
#include <string.h>

#include "server/cli/cmd.h"
#include "server/config.h"
#include "server/version.h"

/* Text with the characters escaped that mean something to roff. */
static void put(const char *text)
{
    if (*text == '.' || *text == '\'')
        (void)printf("\\&");
    for (; *text; text++) {
        if (*text == '-')
            (void)printf("\\-");
        else if (*text == '\\')
            (void)printf("\\e");
        else if (*text != '`')
            (void)putchar(*text);
    }
}

static void put_command(const struct srv_command *command)
{
    (void)printf(".SS ");
    put(command->name);
    (void)printf("\n");
    put(command->meaning);
    (void)printf(".\n.PP\n.nf\n");
    for (const char *line = command->usage, *next;; line = next) {
        char form[256];
        size_t len = strcspn(line, "\n");
        (void)snprintf(form, sizeof(form), "%.*s", (int)len, line);
        if (line != command->usage && line[0] == '[')
            (void)printf("    ");
        else
            (void)printf("\\fBrummyd %s\\fR ", command->name);
        put(form);
        (void)printf("\n");
        next = line + len + (line[len] == '\n');
        if (*next == '\0')
            break;
    }
    (void)printf(".fi\n");
}

static void print_program(const struct srv_command *commands, size_t n)
{
    (void)printf(".TH RUMMYD 1 \"\" \"rummyd %s\" \"User Commands\"\n"
                 ".SH NAME\nrummyd \\- server for online rummy\n"
                 ".SH SYNOPSIS\n.B rummyd\n.I COMMAND\n[\\fIFLAGS\\fR]\n"
                 ".SH DESCRIPTION\nThe server runs rummy tables for players in browsers and stores them in "
                 "PostgreSQL. "
                 "After the installation, run\n.BR \"rummyd setup\" .\n"
                 "Commands marked with FLAGS accept every key of\n.BR rummyd.conf (5)\nas a flag: "
                 "\\fB\\-\\-\\fIkey\\fB=\\fIvalue\\fR.\n.SH COMMANDS\n",
                 srv_version);
    for (size_t i = 0; i < n; i++)
        put_command(&commands[i]);
    (void)printf(
        ".SH SCRIPTS\n"
        ".TP\n\\fBrummyd\\-backup\\fR \\fIFILE CONNINFO\\fR\nBacks up the database while the server runs.\n"
        ".TP\n\\fBrummyd\\-restore\\fR \\fIFILE CONNINFO\\fR\nRestores a backup into an empty database and "
        "checks its "
        "ledger.\n"
        ".SH EXIT STATUS\n0: success. 1: failure, for example an invalid value. 2: incorrect usage.\n"
        ".SH FILES\n"
        ".TP\n.I /etc/rummyd/rummyd.conf\nThe configuration of the server.\n"
        ".TP\n.I /etc/rummyd/jwt.secret\nThe token secret.\n"
        ".TP\n.I /etc/rummyd/owner.conf\nThe connection of the database owner, for \\fBrummyd migrate\\fR.\n"
        ".SH SEE ALSO\n.BR rummyd.conf (5)\n");
}

static void print_configuration(void)
{
    (void)printf(".TH RUMMYD.CONF 5 \"\" \"rummyd %s\" \"File Formats\"\n"
                 ".SH NAME\nrummyd.conf \\- configuration of rummyd\n"
                 ".SH DESCRIPTION\nOne \\fIkey\\fR = \\fIvalue\\fR per line. A # at the beginning of a line "
                 "or after white "
                 "space starts a comment; a value in double quotes can contain one. "
                 "The environment variable \\fBRUMMYD_\\fIKEY\\fR overrides the file, and the flag "
                 "\\fB\\-\\-\\fIkey\\fR overrides both. Secrets have keys that name a file.\n"
                 "\\fBrummyd check\\-config\\fR checks a file.\n"
                 ".SH KEYS\n",
                 srv_version);
    srv_config_manual(put);
    (void)printf(".SH SEE ALSO\n.BR rummyd (1)\n");
}

int srv_print_manual(const struct srv_command *commands, size_t n, int args_n, char *const *args)
{
    if (args_n == 1 && strcmp(args[0], "rummyd") == 0)
        print_program(commands, n);
    else if (args_n == 1 && strcmp(args[0], "rummyd.conf") == 0)
        print_configuration();
    else
        return srv_fail(SRV_EXIT_USAGE, "usage: rummyd manual rummyd|rummyd.conf");
    return SRV_EXIT_OK;
}
