/* Additional exports for tests: the vectors of tests/vectors, and the signature of each variant's rules
 * (tests/engine/prove.h). */
#include "base/bug.h"
#include "engine/record/vector.h"
#include "tests/engine/prove.h"
#include "wasm/edge.h"
#include "wire/values.h"

static void report(void *arg, const struct eng_vector *vector)
{
    (void)arg;
    json_open(&wasm_out, '{');
    json_kv_text(&wasm_out, "title", vector->title);
    json_kv_num(&wasm_out, "line", vector->line);
    json_kv_num(&wasm_out, "column", vector->column);
    json_kv_text(&wasm_out, "wrong", vector->wrong);
    json_close(&wasm_out, '}');
}

/* Input: a file of vectors. Output: `vectors`, each with its failure, or nothing. */
WASM_EXPORT("vectors") uint32_t wasm_vectors(uint32_t len)
{
    const char *in = wasm_input(len);
    if (!in)
        return (uint32_t)wasm_out.len;
    wasm_begin();
    json_key(&wasm_out, "vectors");
    json_open(&wasm_out, '[');
    (void)eng_vectors_run(in, len, report, NULL);
    json_close(&wasm_out, ']');
    return wasm_end();
}

/* Output: the variant with that number and its signature as 16 digits, or nothing after the last
 * variant. */
WASM_EXPORT("signature") uint32_t wasm_signature(uint32_t number)
{
    uint8_t bytes[8];
    const struct eng_params *row = eng_params_at(number);
    wasm_begin();
    if (row) {
        uint64_t signature = prove_signature(row);
        for (int i = 0; i < 8; i++)
            bytes[i] = (uint8_t)(signature >> (56 - 8 * i));
        json_kv_text(&wasm_out, "variant", row->variant);
        wire_hex(&wasm_out, "signature", bytes, sizeof bytes);
    }
    return wasm_end();
}
