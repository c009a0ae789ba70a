/* The generator of src/brelan/cards.py, for every program here: the same seed plays the same matches. */

#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;

static u64 hash32(u64 x) {
    x = ((x ^ x >> 16) * 0x21F0AAAD) & 0xFFFFFFFF;
    x = ((x ^ x >> 15) * 0x735A2D97) & 0xFFFFFFFF;
    return x ^ x >> 15;
}

static u64 seeded(u64 number) {
    u64 low = hash32(number & 0xFFFFFFFF), high = hash32((number >> 32) ^ low);
    low = hash32(low ^ high);
    return ((high & 0x3FFFFFFF) << 32 | low) + 1;
}

static inline u64 below(u64 *random, u64 n) {
    u64 x = *random;
    *random = (x & 0xFFFFFFFF) * 0x7BB7659D + (x >> 32);
    return (((x & 0xFFFFFFFF) ^ x >> 32) * n) >> 32;
}
