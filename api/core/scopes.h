/* Scopes of tokens, as bits and as words; see api/scopes.def. Pure, any thread. */
#ifndef RUMMYD_API_SCOPES_H
#define RUMMYD_API_SCOPES_H

#include <stdint.h>

/* Bits, so that checking a request takes one comparison. */
enum api_scope {
    API_SCOPE_ACCOUNT = 1, /* account management; only for sessions of the owner */
#define API_SCOPE(id, bit, word) API_SCOPE_##id = 1 << (bit),
#include "api/scopes.def"
#undef API_SCOPE
    API_SCOPES_ALL = 0xff, /* scopes of an owner's session; fits in a byte */
};

enum {
#define API_SCOPE(id, bit, word) API_SCOPE_NO_##id,
#include "api/scopes.def"
#undef API_SCOPE
    API_SCOPES_N /* words that a token can have */
};

/* The words; NULL after the last. */
extern const char *const api_scope_words[];

/* The word of one scope; "account" for the owner's. A literal. */
const char *api_scope_word(enum api_scope scope);
/* The bits for words separated by spaces; ignores unknown words. */
uint8_t api_scopes_of(const char *words);

#endif
