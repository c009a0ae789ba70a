/* Compañeros by hand in C: the rules of src/brelan/games/companeros for three seats, played by uniformly random moves.

   The measure of the compiled twins: the same generator, the same matches, so the two must count the same decisions.

       gcc -O3 -march=native -o companeros companeros.c && ./companeros MATCHES      prints: decisions, seconds of work
*/

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "random.h"

enum { TAKE = 60, TRICKS = 9, PLAYERS = 3, COLOURS = 6 };
enum { SHUFFLE, PLAYING, TAKING, OVER };
enum { COLOUR = (1 << 10) - 1 };

static int WORTH[1 << 10];                               /* the sum of the values of any cards of one colour */

typedef struct {
    i64 turn, phase, finished, opener, leader, tricks, rounds, colours;
    u64 pot, trick, waiting;
    u64 hand[PLAYERS], captured[PLAYERS];
    i64 played[PLAYERS], gain[PLAYERS], total[PLAYERS];
} State;

/* ------------------------------------------------------------------ the deal */

static void deal(State *s, u64 *random) {
    int cards[60], n = 0;
    for (int card = 0; card < 60; card++)
        if (s->colours >> card / 10 & 1) cards[n++] = card;
    for (int i = n - 1; i > 0; i--) {
        int j = below(random, i + 1), card = cards[i];
        cards[i] = cards[j], cards[j] = card;
    }
    s->pot = 0;
    for (int seat = 0; seat < PLAYERS; seat++) {
        s->hand[seat] = s->captured[seat] = 0;
        s->played[seat] = 60;
        s->pot |= 1ull << cards[seat];
    }
    for (int i = PLAYERS; i < 10 * PLAYERS; i++) s->hand[(s->opener + i) % PLAYERS] |= 1ull << cards[i];
    s->tricks = 0;
    s->leader = s->turn = s->opener;
    s->phase = PLAYING;
}

/* ------------------------------------------------------------------ the count of a trick */

static inline int worth(u64 cards, int colour) { return WORTH[cards >> 10 * colour & COLOUR]; }

static u64 ties(u64 trick) {
    u64 once = 0, twice = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        if (trick >> 10 * colour & COLOUR) {
            u64 total = 1ull << worth(trick, colour);
            twice |= once & total, once |= total;
        }
    return twice;
}

static u64 takers(const State *s) {
    u64 tied = ties(s->trick), seats = 0;
    for (int seat = 0; seat < PLAYERS; seat++)
        if (1ull << worth(s->trick, s->played[seat] / 10) > tied) seats |= 1ull << seat;
    return seats;
}

static int next_taker(const State *s) {
    int best = 0, most = -1;
    for (int seat = 0; seat < PLAYERS; seat++)
        if (s->waiting >> seat & 1) {
            int strong = worth(s->trick, s->played[seat] / 10) * 16 + s->played[seat] % 10;
            if (strong > most) most = strong, best = seat;
        }
    return best;
}

static void end_round(State *s) {
    for (int seat = 0; seat < PLAYERS; seat++) {
        s->gain[seat] = 0;
        for (int colour = 0; colour < COLOURS; colour++) s->gain[seat] += worth(s->captured[seat], colour);
        s->total[seat] += s->gain[seat];
    }
    s->finished++;
    s->phase = s->finished == s->rounds ? OVER : SHUFFLE;
    if (s->phase == OVER) return;
    int best = s->opener;
    for (int i = 1; i < PLAYERS; i++) {
        int seat = (s->opener + i) % PLAYERS;
        if (s->total[seat] > s->total[best]) best = seat;
    }
    s->opener = s->leader = s->turn = best;
}

static void end_trick(State *s) {
    s->pot |= s->trick;
    s->trick = 0;
    s->turn = s->leader;
    s->phase = PLAYING;
    if (++s->tricks == TRICKS) end_round(s);
}

static void count(State *s) {
    s->waiting = takers(s);
    if (s->waiting) s->leader = s->turn = next_taker(s), s->phase = TAKING;
    else end_trick(s);
}

/* ------------------------------------------------------------------ play */

static inline int legal(const State *s, i64 *out) {
    int n = 0;
    if (s->phase == PLAYING)
        for (u64 rest = s->hand[s->turn]; rest; rest &= rest - 1) out[n++] = __builtin_ctzll(rest);
    else
        for (int colour = 0; colour < COLOURS; colour++)
            if (s->pot >> 10 * colour & COLOUR) out[n++] = TAKE + colour;
    return n;
}

static inline void play(State *s, i64 move) {
    int seat = s->turn;
    if (move < TAKE) {
        s->hand[seat] ^= 1ull << move;
        s->trick |= 1ull << move;
        s->played[seat] = move;
        s->turn = seat + 1 < PLAYERS ? seat + 1 : 0;
        if (s->turn == s->leader) count(s);
    } else {
        u64 cards = s->pot & (u64)COLOUR << 10 * (move - TAKE);
        s->captured[seat] |= cards;
        s->pot ^= cards;
        s->waiting ^= 1ull << seat;
        if (s->waiting && s->pot) s->turn = next_taker(s);
        else s->waiting = 0, end_trick(s);
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
    for (int cards = 0; cards < 1 << 10; cards++)
        for (int value = 0; value < 10; value++) WORTH[cards] += cards >> value & 1 ? value + 1 : 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (i64 match = 0; match < matches; match++) {
        u64 random = seeded(1ull << 32 | match);        /* run 1 */
        State s = {.rounds = 1, .colours = (1 << PLAYERS) - 1};
        s.opener = s.leader = s.turn = match % PLAYERS; /* the first seat goes round the table */
        decisions += play_out(&s, &random);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%lld %.9f\n", (long long)decisions, b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9);
    return 0;
}
