/* Compares fair deals with the Python program printed in docs/fairness.md: the test extracts it from the
 * page and runs it, so that it uses exactly the program that users check with. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "engine/core/deal.h"
#include "tests/engine/play.h"

enum { PROGRAM_MAX = 8192, ANSWER_MAX = 8192 };

/* Writes the page's only Python block, and more lines, to a file; the caller removes it. */
static void write_program(char path[32], const char *more)
{
    static char page[65536];
    FILE *f = fopen("docs/fairness.md", "r");
    cr_assert_not_null(f, "run the tests from the root of the repository");
    size_t n = fread(page, 1, sizeof page - 1, f);
    fclose(f);
    page[n] = '\0';
    char *from = strstr(page, "```python\n"), *to = from == NULL ? NULL : strstr(from + 10, "```");
    cr_assert(from != NULL && to != NULL && strstr(to + 3, "```python") == NULL);
    snprintf(path, 32, "/tmp/fairness-XXXXXX");
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    f = fdopen(fd, "w");
    fwrite(from + 10, 1, (size_t)(to - from - 10), f);
    fputs(more, f);
    fclose(f);
}

static void ask_python(const char *path, const char *args, char answer[ANSWER_MAX])
{
    char command[1024];
    snprintf(command, sizeof command, "/usr/bin/python3 %s %s", path, args);
    FILE *f = popen(command, "r");
    cr_assert_not_null(f);
    size_t n = fread(answer, 1, ANSWER_MAX - 1, f);
    answer[n] = '\0';
    cr_assert_eq(pclose(f), 0, "%s", command);
}

static void put_cards(char *out, const uint8_t *cards, int n)
{
    for (int i = 0; i < n; i++) {
        char name[ENG_CARD_NAME_MAX];
        eng_card_name(name, cards[i]);
        strcat(out, " ");
        strcat(out, name);
    }
}

/* The engine's answer in the program's format; only the program lists hands in dealing order, so both are
 * compared sorted: see sorted(). */
static void format_answer(const struct eng_game *g, const char *commit, char out[ANSWER_MAX])
{
    sprintf(out, "commit %s\nstarter %d\n", commit, g->starter);
    for (int seat = 0; seat < g->players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&g->hand[seat], cards);
        sprintf(out + strlen(out), "seat %d", seat);
        put_cards(out, cards, n);
        strcat(out, "\n");
    }
    strcat(out, "stock");
    for (int i = g->stock_n - 1; i >= 0; i--)
        put_cards(out, &g->stock[i], 1);
    strcat(out, "\n");
}

/* Sorts the cards of the lines "seat …" as the engine lists them. */
static void sort_hands(char *text)
{
    char out[ANSWER_MAX] = "", *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "seat ", 5) != 0) {
            sprintf(out + strlen(out), "%s\n", line);
            continue;
        }
        struct eng_cards hand = {{0, 0}};
        uint8_t cards[ENG_CARD_MAX];
        for (char *at = line + 6; *at == ' '; at += 1 + strcspn(at + 1, " "))
            eng_cards_add(&hand, eng_card_parse(at + 1, strcspn(at + 1, " ")));
        sprintf(out + strlen(out), "%.6s", line);
        put_cards(out, cards, eng_cards_list(&hand, cards));
        strcat(out, "\n");
    }
    strcpy(text, out);
}

static void random_seeds(uint64_t *rng, int players, uint8_t server[32], struct eng_client_seed *seeds)
{
    for (int i = 0; i < 32; i++)
        server[i] = (uint8_t)play_random(rng);
    for (int seat = 0; seat < players; seat++) {
        seeds[seat] = (struct eng_client_seed){0};
        if (play_below(rng, 3) != 0)
            seeds[seat].len = (uint8_t)(16 + play_below(rng, 17));
        for (int i = 0; i < seeds[seat].len; i++)
            seeds[seat].bytes[i] = (uint8_t)play_random(rng);
    }
}

/* Deals one hand in C and with the program; the answers must be equal. */
static void compare(const char *path, uint64_t *rng, int players, struct eng_game *g)
{
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    uint8_t server[32], commit[32], key[ENG_KEY_BYTES];
    char hex[65], commit_hex[65], args[800], want[ANSWER_MAX], got[ANSWER_MAX];
    random_seeds(rng, players, server, seeds);
    uint64_t table = play_random(rng);
    uint32_t hand = (uint32_t)play_random(rng);
    text_hex(hex, server, 32);
    sprintf(args, "%s %llu %u", hex, (unsigned long long)table, hand);
    for (int seat = 0; seat < players; seat++) {
        text_hex(hex, seeds[seat].bytes, seeds[seat].len);
        sprintf(args + strlen(args), " '%s'", hex);
    }
    ask_python(path, args, got);
    eng_seed_commit(commit, server);
    text_hex(commit_hex, commit, 32);
    eng_deal_key(key, server, table, hand, seeds, players);
    struct eng_outcome out;
    eng_init(g, eng_params_find("rummy51"), players);
    eng_deal(g, key, &out);
    format_answer(g, commit_hex, want);
    char *renewed = strstr(got, "renewed");
    if (renewed != NULL) {
        eng_shuffle(g, g->stock, g->stock_n);
        strcat(want, "renewed");
        put_cards(want, g->stock, g->stock_n);
        strcat(want, "\n");
    }
    sort_hands(got);
    cr_assert_str_eq(got, want);
}

/* The number is from Python: hmac.new(bytes(range(32)), b"rummy-bots-1" + …, "sha256").digest()[:8]. */
Test(deal, bot_seeds_match_the_known_value_and_differ)
{
    uint8_t seed[32];
    for (int i = 0; i < 32; i++)
        seed[i] = (uint8_t)i;
    uint64_t dice = eng_bot_seed(seed, 7, 3, 41);
    cr_assert_eq(dice, 0xb64fd12118c88192);
    cr_assert_neq(eng_bot_seed(seed, 8, 3, 41), dice);
    cr_assert_neq(eng_bot_seed(seed, 7, 4, 41), dice);
    cr_assert_neq(eng_bot_seed(seed, 7, 3, 42), dice);
    seed[31] ^= 1;
    cr_assert_neq(eng_bot_seed(seed, 7, 3, 41), dice);
}

Test(deal, matches_the_published_program)
{
    char path[32];
    uint64_t rng = 20;
    struct eng_game g;
    write_program(path, "");
    for (int i = 0; i < 12; i++)
        compare(path, &rng, 2 + i % 3, &g);
    unlink(path);
}

Test(deal, a_later_shuffle_continues_the_same_stream)
{
    char path[32];
    uint64_t rng = 21;
    struct eng_game g;
    write_program(path, "pile = pack[14 * n + 1:][::-1]\nshuffle(pile, stream)\nprint('renewed', *pile)\n");
    for (int i = 0; i < 4; i++)
        compare(path, &rng, 4, &g);
    unlink(path);
}

/* A key whose stream contains a word that must be skipped, as about one in 100,000 does. */
Test(deal, biased_random_words_are_skipped)
{
    enum { SKIPS = 274964 };
    char path[32], got[ANSWER_MAX], want[ANSWER_MAX] = "skips";
    struct eng_game g;
    struct eng_outcome out;
    play_deal(&g, eng_params_find("rummy51"), 4, SKIPS, &out);
    cr_assert_eq(g.stream_used, 109, "107 exchanges, the starter, and one skipped");
    for (int i = g.stock_n - 1; i >= 0; i--)
        put_cards(want, &g.stock[i], 1);
    sprintf(want + strlen(want), " %d\n", g.starter);
    write_program(path, "stream = words((274964).to_bytes(8, 'little') + bytes(24))\n"
                        "pack = [r + s + c for c in '12' for s in 'CSHD' for r in 'A23456789TJQK']\n"
                        "pack += ['X1', 'X2', 'X3', 'X4']\n"
                        "shuffle(pack, stream)\n"
                        "print('skips', *pack[57:], below(4, stream))\n");
    ask_python(path, "00 1 1 '' ''", got);
    cr_assert_not_null(strstr(got, want), "%s", strstr(got, "skips"));
    unlink(path);
}

Test(deal, hmac_matches_rfc_4231)
{
    /* Case 2 of the RFC, with the function that the engine uses, its key padded with zeros to 32 bytes. */
    static const char want[] = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    uint8_t key[32] = "Jefe", mac[32];
    char hex[65];
    crypto_auth_hmacsha256(mac, (const uint8_t *)"what do ya want for nothing?", 28, key);
    text_hex(hex, mac, 32);
    cr_assert_str_eq(hex, want);
}

Test(deal, every_card_reaches_every_seat_equally_often)
{
    enum { DEALS = 20000 };
    static int with[4][ENG_CARD_MAX];
    for (uint64_t i = 0; i < DEALS; i++) {
        struct eng_game g;
        struct eng_outcome out;
        play_deal(&g, eng_params_find("rummy51"), 4, i, &out);
        for (int seat = 0; seat < 4; seat++) {
            uint8_t cards[ENG_CARD_MAX];
            int n = eng_cards_list(&g.hand[seat], cards);
            for (int k = 0; k < n; k++)
                with[seat][cards[k]]++;
        }
    }
    /* 14.25 of 108 cards per hand; 2639 expected, and six standard deviations are 287. */
    for (int seat = 0; seat < 4; seat++)
        for (int card = 0; card < 108; card++)
            cr_assert(with[seat][card] > 2350 && with[seat][card] < 2930, "%d", with[seat][card]);
}
