/* Rounds of committees, with the instructions that every processor has (`any`), or with vectors of
   32 bytes where there are some: AVX2 (`wide`), or the masks and registers of AVX-512 as well
   (`widest`). All give the same bits. The loops are in `committee_loops.c`, compiled once for each. */

#ifndef THRESHER_COMMITTEE
#define THRESHER_COMMITTEE

#include "committee_state.h"

/* What each committee says of the row, `turns[c].said.mixed`. */
void judge_any(const table_t *table, const row_t *row, turn_t *turns);
void judge_wide(const table_t *table, const row_t *row, turn_t *turns);
void judge_widest(const table_t *table, const row_t *row, turn_t *turns);

/* The same, and then all learn: for committee `own` the row is +1, for the others -1. */
void play_any(const table_t *table, const row_t *row, int64_t own, turn_t *turns);
void play_wide(const table_t *table, const row_t *row, int64_t own, turn_t *turns);
void play_widest(const table_t *table, const row_t *row, int64_t own, turn_t *turns);

/* What `judge` does, and what each member of committee `c` adds for each feature of the row:
   LANES floats a feature. The row has values. */
void take_apart(const table_t *table, const row_t *row, int64_t c, turn_t *turns, float *part);

enum { ANY, WIDE, WIDEST };

/* The greatest breadth of this processor that was compiled. */
static inline int widest_here(void) {
#if defined(THRESHER_BREADTHS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return WIDEST;
    if (__builtin_cpu_supports("avx2")) return WIDE;
#endif
    return ANY;
}

static inline void judge(const table_t *table, const row_t *row, turn_t *turns, int breadth) {
#if defined(THRESHER_BREADTHS)
    if (breadth == WIDEST) { judge_widest(table, row, turns); return; }
    if (breadth == WIDE) { judge_wide(table, row, turns); return; }
#endif
    (void) breadth;
    judge_any(table, row, turns);
}

static inline void play(const table_t *table, const row_t *row, int64_t own, turn_t *turns,
                        int breadth) {
#if defined(THRESHER_BREADTHS)
    if (breadth == WIDEST) { play_widest(table, row, own, turns); return; }
    if (breadth == WIDE) { play_wide(table, row, own, turns); return; }
#endif
    (void) breadth;
    play_any(table, row, own, turns);
}

#endif
