/* `rummyd replay FILE…`: steps forward and back through the records of a session. Interactive in a
 * terminal; otherwise it prints every step. Needs no database. Main thread. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/text.h"
#include "server/cli/cmd.h"
#include "server/cli/replay.h"

enum { ESCAPE_MS = 40, WIDTH_DEFAULT = 100, WIDTH_MAX = 400, PLACE_MAX = 1000000, JUMP_DIGITS = 6 };

struct request {
    struct srv_replay_style style;
    struct srv_replay_place at;
    uint32_t turn, hand; /* from --turn and --hand; 0: not given */
    bool print, tables;
};

/* ---- Flags ---- */

static bool utf8_terminal(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
                   strstr(value, "utf-8");
    }
    return false;
}

static int parse_view(struct request *q, const char *value)
{
    int64_t seat;

    if (strcmp(value, "open") == 0)
        q->style.viewer = REPLAY_OPEN;
    else if (strcmp(value, "public") == 0)
        q->style.viewer = ENG_SPECTATOR;
    else if (text_i64(value, 0, ENG_SEAT_MAX - 1, &seat))
        q->style.viewer = (uint8_t)seat;
    else
        return srv_fail(SRV_EXIT_USAGE, "--view must be open, public, or a seat number (got \"%.40s\")",
                        value);
    return SRV_EXIT_OK;
}

/* Parses a flag with a value and advances *i past it. SRV_EXIT_FAILED: unknown flag. */
static int parse_valued(struct request *q, int args_n, char *const *args, int *i)
{
    static const char *const names[] = {"--view", "--turn", "--hand", "--width"};
    int64_t number;

    for (size_t k = 0; k < ARRAY_LEN(names); k++) {
        size_t len = strlen(names[k]);
        const char *arg = args[*i], *value = arg[len] == '=' ? arg + len + 1 : NULL;
        if (strncmp(arg, names[k], len) != 0 || (arg[len] != '\0' && arg[len] != '='))
            continue;
        if (!value && ++*i < args_n)
            value = args[*i];
        if (!value)
            return srv_fail(SRV_EXIT_USAGE, "%s requires a value", names[k]);
        if (k == 0)
            return parse_view(q, value);
        bool width = k == 3;
        int least = width ? REPLAY_WIDTH_MIN : 1, most = width ? WIDTH_MAX : PLACE_MAX;
        if (!text_i64(value, least, most, &number))
            return srv_fail(SRV_EXIT_USAGE, "%s must be a number from %d to %d (got \"%.40s\")", names[k],
                            least, most, value);
        if (width)
            q->style.width = (int)number;
        else
            *(k == 1 ? &q->turn : &q->hand) = (uint32_t)number;
        return SRV_EXIT_OK;
    }
    return SRV_EXIT_FAILED;
}

static int parse_flag(struct request *q, int args_n, char *const *args, int *i)
{
    const char *arg = args[*i];

    if (strcmp(arg, "--ascii") == 0)
        q->style.utf8 = false;
    else if (strcmp(arg, "--utf8") == 0)
        q->style.utf8 = true;
    else if (strcmp(arg, "--copies") == 0)
        q->style.copies = true;
    else if (strcmp(arg, "--print") == 0)
        q->print = true;
    else if (strcmp(arg, "--tables") == 0)
        q->print = q->tables = true;
    else {
        int code = parse_valued(q, args_n, args, i);
        return code != SRV_EXIT_FAILED
                   ? code
                   : srv_fail(SRV_EXIT_USAGE, "unknown flag %.40s; `rummyd replay --help` lists the flags",
                              arg);
    }
    return SRV_EXIT_OK;
}

/* ---- Output without a terminal: every step ---- */

static void print(const struct request *q, const struct srv_replay *r)
{
    static char memory[REPLAY_TEXT_MAX];
    bool whole = q->turn == 0 && q->hand == 0;
    int first = whole ? 0 : q->at.hand, last = whole ? r->n - 1 : q->at.hand;

    for (int hand = first; hand <= last; hand++) {
        uint32_t from = whole || q->turn == 0 ? 0 : q->at.step, to = q->turn ? from : r->hands[hand].steps;
        for (uint32_t step = from; step <= to; step++) {
            struct buf b = buf_on(memory, sizeof memory);
            struct srv_replay_place place = {hand, step};
            if (q->tables || step == from || step == to)
                srv_replay_table(r, place, &q->style, &b);
            else
                srv_replay_line(r, place, &q->style, &b);
            if (q->tables || step == from || step + 1 >= to)
                buf_str(&b, "\n");
            (void)fwrite(memory, 1, b.len, stdout);
        }
    }
}

/* ---- With a terminal ---- */

static volatile sig_atomic_t woken, stopped;

static void on_signal(int sig)
{
    if (sig == SIGWINCH)
        woken = 1;
    else
        stopped = 1;
}

static struct termios before;

static bool screen_on(void)
{
    struct termios raw;
    struct sigaction act = {.sa_handler = on_signal};

    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO | ISIG);
    raw.c_iflag &= (tcflag_t) ~(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    (void)sigaction(SIGWINCH, &act, NULL);
    (void)sigaction(SIGTERM, &act, NULL);
    (void)sigaction(SIGHUP, &act, NULL);
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0)
        return false;
    (void)printf("\x1b[?1049h\x1b[?25l");
    return true;
}

static void screen_off(void)
{
    (void)printf("\x1b[?25h\x1b[?1049l");
    (void)fflush(stdout);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

/* Keys that send more than one character. */
enum {
    KEY_NONE = 0,
    KEY_UP = 256,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_ESCAPE,
    KEY_STOP
};

static int read_byte(void)
{
    unsigned char c;
    return read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
}

static bool more_comes(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, ESCAPE_MS) == 1;
}

/* Reads the rest of an escape sequence: "[C", "OC", "[5~". */
static int read_escape(void)
{
    static const char letters[] = "ABCDHF";
    static const int keys[] = {KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_HOME, KEY_END};
    static const int numbered[] = {KEY_NONE,    KEY_HOME,      KEY_NONE, KEY_NONE, KEY_END,
                                   KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END};
    int number = 0, c;

    if (!more_comes())
        return KEY_ESCAPE;
    c = read_byte();
    if (c != '[' && c != 'O')
        return KEY_NONE;
    for (int i = 0; i < 8 && more_comes(); i++) {
        c = read_byte();
        if (c >= '0' && c <= '9' && number < 100)
            number = number * 10 + c - '0';
        else if (c != ';')
            break;
    }
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    if (letter)
        return keys[letter - letters];
    return c == '~' && number < (int)ARRAY_LEN(numbered) ? numbered[number] : KEY_NONE;
}

/* KEY_NONE if a signal interrupted it or the key is unknown; KEY_STOP at end of input. */
static int read_key(void)
{
    int c = read_byte();

    if (c < 0)
        return woken && !stopped ? KEY_NONE : KEY_STOP;
    return c == '\x1b' ? read_escape() : c;
}

/* State of the screen in addition to the table. */
struct screen {
    int top; /* first visible line of the table */
    bool help, jumping;
    uint32_t jump;
};

static const char help_text[] =
    "  right, space, l    next move              left, backspace, h   previous move\n"
    "  page down, ]       next turn              page up, [           previous turn\n"
    "  home, <            start of the session   end, >, G            end of the session\n"
    "  n                  next hand              p                    previous hand\n"
    "  g NUMBER enter     go to that turn        v                    view: next seat, spectator, all hands\n"
    "  o                  show all hands         a                    suits as symbols or letters\n"
    "  c                  pack numbers on cards  up, down             scroll\n"
    "  ?                  this help              q, escape            quit\n";

static void draw(const struct request *q, const struct srv_replay *r, struct screen *screen)
{
    static char memory[REPLAY_TEXT_MAX];
    struct winsize size = {0};
    struct srv_replay_style style = q->style;
    struct buf b = buf_on(memory, sizeof memory - 1);

    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    int rows = size.ws_row > 4 ? size.ws_row : 24, columns = size.ws_col > 0 ? size.ws_col : 80;
    style.width = columns < REPLAY_WIDTH_MIN ? REPLAY_WIDTH_MIN : columns > WIDTH_MAX ? WIDTH_MAX : columns;
    style.color = true;
    if (screen->help)
        buf_str(&b, help_text);
    else
        srv_replay_table(r, q->at, &style, &b);
    memory[b.len] = '\0';
    int lines = 0;
    for (size_t i = 0; i < b.len; i++)
        lines += memory[i] == '\n';
    int most = lines > rows - 2 ? lines - (rows - 2) : 0;
    screen->top = screen->top > most ? most : screen->top;
    const char *at = memory;
    for (int i = 0; i < screen->top; i++)
        at = strchr(at, '\n') + 1;
    (void)printf("\x1b[H");
    for (int i = 0; i < rows - 2; i++) {
        size_t len = strcspn(at, "\n");
        (void)printf("%.*s\x1b[K\r\n", (int)len, at);
        at += len + (at[len] == '\n');
    }
    if (screen->jumping)
        (void)printf("\x1b[K\r\ngo to turn %.0u_\x1b[K", screen->jump);
    else
        (void)printf("\x1b[K\r\n%sarrows: move, page up/down: turn, n/p: hand, g: go to turn, v: view, "
                     "?: help, q: quit\x1b[K",
                     most > 0 ? "up/down: scroll, " : "");
    (void)fflush(stdout);
}

/* Handles a key while the user types a turn number. */
static void jump_key(struct request *q, const struct srv_replay *r, struct screen *screen, int key)
{
    if (key >= '0' && key <= '9' && screen->jump < 100000) {
        screen->jump = screen->jump * 10 + (uint32_t)(key - '0');
        return;
    }
    if (key == 127 || key == 8) {
        screen->jump /= 10;
        return;
    }
    if (key == '\r' || key == '\n')
        q->at = srv_replay_turn(r, q->at.hand, screen->jump);
    if (key != KEY_NONE)
        screen->jumping = false;
}

static enum srv_replay_go way_of(int key)
{
    static const struct {
        int key;
        enum srv_replay_go where;
    } ways[] = {
        {KEY_RIGHT, REPLAY_NEXT}, {' ', REPLAY_NEXT},      {'l', REPLAY_NEXT},
        {'\r', REPLAY_NEXT},      {KEY_LEFT, REPLAY_BACK}, {'h', REPLAY_BACK},
        {127, REPLAY_BACK},       {8, REPLAY_BACK},        {KEY_PAGE_DOWN, REPLAY_NEXT_TURN},
        {']', REPLAY_NEXT_TURN},  {'[', REPLAY_BACK_TURN}, {KEY_PAGE_UP, REPLAY_BACK_TURN},
        {KEY_HOME, REPLAY_FIRST}, {'<', REPLAY_FIRST},     {KEY_END, REPLAY_LAST},
        {'>', REPLAY_LAST},       {'G', REPLAY_LAST},      {'n', REPLAY_NEXT_HAND},
        {'p', REPLAY_BACK_HAND},
    };

    for (size_t i = 0; i < ARRAY_LEN(ways); i++)
        if (ways[i].key == key)
            return ways[i].where;
    return 0;
}

/* false: quit. */
static bool press(struct request *q, const struct srv_replay *r, struct screen *screen, int key)
{
    int players = r->book->hands[q->at.hand].record.players;
    enum srv_replay_go where = way_of(key);

    if (screen->help) {
        screen->help = key == KEY_NONE;
        return key != 'q' && key != 3;
    }
    if (where) {
        q->at = srv_replay_step(r, q->at, where);
        return true;
    }
    switch (key) {
    case 'q':
    case KEY_ESCAPE:
    case 3: /* Ctrl-C */
        return false;
    case 'v':
        if (q->style.viewer == REPLAY_OPEN)
            q->style.viewer = 0;
        else
            q->style.viewer = q->style.viewer + 1 < players ? (uint8_t)(q->style.viewer + 1)
                              : q->style.viewer < players   ? ENG_SPECTATOR
                                                            : REPLAY_OPEN;
        break;
    case 'o':
        q->style.viewer = REPLAY_OPEN;
        break;
    case 'a':
        q->style.utf8 = !q->style.utf8;
        break;
    case 'c':
        q->style.copies = !q->style.copies;
        break;
    case 'g':
        screen->jumping = true;
        screen->jump = 0;
        break;
    case '?':
        screen->help = true;
        break;
    case KEY_UP:
        screen->top -= screen->top > 0;
        break;
    case KEY_DOWN:
        screen->top++;
        break;
    default:
        break;
    }
    return true;
}

static int play(struct request *q, const struct srv_replay *r)
{
    struct screen screen = {0};
    bool on = true;

    if (!screen_on())
        return srv_fail(SRV_EXIT_FAILED, "the terminal does not support single keys; use --print instead");
    while (on && !stopped) {
        woken = 0;
        draw(q, r, &screen);
        int key = read_key();
        if (key == KEY_STOP)
            break;
        if (screen.jumping)
            jump_key(q, r, &screen, key);
        else
            on = press(q, r, &screen, key);
    }
    screen_off();
    return SRV_EXIT_OK;
}

/* ---- Entry point ---- */

static int place(struct request *q, const struct srv_replay *r)
{
    if (q->hand > (uint32_t)r->n)
        return srv_fail(SRV_EXIT_USAGE, "--hand must be a number from 1 to %d, the last hand of the records",
                        r->n);
    q->at.hand = q->hand > 0 ? (int)q->hand - 1 : 0;
    const struct eng_record *record = &r->book->hands[q->at.hand].record;
    if (q->style.viewer < ENG_SEAT_MAX && q->style.viewer >= record->players)
        return srv_fail(SRV_EXIT_USAGE, "--view must be a seat from 0 to %d in this hand",
                        record->players - 1);
    if (q->turn > r->hands[q->at.hand].turns)
        return srv_fail(SRV_EXIT_USAGE, "--turn must be a number from 1 to %u, the last turn of the hand",
                        r->hands[q->at.hand].turns);
    if (q->turn > 0)
        q->at = srv_replay_turn(r, q->at.hand, q->turn);
    return SRV_EXIT_OK;
}

static int show(struct request *q, const struct srv_record_book *book)
{
    struct srv_replay replay;
    int code = SRV_EXIT_FAILED;

    if (srv_replay_open(&replay, book)) {
        bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !q->print;
        code = place(q, &replay);
        if (code == SRV_EXIT_OK && terminal)
            code = play(q, &replay);
        else if (code == SRV_EXIT_OK)
            print(q, &replay);
    }
    for (int hand = 0; replay.hands && hand < book->n && hand <= replay.n; hand++)
        if (replay.hands[hand].verdict.code != ENG_VERDICT_OK) {
            srv_record_print_verdict(&book->hands[hand], &replay.hands[hand].verdict);
            code = code == SRV_EXIT_OK ? SRV_EXIT_FAILED : code;
        }
    srv_replay_close(&replay);
    return code;
}

int srv_cmd_replay(int args_n, char *const *args)
{
    struct request q = {.style = {.viewer = REPLAY_OPEN, .utf8 = utf8_terminal(), .width = WIDTH_DEFAULT}};
    struct srv_record_book book = {0};
    int code = SRV_EXIT_OK, files = 0;
    bool good = true;

    for (int i = 0; code == SRV_EXIT_OK && i < args_n; i++) {
        if (strncmp(args[i], "--", 2) == 0) {
            code = parse_flag(&q, args_n, args, &i);
        } else {
            files++;
            good = good && srv_record_book_read(&book, args[i]);
        }
    }
    if (code == SRV_EXIT_OK && files == 0)
        code = srv_fail(SRV_EXIT_USAGE,
                        "no record file given; usage: rummyd replay FILE... (`-`: standard input)");
    if (code == SRV_EXIT_OK)
        code = good ? show(&q, &book) : SRV_EXIT_FAILED;
    srv_record_book_free(&book);
    return code;
}
