/* Gin Rami by hand in C: the rules of src/brelan/games/gin, their options included, played by uniformly random moves.

   The measure of the compiled twins: the same generator, the same matches, so the two must count the same decisions.

       gcc -O3 -march=native -o gin gin.c && ./gin MATCHES      prints: decisions, seconds of work
*/

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

enum { KNOCK = 52, DRAW = 104, TAKE, GIN, GIN_ON, PASS = 159 };
enum { SHUFFLE, OFFER, LAST_OFFER, MUST_DRAW, DRAWING, THROWING, OVER };
enum { SUIT = (1 << 13) - 1, ACE = 1024 };
static const u64 ACES = 1 | 1ull << 13 | 1ull << 26 | 1ull << 39;

typedef struct {
    i64 turn, phase, finished, dealer, next, thrown, taken, turns;
    i64 ace_high_runs, ace_value, upcard_offer, knock_limit, gin_on_ten, gin_bonus, big_gin_bonus, undercut_bonus;
    i64 stock_end, turn_cap, target;
    u64 hand[2], known[2];                              /* known: what the opponent has seen of a hand */
    i64 total[2];
    int8_t stock[52], discards[52];
} State;

/* ------------------------------------------------------------------ melds: one table of 2^14 rows a suit */

static int16_t LOOSE[1 << 14], RUNS[1 << 14];

static void fill(void) {
    for (int row = 1; row < 1 << 14; row++) {
        if (row & 1 && row >> 13) {
            int best = LOOSE[row ^ 1 << 13] <= LOOSE[row ^ 1] ? row ^ 1 << 13 : row ^ 1;
            LOOSE[row] = LOOSE[best], RUNS[row] = RUNS[best];
            continue;
        }
        int group = row & ~(row + (row & -row)), points = 0;
        int run = __builtin_popcount(group) >= 3;
        for (int r = 0; r < 14; r++)
            if (group >> r & 1) points += r % 13 ? (r % 13 < 9 ? r % 13 + 1 : 10) : ACE;
        LOOSE[row] = LOOSE[row ^ group] + (run ? 0 : points);
        RUNS[row] = RUNS[row ^ group] | (run ? group : 0);
    }
}

static inline u64 row_of(const State *s, u64 hand, int suit) {
    u64 row = hand >> 13 * suit & SUIT;
    return row | (row & s->ace_high_runs) << 13;
}

static inline i64 loose(const State *s, u64 hand, u64 table) {
    i64 left = 0;
    for (int suit = 0; suit < 4; suit++) left += LOOSE[row_of(s, hand, suit) | (table >> 14 * suit & 0x3FFF)];
    return (left & (ACE - 1)) + s->ace_value * (left >> 10);
}

static u64 runs_of(const State *s, u64 hand) {
    u64 table = 0;
    for (int suit = 0; suit < 4; suit++) table |= (u64)RUNS[row_of(s, hand, suit)] << 14 * suit;
    return table;
}

static inline u64 triples(u64 hand) {
    u64 a = hand & SUIT, b = hand >> 13 & SUIT, c = hand >> 26 & SUIT, d = hand >> 39;
    return (a & b & (c | d)) | (c & d & (a | b));
}

typedef struct { int count; u64 sets[64]; } Splits;     /* every choice of sets: eleven cards, at most 3 ranks */

static void splits(u64 hand, Splits *found) {
    found->count = 1, found->sets[0] = 0;
    for (u64 ranks = triples(hand); ranks; ranks &= ranks - 1) {
        u64 rank = ranks & -ranks, same = hand & ACES * rank;
        int before = found->count, four = __builtin_popcountll(same) == 4;
        for (int k = -1; k < (four ? 4 : 0); k++) {
            u64 set = k < 0 ? same : same & ~(rank << 13 * k);
            for (int i = 0; i < before; i++) found->sets[found->count++] = found->sets[i] | set;
        }
    }
}

static inline i64 least_loose(const State *s, u64 hand, u64 table) {
    i64 least = loose(s, hand, table);
    if (triples(hand)) {
        Splits ways;
        splits(hand, &ways);
        for (int i = 1; i < ways.count; i++) {
            i64 points = loose(s, hand ^ ways.sets[i], table);
            if (points < least) least = points;
        }
    }
    return least;
}

static inline i64 deadwood(const State *s, u64 hand) { return least_loose(s, hand, 0); }

static i64 least_after_layoffs(const State *s, u64 hand, u64 sets, u64 runs) {
    u64 fits = 0;
    for (int rank = 0; rank < 13; rank++)
        if (__builtin_popcountll(sets & ACES << rank) == 3) fits |= hand & ACES << rank;
    i64 least = (i64)1 << 40;
    for (u64 off = fits;; off = (off - 1) & fits) {
        i64 points = least_loose(s, hand ^ off, runs);
        if (points < least) least = points;
        if (!off) return least;
    }
}

static i64 least_answer(const State *s, u64 knocker, u64 defender) {
    i64 mine = deadwood(s, knocker), answer = 0;
    Splits ways;
    splits(knocker, &ways);
    for (int i = 0; i < ways.count; i++)
        if (loose(s, knocker ^ ways.sets[i], 0) == mine) {
            i64 points = least_after_layoffs(s, defender, ways.sets[i], runs_of(s, knocker ^ ways.sets[i]));
            if (points > answer) answer = points;
        }
    return answer;
}

/* ------------------------------------------------------------------ play */

static void deal(State *s, u64 *random) {
    for (int c = 0; c < 52; c++) s->stock[c] = c;
    for (int i = 51; i > 0; i--) {
        int j = below(random, i + 1), card = s->stock[i];
        s->stock[i] = s->stock[j], s->stock[j] = card;
    }
    s->turn = 1 - s->dealer;
    s->hand[0] = s->hand[1] = s->known[0] = s->known[1] = 0;
    for (int i = 0; i < 20; i++) s->hand[s->turn ^ (i & 1)] |= 1ull << s->stock[i];
    s->discards[0] = s->stock[20];
    s->thrown = 1, s->next = 21, s->taken = -1, s->turns = 0;
    s->phase = s->upcard_offer ? OFFER : DRAWING;
}

static i64 ending(const State *s, u64 ten, int card) {
    i64 points = deadwood(s, ten);
    if (points == 0 && s->gin_on_ten) return GIN_ON + card;
    return points <= s->knock_limit ? KNOCK + card : -1;
}

static int legal_throws(const State *s, i64 *out) {
    u64 hand = s->hand[s->turn];
    i64 now = deadwood(s, hand);
    int near = now <= s->knock_limit + (s->ace_value > 10 ? s->ace_value : 10), n = 0;
    if (now == 0 && (s->big_gin_bonus || !s->gin_on_ten)) out[n++] = GIN;
    for (u64 rest = hand; rest; rest &= rest - 1) {
        int card = __builtin_ctzll(rest);
        if (card == s->taken) continue;
        out[n++] = card;
        if (near) {
            i64 move = ending(s, hand ^ 1ull << card, card);
            if (move >= 0) out[n++] = move;
        }
    }
    return n;
}

static inline int legal(const State *s, i64 *out) {
    switch (s->phase) {
    case THROWING: return legal_throws(s, out);
    case DRAWING: out[0] = DRAW, out[1] = TAKE; return 2;
    case MUST_DRAW: out[0] = DRAW; return 1;
    default: out[0] = TAKE, out[1] = PASS; return 2;
    }
}

static void end(State *s, int winner, i64 points) {
    s->total[winner] += points;
    s->finished++;
    s->dealer = 1 - s->dealer;
    s->phase = s->total[winner] >= s->target ? OVER : SHUFFLE;
}

static inline void throw(State *s, int seat, int card) {
    s->hand[seat] ^= 1ull << card;
    s->known[seat] &= ~(1ull << card);
    s->discards[s->thrown++] = card;
}

static void knock(State *s, int seat) {
    i64 mine = deadwood(s, s->hand[seat]), theirs = least_answer(s, s->hand[seat], s->hand[1 - seat]);
    if (mine < theirs) end(s, seat, theirs - mine);
    else end(s, 1 - seat, mine - theirs + s->undercut_bonus);
}

static inline void play(State *s, i64 move) {
    int seat = s->turn;
    if (move < KNOCK) {
        throw(s, seat, move);
        s->turns++, s->turn = 1 - seat, s->phase = DRAWING;
        if (52 - s->next <= s->stock_end || s->turns == s->turn_cap) end(s, seat, 0);
    } else if (move == DRAW) {
        s->hand[seat] |= 1ull << s->stock[s->next++];
        s->taken = -1, s->phase = THROWING;
    } else if (move == TAKE) {
        s->taken = s->discards[--s->thrown];
        s->hand[seat] |= 1ull << s->taken;
        s->known[seat] |= 1ull << s->taken;
        s->phase = THROWING;
    } else if (move == PASS) {
        s->turn = 1 - seat;
        s->phase = s->phase == OFFER ? LAST_OFFER : MUST_DRAW;
    } else if (move == GIN) {
        end(s, seat, (s->gin_on_ten ? s->big_gin_bonus : s->gin_bonus) + deadwood(s, s->hand[1 - seat]));
    } else if (move >= GIN_ON) {
        throw(s, seat, move - GIN_ON);
        end(s, seat, s->gin_bonus + deadwood(s, s->hand[1 - seat]));
    } else {
        throw(s, seat, move - KNOCK);
        knock(s, seat);
    }
}

static i64 play_out(State *s, u64 *random) {
    i64 moves[64], n = 0;
    while (s->phase != OVER) {
        if (s->phase == SHUFFLE) deal(s, random);
        play(s, moves[below(random, legal(s, moves))]);
        n++;
    }
    return n;
}

int main(int count, char **words) {
    i64 matches = count > 1 ? atoll(words[1]) : 1000, decisions = 0;
    struct timespec a, b;
    fill();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (i64 match = 0; match < matches; match++) {
        u64 random = seeded(1ull << 32 | match);        /* run 1 */
        State s = {.ace_high_runs = 1, .ace_value = 1, .knock_limit = 10, .gin_bonus = 25, .undercut_bonus = 10,
                   .stock_end = 2, .turn_cap = 500, .target = 100};
        s.dealer = 1 - match % 2;                       /* the first seat goes round the table */
        decisions += play_out(&s, &random);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%lld %.9f\n", (long long)decisions, b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9);
    return 0;
}
