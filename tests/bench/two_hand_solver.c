/* What a C programmer would write for two hands: the algorithm of spades_engine/search/kernel.py with the same order of
 * moves and the same table, so that it visits the same nodes; with the processor's own instructions for highest bit and
 * count of bits, one struct to a table entry, and no checks. A yardstick for the compiled kernel; no part of the engine.
 *
 * Standard input: lines "clear hand0 hand1 leader payoff0 ... payoffN", masks as the kernel takes them (card 13 * suit +
 * rank), `clear` 1 for a table without knowledge. Standard output: "value nodes" for each, and at last "seconds S" of
 * the processor's time for solving alone.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t Cards;
typedef struct {
    uint64_t key, more, proofs, card;
} Entry;

#define LANE(suit) ((Cards)0xFFFF << 16 * (suit))
#define SPADES LANE(3)
#define PLAIN (~SPADES)
#define FLOORS 0x0001000100010001u
#define LEADER ((Cards)1 << 14)
#define BROKEN ((Cards)1 << 30)
#define ONE(bit) ((uint64_t)1 << (bit))
#define BITS 14

static Entry table[2 << BITS];
static uint8_t surplus[1 << 14];
static uint64_t nodes;

static inline int length(uint64_t cards) { return cards ? 64 - __builtin_clzll(cards) : 0; }
static inline int count(uint64_t cards) { return __builtin_popcountll(cards); }
static inline Cards low(Cards cards) { return cards & -cards; }
static inline Cards top(Cards cards) { return ONE(length(cards) - 1); }
static inline Cards lane_of(Cards card) { return LANE((length(card) - 1) >> 4); }

static inline int sure(Cards mine, Cards theirs) {
    int first = surplus[(mine >> 7) << 7 | theirs >> 7];
    int second = count(mine >> 7) + surplus[(mine & 127) << 7 | (theirs & 127)];
    int spent = count(theirs >> 7);
    return second > first + spent ? second - spent : first;
}

static inline Cards drop(Cards hand, Cards card, Cards lane) {
    Cards above = hand & (lane ^ (lane & ((card << 1) - 1)));
    return (hand ^ above) | above >> 1;
}

static inline Entry *find(Cards key, int *found) {
    uint64_t mixed = (key & 0xFFFFFFFF) * MIX0 ^ (key >> 32) * MIX1;
    Entry *at = table + 2 * (mixed >> 32 & (ONE(BITS) - 1));
    *found = 1;
    if (at->key == key && at->more == 0) return at;
    if (at[1].key == key && at[1].more == 0) return at + 1;
    *found = 0;
    return at;
}

static void keep(Cards key, int left, int side, unsigned proof, Cards card) {
    int found;
    Entry *at = find(key, &found);
    if (!found) {
        if (at->key && at->proofs >> 32 > (uint64_t)left) at++;
        *at = (Entry){key, 0, (uint64_t)left << 32 | 0xFFFFFFFF, 0};
    }
    if (side == 0)
        at->proofs = (at->proofs & ~(uint64_t)0xFFFF) | proof;
    else
        at->proofs = (at->proofs & ~(uint64_t)0xFFFF0000) | (uint64_t)proof << 16;
    if (card) at->card = card;
}

static unsigned reply(Cards, Cards, int, int, int, unsigned, int, Cards, Cards);

static unsigned lead(Cards hand0, Cards hand1, int left, int leader, int broken, unsigned want) {
    nodes++;
    if (left == 1) {
        Cards first = leader ? hand1 : hand0, second = leader ? hand0 : hand1;
        if (second > first && second & (lane_of(first) | SPADES)) leader = 1 - leader;
        return leader ? 1 : 2;
    }
    int least = sure(hand0 >> 48, hand1 >> 48), most = left - sure(hand1 >> 48, hand0 >> 48);
    unsigned full = ONE(most + 1) - ONE(least);
    want &= full;
    if (want == 0 || want == full) return full;
    Cards mine = leader ? hand1 : hand0, theirs = leader ? hand0 : hand1;
    int quick = 0, shift = 48 + length(theirs >> 48);
    Cards tops = mine >> shift << shift, ruffed = 0;
    for (int suit = 0; suit < 3; suit++) {
        Cards cards = mine >> 16 * suit & 0xFFFF, others = theirs >> 16 * suit & 0xFFFF;
        if (!others && theirs & SPADES) {
            ruffed |= LANE(suit);
        } else if (cards > others) {
            int above = length(others);
            tops |= cards >> above << (above + 16 * suit);
            int ahead = length(cards) - above;
            if (ahead < count(others))
                quick += ahead;
            else
                quick += theirs & SPADES ? count(others) : count(cards);
        }
    }
    if (quick) {
        if (!leader) {
            unsigned proof = ONE(most + 1) - ONE(least + quick);
            if ((proof & want) == proof) return proof;
        } else {
            unsigned proof = ONE(most + 1 - quick) - ONE(least);
            if (!(proof & want)) return proof;
        }
    }
    Cards key = (hand0 | hand1) + FLOORS + hand1;
    if (leader) key |= LEADER;
    if (broken) key |= BROKEN;
    Cards first = 0;
    int found;
    Entry *at = find(key, &found);
    if (found) {
        unsigned proof = at->proofs & 0xFFFF;
        if ((proof & want) == proof) return proof;
        proof = at->proofs >> 16 & 0xFFFF;
        if (!(proof & want)) return proof;
        first = at->card;
    }
    int hungry = want >> most ? (want & ONE(least) ? 2 : 1) : want & ONE(least) ? 0 : 2;
    Cards rest = mine & PLAIN;
    if (broken || !rest) rest = mine;
    rest ^= rest & rest << 1;
    rest ^= first;
    tops &= rest;
    ruffed &= rest ^ tops;
    rest ^= tops | ruffed;
    unsigned failed = 0;
    while (first || tops || rest || ruffed) {
        Cards card;
        if (first) {
            card = first;
            first = 0;
        } else if (tops) {
            card = low(tops);
            tops ^= card;
        } else if (rest) {
            card = top(rest);
            rest ^= card;
        } else {
            card = top(ruffed);
            ruffed ^= card;
        }
        unsigned proof = leader ? reply(hand0, hand1 ^ card, left, 1, broken, want, hungry, card, lane_of(card))
                                : reply(hand0 ^ card, hand1, left, 0, broken, want, hungry, card, lane_of(card));
        if (!!(proof & want) == !leader) {
            keep(key, left, leader, proof, card);
            return proof;
        }
        failed |= proof;
    }
    keep(key, left, 1 - leader, failed, 0);
    return failed;
}

static inline unsigned finish(
    Cards hand0, Cards hand1, int left, int leader, int broken, unsigned want, Cards led, Cards lane, Cards card) {
    Cards other = lane_of(card);
    if ((led | card) & SPADES) broken = 1;
    if (card > led) {
        hand0 = drop(drop(hand0, card, other), led, lane);
        hand1 = drop(drop(hand1, card, other), led, lane);
        if (card & (lane | SPADES)) leader = 1 - leader;
    } else {
        hand0 = drop(drop(hand0, led, lane), card, other);
        hand1 = drop(drop(hand1, led, lane), card, other);
    }
    if (left == 1) return leader ? 1 : 2;
    if (leader) return lead(hand0, hand1, left - 1, 1, broken, want);
    return lead(hand0, hand1, left - 1, 0, broken, want >> 1) << 1;
}

static unsigned reply(
    Cards hand0, Cards hand1, int left, int leader, int broken, unsigned want, int hungry, Cards led, Cards lane) {
    nodes++;
    Cards mine = leader ? hand0 : hand1, legal = mine & lane;
    if (!legal) legal = mine;
    legal ^= legal & legal << 1;
    Cards winners = legal & (lane | SPADES);
    winners ^= winners & (led - 1);
    Cards losers = legal ^ winners;
    int early = hungry == 2 && !(mine & lane) ? 0 : hungry;
    unsigned failed = 0;
    while (winners || losers) {
        Cards card;
        if (winners && (early || !losers)) {
            card = hungry ? low(winners) : top(winners);
            winners ^= card;
        } else {
            card = hungry ? low(losers) : top(losers);
            losers ^= card;
        }
        unsigned proof = leader ? finish(hand0 ^ card, hand1, left, 1, broken, want, led, lane, card)
                                : finish(hand0, hand1 ^ card, left, 0, broken, want, led, lane, card);
        if (!!(proof & want) == !!leader) return proof;
        failed |= proof;
    }
    return failed;
}

static int by_size(const void *one, const void *two) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;
    return (a > b) - (a < b);
}

/* The value for side 0 with `leader` on lead and spades unbroken. */
static int64_t solve(uint64_t wide0, uint64_t wide1, int leader, int left, const int64_t *payoff) {
    Cards hand[2] = {0, 0}, moves[13];
    for (int suit = 0; suit < 4; suit++) {
        int at = 16 * suit;
        for (int card = 13 * suit; card < 13 * suit + 13; card++)
            if ((wide0 | wide1) >> card & 1) hand[wide1 >> card & 1] |= ONE(at++);
    }
    int64_t steps[14];
    memcpy(steps, payoff, (left + 1) * sizeof *steps);
    qsort(steps, left + 1, sizeof *steps, by_size);
    int kinds = 1, number = 0;
    for (int at = 1; at <= left; at++)
        if (steps[at] != steps[kinds - 1]) steps[kinds++] = steps[at];
    Cards mine = hand[leader] & PLAIN ? hand[leader] & PLAIN : hand[leader];
    for (Cards rest = mine ^ (mine & mine << 1); rest; rest &= rest - 1) moves[number++] = low(rest);
    int from = 0, to = kinds - 1;
    while (from < to) {
        int step = (from + to + 1) / 2;
        unsigned want = 0, proof = 0, failed = 0;
        for (int tricks = 0; tricks <= left; tricks++)
            if (payoff[tricks] >= steps[step]) want |= ONE(tricks);
        int done = 0;
        for (int move = 0; move < number && !done; move++) {
            Cards card = moves[move];
            proof = leader ? reply(hand[0], hand[1] ^ card, left, 1, 0, want, 1, card, lane_of(card))
                           : reply(hand[0] ^ card, hand[1], left, 0, 0, want, 1, card, lane_of(card));
            if (!!(proof & want) == !leader)
                done = 1;
            else
                failed |= proof;
        }
        if (!done) proof = failed;
        int at = proof & want ? kinds - 1 : 0;
        for (int tricks = 0; tricks <= left; tricks++)
            if (proof >> tricks & 1) {
                if (proof & want)
                    while (steps[at] > payoff[tricks]) at--;
                else
                    while (steps[at] < payoff[tricks]) at++;
            }
        if (proof & want)
            from = at;
        else
            to = at;
    }
    return steps[from];
}

int main(void) {
    for (int mine = 0; mine < 128; mine++)
        for (int theirs = 0; theirs < 128; theirs++) {
            int high = ONE(length(mine | theirs)) >> 1;
            int ahead = high ? surplus[(mine & (high - 1)) << 7 | (theirs & (high - 1))] : 0;
            if (mine & high) ahead++;
            if (theirs & high && ahead) ahead--;
            surplus[mine << 7 | theirs] = ahead;
        }
    uint64_t hand0, hand1;
    int clear, leader;
    double seconds = 0;
    while (scanf("%d %" SCNu64 " %" SCNu64 " %d", &clear, &hand0, &hand1, &leader) == 4) {
        int64_t payoff[14];
        int left = count(hand0);
        for (int tricks = 0; tricks <= left; tricks++)
            if (scanf("%" SCNd64, &payoff[tricks]) != 1) return 1;
        if (clear) memset(table, 0, sizeof table);
        nodes = 0;
        clock_t start = clock();
        int64_t value = solve(hand0, hand1, leader, left, payoff);
        seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        printf("%" PRId64 " %" PRIu64 "\n", value, nodes);
    }
    printf("seconds %f\n", seconds);
    return 0;
}
