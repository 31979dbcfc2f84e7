/* Committees: linear learners side by side, eight in lanes and seven in seats, and their mixture.

   The members in lanes see rows of any width; lanes never meet before the mixture, so that vectors
   of any width give the same bits. Those in seats are for narrow streams, and leave when the stream
   turns out not to be one. The members of a committee are those in lanes, then those in seats, in an
   order in which the last leave first: those who are `present` come before those who left.

   This file is compiled for each BREADTH that `committee.h` chooses from. The compiler alone
   does not vectorise the loops over lanes: they are written as vectors. */

#include "committee.h"
#include "lane_members.h"
#include "mixture.h"

/* The name of a function at this breadth. */
#define JOINED(name, breadth) name##_##breadth
#define AT(name, breadth) JOINED(name, breadth)

/* The sums of the members in seats. */
INLINE void seat_scores(const table_t *table, standard_t *row, turn_t *turns) {
    const int64_t n_lanes = table->state[0]->n_lanes, n_seats = table->state[0]->present - n_lanes;
    prepare_seats(row, table->state[0]->seat, n_seats);
    for (int64_t c = 0; c < table->n; c += ABREAST) {
        int64_t count = table->n - c < ABREAST ? table->n - c : ABREAST;
        for (int64_t i = 0; i < n_seats; i++) {
            seat_t *seat[ABREAST];
            sums_t *sums[ABREAST];
            for (int64_t k = 0; k < count; k++) {
                seat[k] = table->state[c + k]->seat + i;
                sums[k] = turns[c + k].sums + i;
            }
            seat_sums(seat, sums, count, row);
            for (int64_t k = 0; k < count; k++)
                turns[c + k].said.score[n_lanes + i] = sums[k]->score;
        }
    }
}

INLINE void learn_seats(committee_t *state, const standard_t *row, const turn_t *turn, double y) {
    for (int64_t i = 0; i < state->present - state->n_lanes; i++)
        learn_seat(state->seat + i, row, turn->sums[i], y, turn->weight);
}

/* What each committee says of the row, `turns[c].said.mixed`. */
void AT(judge, BREADTH)(const table_t *table, const row_t *row, turn_t *turns) {
    prepared_t prepared;
    _Alignas(LINE) standard_t standard;
    fetch(table, row->slot, row->n);
    prepare(&prepared, row, table->state[0]->view, 0);
    standardise(&standard, table->columns, row->slot, row->value, row->n, 0);
    member_scores(table, &prepared, turns);
    seat_scores(table, &standard, turns);
    listen_all(table, turns);
}

/* The same, and then all learn: for committee `own` the row is +1, for the others -1. */
void AT(play, BREADTH)(const table_t *table, const row_t *row, int64_t own, turn_t *turns) {
    prepared_t prepared;
    _Alignas(LINE) standard_t standard;
    const steps_t step = steps_by(table->state[0]->rule);
    prepare(&prepared, row, table->state[0]->view, 1);
    standardise(&standard, table->columns, row->slot, row->value, row->n, 1);
    member_scores(table, &prepared, turns);
    seat_scores(table, &standard, turns);
    for (int64_t c = 0; c < table->n; c++)
        member_steps(table->state[c], turns + c, c == own ? 1.0f : -1.0f, &step);
    listen_all(table, turns);
    learn_members(table, &prepared, turns, step);
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

#if defined(TAKES_APART)
/* ---- a row taken apart ------------------------------------------------------------------------ */

/* What `judge` does, and what each member of committee `c` adds for each feature of the row:
   LANES floats a feature. The row has values. */
void take_apart(const table_t *table, const row_t *row, int64_t c, turn_t *turns, float *part) {
    prepared_t prepared;
    judge_any(table, row, turns);
    prepare(&prepared, row, table->state[c]->view, 0);
    for (int64_t first = 0, last; first < row->n; first = last) {
        last = see(&prepared, first);
        for (int64_t k = first; k < last; k++) {
            const float *own = table->block + row->slot[k] * table->stride + c * 2 * LANES;
            store(part + k * LANES, mul(load(own), load(prepared.value[k - first])));
        }
    }
}
#endif
