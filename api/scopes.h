/* What a token may be good for, as bits and as words; see scopes.def. Pure, any thread. */
#ifndef RUMMYD_API_SCOPES_H
#define RUMMYD_API_SCOPES_H

#include <stdint.h>

/* As bits, so that whether a request may go on is one comparison. */
enum api_scope {
    API_SCOPE_ACCOUNT = 1, /* the account itself: who signed in as its owner */
#define API_SCOPE(id, bit, word) API_SCOPE_##id = 1 << (bit),
#include "api/scopes.def"
#undef API_SCOPE
    API_SCOPES_ALL = 0xff, /* of an owner's session: fits a byte */
};

enum {
#define API_SCOPE(id, bit, word) API_SCOPE_NO_##id,
#include "api/scopes.def"
#undef API_SCOPE
    API_SCOPES_N /* words that a token may have */
};

/* The words, NULL behind the last. */
extern const char *const api_scope_words[];

/* The word of one scope; "account" of that one. A literal. */
const char *api_scope_word(enum api_scope scope);
/* The bits of words with a blank between each; a word that is none counts nothing. */
uint8_t api_scopes_of(const char *words);

#endif
