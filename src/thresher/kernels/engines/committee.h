/* Committees: linear learners side by side, eight in lanes and five in seats, and their mixture.

   The members in lanes see rows of any width; lanes never meet before the mixture, so that vectors
   of any width give the same bits. Those in seats are for narrow streams, and leave when the stream
   turns out not to be one. The members of a committee are those in lanes, then those in seats, in an
   order in which the last leave first: those who are `present` come before those who left.

   Everything is compiled twice, for any processor and for one with AVX2, and chosen at run time.
   The compiler alone does not vectorise the loops over lanes: they are written as vectors. */

#include "lane_members.h"
#include "mixture.h"

/* The sums of the members in seats. */
INLINE void seat_scores(const table_t *table, const standard_t *row, turn_t *turns) {
    for (int64_t c = 0; c < table->n; c++) {
        const committee_t *state = table->state[c];
        for (int64_t i = 0; i < state->present - state->n_lanes; i++)
            turns[c].sums[i] = seat_sums(state->seat + i, row);
    }
}

INLINE void learn_seats(committee_t *state, const standard_t *row, const turn_t *turn, double y) {
    for (int64_t i = 0; i < state->present - state->n_lanes; i++)
        learn_seat(state->seat + i, row, turn->sums[i], y, turn->weight);
}

/* What each committee says of the row, `turns[c].said.mixed`. */
INLINE void judge_row(const table_t *table, const row_t *row, turn_t *turns) {
    prepared_t prepared;
    standard_t standard;
    fetch(table, row->slot, row->n);
    prepare(&prepared, row, table->state[0]->view, 0);
    standardise(&standard, table->columns, row->slot, row->value, row->n, 0);
    member_scores(table, &prepared, turns);
    seat_scores(table, &standard, turns);
    for (int64_t c = 0; c < table->n; c++) listen(table->state[c], turns + c);
}

/* The same, and then all learn: for committee `own` the row is +1, for the others -1. */
INLINE void play_row(const table_t *table, const row_t *row, int64_t own, turn_t *turns) {
    prepared_t prepared;
    standard_t standard;
    prepare(&prepared, row, table->state[0]->view, 1);
    standardise(&standard, table->columns, row->slot, row->value, row->n, 1);
    member_scores(table, &prepared, turns);
    seat_scores(table, &standard, turns);
    fetch_ahead(table, row);
    for (int64_t c = 0; c < table->n; c++) {
        listen(table->state[c], turns + c);
        member_steps(table->state[c], turns + c, c == own ? 1.0f : -1.0f);
    }
    learn_members(table, &prepared, turns);
    for (int64_t c = 0; c < table->n; c++) {
        double y = c == own ? 1.0 : -1.0;
        if (turns[c].weight > 0.0) {
            learn_seats(table->state[c], &standard, turns + c, y);
            learn_mixture(table->state[c], turns + c, y);
        }
        let_go(table->state[c], table->columns, standard.overflow);
    }
    if (standard.overflow) table->columns->n = 0;
}

#if defined(__GNUC__) && defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
WIDE static void judge_wide(const table_t *t, const row_t *r, turn_t *turns) {
    judge_row(t, r, turns);
}
WIDE static void play_wide(const table_t *t, const row_t *r, int64_t own, turn_t *turns) {
    play_row(t, r, own, turns);
}
static int wide_here(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define judge_wide judge_row
#define play_wide play_row
static int wide_here(void) { return 0; }
#endif

static void judge(const table_t *table, const row_t *row, turn_t *turns, int wide) {
    if (wide) judge_wide(table, row, turns);
    else judge_row(table, row, turns);
}

static void play(const table_t *table, const row_t *row, int64_t own, turn_t *turns, int wide) {
    if (wide) play_wide(table, row, own, turns);
    else play_row(table, row, own, turns);
}

/* ---- a row taken apart ------------------------------------------------------------------------ */

/* What `judge` does, and what each member of committee `c` adds for each feature of the row:
   LANES floats a feature. The row has values. */
static void take_apart(const table_t *table, const row_t *row, int64_t c, turn_t *turns,
                       float *part) {
    prepared_t prepared;
    judge_row(table, row, turns);
    prepare(&prepared, row, table->state[c]->view, 0);
    for (int64_t first = 0, last; first < row->n; first = last) {
        last = see(&prepared, first);
        for (int64_t k = first; k < last; k++) {
            const float *own = table->block + row->slot[k] * table->stride + c * 2 * LANES;
            store(part + k * LANES, mul(load(own), load(prepared.value[k - first])));
        }
    }
}
