/* Frames from clients: every command, and every kind of error. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ws/frame.h"

static struct srv_frame frame;

static enum api_code read_text(const char *text)
{
    return srv_frame_read(&frame, text, strlen(text));
}

#define GOOD(text) cr_assert_eq(read_text(text), API_OK, "%s", text)
#define BAD(code, text)                                                                                      \
    cr_assert_eq(read_text(text), code, "%s gives %s", text, api_code_name(read_text(text)))

static uint8_t card(const char *name)
{
    return eng_card_parse(name, strlen(name));
}

Test(frame, moves_are_parsed)
{
    const struct eng_move *move = &frame.command.move;
    GOOD("{\"t\":\"draw\",\"id\":\"a\",\"d\":{\"from\":\"stock\"}}");
    cr_assert(frame.command.kind == TAB_DO_MOVE && move->type == ENG_DRAW_STOCK && !frame.command.has_base);
    GOOD("{\"t\":\"draw\",\"id\":\"a\",\"base\":117,\"d\":{\"from\":\"discard\"}}");
    cr_assert(move->type == ENG_DRAW_DISCARD && frame.command.has_base && frame.command.base == 117);
    GOOD("{\"t\":\"cancel_draw\",\"id\":\"a\"}");
    cr_assert_eq(move->type, ENG_CANCEL_DRAW);
    GOOD("{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[\"TH1\",\"TC1\",\"X2\"]}}");
    cr_assert(move->type == ENG_MELD && move->n == 3 && move->cards[0] == card("TH1") &&
              move->cards[2] == card("X2"));
    GOOD("{\"t\":\"take_back\",\"id\":\"a\",\"d\":{\"meld\":3}}");
    cr_assert(move->type == ENG_TAKE_BACK && move->meld == 3);
    GOOD("{\"t\":\"take_back\",\"id\":\"a\",\"d\":{}}");
    cr_assert_eq(move->meld, ENG_NO_MELD);
    GOOD("{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"9H1\",\"meld\":2,\"end\":\"high\"}}");
    cr_assert(move->type == ENG_LAY_OFF && move->n == 1 && move->meld == 2 && move->end == ENG_END_HIGH);
    GOOD("{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"9H1\",\"meld\":0}}");
    cr_assert(move->end == ENG_END_NONE && move->meld == 0);
    GOOD("{\"t\":\"swap\",\"id\":\"a\",\"d\":{\"joker\":\"X1\",\"card\":\"9H1\",\"meld\":2}}");
    cr_assert(move->type == ENG_SWAP && move->n == 2 && move->cards[0] == card("9H1") &&
              move->cards[1] == card("X1"));
    GOOD("{\"t\":\"swap\",\"id\":\"a\",\"d\":{\"card\":\"9H1\",\"meld\":2}}");
    cr_assert_eq(move->n, 1);
    GOOD("{\"t\":\"discard\",\"id\":\"a\",\"d\":{\"cards\":[\"X1\",\"9H1\"]}}");
    cr_assert(move->type == ENG_DISCARD && move->n == 2);
}

Test(frame, other_commands_are_parsed)
{
    GOOD("{\"t\":\"leave\",\"id\":\"Az09_-\",\"d\":{}}");
    cr_assert(frame.command.kind == TAB_DO_LEAVE && strcmp(frame.command.id, "Az09_-") == 0);
    GOOD("{\"t\":\"return\",\"id\":\"a\"}");
    cr_assert_eq(frame.command.kind, TAB_DO_RETURN);
    GOOD("{\"t\":\"seed\",\"id\":\"a\",\"d\":{\"seed\":\"000102030405060708090a0B0c0D0e0f\"}}");
    cr_assert(frame.command.kind == TAB_DO_SEED && frame.command.seed.len == 16 &&
              frame.command.seed.bytes[15] == 15);
    GOOD("{\"t\":\"legal\",\"id\":\"a\",\"d\":{\"hints\":true}}");
    cr_assert(frame.command.kind == TAB_DO_LEGAL && frame.command.hints);
    GOOD("{\"t\":\"ping\",\"id\":\"a\"}");
    cr_assert(frame.is_ping);
}

Test(frame, malformed_frames_are_refused)
{
    BAD(API_BAD_JSON, "");
    BAD(API_BAD_JSON, "{");
    BAD(API_BAD_JSON, "[]");
    BAD(API_BAD_JSON, "7");
    BAD(API_BAD_JSON, "{\"t\":\"ping\",\"id\":\"a\"} x");
    BAD(API_BAD_JSON, "{\"t\":\"ping\",\"id\":\"\\u0000\"}");
    BAD(API_BAD_UTF8, "{\"t\":\"ping\",\"id\":\"\xff\"}");
    BAD(API_DUPLICATE_MEMBER, "{\"t\":\"ping\",\"t\":\"ping\",\"id\":\"a\"}");
    BAD(API_UNKNOWN_TYPE, "{\"t\":\"fly\",\"id\":\"a\"}");
    BAD(API_UNKNOWN_MEMBER, "{\"t\":\"ping\",\"id\":\"a\",\"x\":1}");
    BAD(API_MISSING_MEMBER, "{\"id\":\"a\"}");
    BAD(API_MISSING_MEMBER, "{\"t\":\"ping\"}");
    BAD(API_WRONG_TYPE, "{\"t\":7,\"id\":\"a\"}");
    BAD(API_WRONG_TYPE, "{\"t\":\"ping\",\"id\":7}");
    BAD(API_WRONG_TYPE, "{\"t\":\"ping\",\"id\":\"a\",\"d\":[]}");
    BAD(API_WRONG_TYPE, "{\"t\":\"ping\",\"id\":\"a\",\"base\":1.0}");
    BAD(API_OUT_OF_RANGE, "{\"t\":\"ping\",\"id\":\"a\",\"base\":-1}");
    BAD(API_OUT_OF_RANGE, "{\"t\":\"ping\",\"id\":\"a\",\"base\":4294967297}");
    BAD(API_BAD_LENGTH, "{\"t\":\"ping\",\"id\":\"\"}");
    BAD(API_BAD_LENGTH, "{\"t\":\"ping\",\"id\":\"1234567890123456789012345678901234567\"}");
    BAD(API_BAD_FORMAT, "{\"t\":\"ping\",\"id\":\"a b\"}");
    cr_assert(!frame.has_id);
    BAD(API_UNKNOWN_TYPE, "{\"t\":\"\",\"id\":\"a\"}");
    cr_assert(frame.has_id, "so that the answer can name it");
}

Test(frame, members_of_d_are_checked)
{
    BAD(API_MISSING_MEMBER, "{\"t\":\"draw\",\"id\":\"a\"}");
    BAD(API_BAD_FORMAT, "{\"t\":\"draw\",\"id\":\"a\",\"d\":{\"from\":\"hand\"}}");
    BAD(API_WRONG_TYPE, "{\"t\":\"draw\",\"id\":\"a\",\"d\":{\"from\":1}}");
    BAD(API_UNKNOWN_MEMBER, "{\"t\":\"draw\",\"id\":\"a\",\"d\":{\"from\":\"stock\",\"meld\":1}}");
    BAD(API_UNKNOWN_MEMBER, "{\"t\":\"ping\",\"id\":\"a\",\"d\":{\"x\":1}}");
    BAD(API_BAD_LENGTH, "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[]}}");
    BAD(API_BAD_LENGTH,
        "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}}");
    BAD(API_WRONG_TYPE, "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":\"TH1\"}}");
    BAD(API_WRONG_TYPE, "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[null]}}");
    BAD(API_BAD_FORMAT, "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[\"TH\"]}}");
    BAD(API_BAD_FORMAT, "{\"t\":\"meld\",\"id\":\"a\",\"d\":{\"cards\":[\"TH3\"]}}");
    BAD(API_MISSING_MEMBER, "{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"TH1\"}}");
    BAD(API_OUT_OF_RANGE, "{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"TH1\",\"meld\":36}}");
    BAD(API_OUT_OF_RANGE, "{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"TH1\",\"meld\":-1}}");
    BAD(API_WRONG_TYPE, "{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"TH1\",\"meld\":\"1\"}}");
    BAD(API_BAD_FORMAT,
        "{\"t\":\"lay_off\",\"id\":\"a\",\"d\":{\"card\":\"TH1\",\"meld\":1,\"end\":\"up\"}}");
    BAD(API_BAD_SEED, "{\"t\":\"seed\",\"id\":\"a\",\"d\":{\"seed\":\"00\"}}");
    BAD(API_BAD_SEED, "{\"t\":\"seed\",\"id\":\"a\",\"d\":{\"seed\":\"zz0102030405060708090a0b0c0d0e0f\"}}");
    BAD(API_WRONG_TYPE, "{\"t\":\"legal\",\"id\":\"a\",\"d\":{\"hints\":1}}");
}

#define SEED(hex) "{\"t\":\"seed\",\"id\":\"a\",\"d\":{\"seed\":\"" hex "\"}}"
#define BYTES_15 "000102030405060708090a0b0c0d0e"

Test(frame, a_seed_has_sixteen_to_thirty_two_bytes)
{
    BAD(API_BAD_SEED, SEED(""));
    BAD(API_BAD_SEED, SEED(BYTES_15));
    BAD(API_BAD_SEED, SEED(BYTES_15 "f"));
    GOOD(SEED(BYTES_15 "ff"));
    BAD(API_BAD_SEED, SEED(BYTES_15 "fff"));
    GOOD(SEED(BYTES_15 BYTES_15 "feff"));
    cr_assert(frame.command.seed.len == 32 && frame.command.seed.bytes[31] == 255);
    BAD(API_BAD_SEED, SEED(BYTES_15 BYTES_15 "feff00"));
}

Test(frame, oversized_and_deeply_nested_frames_are_refused)
{
    char *text = malloc(SRV_FRAME_IN_MAX + 2);
    memset(text, '[', SRV_FRAME_IN_MAX + 1);
    cr_assert_eq(srv_frame_read(&frame, text, SRV_FRAME_IN_MAX + 1), API_FRAME_TOO_BIG);
    cr_assert_eq(srv_frame_read(&frame, text, SRV_FRAME_IN_MAX), API_BAD_JSON);
    free(text);
}
