/* The interface of the WebAssembly module (wasm/edge.h), compiled for this machine: any calls with any
 * numbers and any bytes. The output must be JSON, without invalid memory accesses. An input is a list of
 * calls: function, four numbers, the number of input bytes, the bytes. */
#include <string.h>

#include "base/bug.h"
#include "base/jread.h"
#include "base/text.h"
#include "wasm/edge.h"

enum { HEAD = 7, NUMBERS = 4, CALLS_MAX = 40 };

uint32_t wasm_new_game(uint32_t len, uint32_t players);
uint32_t wasm_copy_game(uint32_t game);
uint32_t wasm_close_game(uint32_t game);
uint32_t wasm_deal(uint32_t game, uint32_t len, uint32_t viewer);
uint32_t wasm_commit(uint32_t len);
uint32_t wasm_view(uint32_t game, uint32_t viewer);
uint32_t wasm_hash(uint32_t game);
uint32_t wasm_legal(uint32_t game, uint32_t seat, uint32_t hints);
uint32_t wasm_apply(uint32_t game, uint32_t len, uint32_t viewer);
uint32_t wasm_bot_dice(uint32_t game, uint32_t seat, uint32_t high, uint32_t low);
uint32_t wasm_bot_move(uint32_t game, uint32_t seat, uint32_t level);
uint32_t wasm_bot_rejoins(uint32_t game, uint32_t seat, uint32_t level);
uint32_t wasm_opening(uint32_t game, uint32_t seat);
uint32_t wasm_arrange(uint32_t len);
uint32_t wasm_hands(uint32_t len, uint32_t players, uint32_t hand_no, uint32_t starter, uint32_t out);
uint32_t wasm_record_parse(uint32_t len, uint32_t at);
uint32_t wasm_record_start(uint32_t len, uint32_t at);
uint32_t wasm_record_verify(uint32_t len);
uint32_t wasm_record_print(uint32_t len, uint32_t at);
uint32_t wasm_record_make(uint32_t game, uint32_t len);
uint32_t wasm_words(void);

/* Usually a seat, a game, or a level; occasionally an invalid one. */
static uint32_t number_of(uint8_t byte)
{
    static const uint32_t far[] = {6, 255, 254, 256, WASM_IN_MAX, WASM_IN_MAX + 1, UINT32_MAX, 1u << 31};
    return byte < 240 ? byte % 6U : far[byte % ARRAY_LEN(far)];
}

static uint32_t call(uint8_t which, const uint32_t n[NUMBERS], uint32_t len)
{
    switch (which % 21) {
    case 0:
        return wasm_new_game(len, n[0]);
    case 1:
        return wasm_copy_game(n[0]);
    case 2:
        return wasm_close_game(n[0]);
    case 3:
        return wasm_deal(n[0], len, n[1]);
    case 4:
        return wasm_commit(len);
    case 5:
        return wasm_view(n[0], n[1]);
    case 6:
        return wasm_hash(n[0]);
    case 7:
        return wasm_legal(n[0], n[1], n[2]);
    case 8:
        return wasm_apply(n[0], len, n[1]);
    case 9:
        return wasm_bot_dice(n[0], n[1], n[2], n[3]);
    case 10:
        return wasm_bot_move(n[0], n[1], n[2]);
    case 11:
        return wasm_bot_rejoins(n[0], n[1], n[2]);
    case 12:
        return wasm_opening(n[0], n[1]);
    case 13:
        return wasm_arrange(len);
    case 14:
        return wasm_hands(len, n[0], n[1], n[2], n[3]);
    case 15:
        return wasm_record_parse(len, n[0]);
    case 16:
        return wasm_record_start(len, n[0]);
    case 17:
        return wasm_record_verify(len);
    case 18:
        return wasm_record_print(len, n[0]);
    case 19:
        return wasm_record_make(n[0], len);
    default:
        return wasm_words();
    }
}

static void check_answer(uint32_t len)
{
    static struct jread tree;
    ASSERT(len >= 2 && len <= WASM_OUT_MAX && wasm_out.len == len && !wasm_out.full);
    ASSERT(wasm_out.data[0] == '{' && wasm_out.data[len - 1] == '}' && text_utf8_ok(wasm_out.data, len));
    enum jread_result result = jread(&tree, wasm_out.data, len);
    ASSERT(result == JREAD_OK || result == JREAD_TOO_MANY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (uint32_t game = 0; game < WASM_GAMES_MAX; game++)
        (void)wasm_close_game(game);
    for (int calls = 0; calls < CALLS_MAX && size >= HEAD; calls++) {
        uint32_t n[NUMBERS], len = data[5] | (uint32_t)data[6] << 8;
        for (int i = 0; i < NUMBERS; i++)
            n[i] = number_of(data[1 + i]);
        uint8_t which = data[0];
        data += HEAD;
        size -= HEAD;
        if (len > size)
            len = (uint32_t)size;
        memcpy(wasm_in, data, len);
        check_answer(call(which, n, which >= 250 ? n[3] : len));
        data += len;
        size -= len;
    }
    return 0;
}
