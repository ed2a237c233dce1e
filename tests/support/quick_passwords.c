/* Intercepts libsodium calls of a program (LD_PRELOAD): hashes passwords as cheaply as Argon2id allows.
 * Tests create thousands of accounts and as many guesses; tests/api/test_password.c checks the real cost. A
 * hash contains its parameters, so verification works as usual. While the file of RUMMY_TEST_PASSWORDS_WAIT
 * exists, no hash is computed, so that tests can fill the queue of hashes. */
#include <dlfcn.h>
#include <sodium.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_test(void)
{
    const char *file = getenv("RUMMY_TEST_PASSWORDS_WAIT");
    while (file && access(file, F_OK) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int crypto_pwhash(unsigned char *out, unsigned long long out_len, const char *password,
                  unsigned long long len, const unsigned char *salt, unsigned long long operations,
                  size_t memory, int algorithm)
{
    __typeof__(&crypto_pwhash) real = (__typeof__(&crypto_pwhash))dlsym(RTLD_NEXT, "crypto_pwhash");
    (void)operations;
    (void)memory;
    wait_for_test();
    return real(out, out_len, password, len, salt, crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN,
                algorithm);
}

int crypto_pwhash_str(char out[crypto_pwhash_STRBYTES], const char *password, unsigned long long len,
                      unsigned long long operations, size_t memory)
{
    __typeof__(&crypto_pwhash_str) real =
        (__typeof__(&crypto_pwhash_str))dlsym(RTLD_NEXT, "crypto_pwhash_str");
    (void)operations;
    (void)memory;
    wait_for_test();
    return real(out, password, len, crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN);
}
