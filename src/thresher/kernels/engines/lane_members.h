/* The members in lanes: eight linear learners side by side.

   A feature owns 16 floats, one line of the cache: the weight of each of the eight members, then
   the second number that each keeps (a variance, a sum of squares, a count). Lane l of every
   vector belongs to member l, and lanes never meet. */

#ifndef THRESHER_LANE_MEMBERS
#define THRESHER_LANE_MEMBERS

#include "committee_state.h"
#include "exponentials.h"

typedef struct { lanes arow, adagrad, c, e; } steps_t;

INLINE steps_t steps_by(const int64_t *rule) {
    steps_t step = {mask_of(rule, AROW), mask_of(rule, ADAGRAD), all(0.0f), all(0.0f)};
    return step;
}

INLINE void sum_feature(lanes *score, lanes *doubt, const float *own, lanes x) {
    *score = add(*score, mul(load(own), x));
    *doubt = add(*doubt, mul(mul(load(own + LANES), x), x));
}

/* score += sum of w x; doubt += sum of s x^2, which AROW needs; over a stretch of the row. */
INLINE void sum_stretch(turn_t *turn, const float *block, int64_t stride, const prepared_t *row,
                        int64_t first, int64_t last) {
    const int32_t *slot = row->row->slot;
    lanes score = load(turn->score), doubt = load(turn->doubt);
    if (row->row->value == NULL) {
        for (int64_t k = first; k < last; k++)
            sum_feature(&score, &doubt, block + slot[k] * stride, row->ones);
    } else {
        for (int64_t k = first; k < last; k++)
            sum_feature(&score, &doubt, block + slot[k] * stride, load(row->value[k - first]));
    }
    store(turn->score, score);
    store(turn->doubt, doubt);
}

/* The scores of the members in lanes as what is said; those of other members follow. */
INLINE void say_scores(turn_t *turn, int64_t n_lanes) {
    for (int m = 0; m < LANES; m++) turn->said.score[m] = m < n_lanes ? turn->score[m] : 0.0;
    for (int m = LANES; m < PLACES; m++) turn->said.score[m] = 0.0;
}

/* The sums of each committee; the constant feature comes last. */
INLINE void member_scores(const table_t *table, prepared_t *row, turn_t *turns) {
    for (int64_t c = 0; c < table->n; c++) {
        memset(turns[c].score, 0, sizeof turns[c].score);
        memset(turns[c].doubt, 0, sizeof turns[c].doubt);
    }
    for (int64_t first = 0, last; first < row->row->n; first = last) {
        last = see(row, first);
        for (int64_t c = 0; c < table->n; c++)
            sum_stretch(turns + c, table->block + c * 2 * LANES, table->stride, row, first, last);
    }
    for (int64_t c = 0; c < table->n; c++) {
        lanes score = load(turns[c].score), doubt = load(turns[c].doubt);
        sum_feature(&score, &doubt, table->state[c]->bias, all(1.0f));
        store(turns[c].score, score);
        store(turns[c].doubt, doubt);
        say_scores(turns + c, table->state[c]->n_lanes);
    }
}

/* For each member, what its step is made of: see `learn_feature`. The rules are those of `step`. */
INLINE void member_steps(const committee_t *state, turn_t *turn, float y, const steps_t *step) {
    const lanes signs = all(y), setting = load(state->setting), weights = all((float) turn->weight);
    const lanes margin = mul(signs, load(turn->score)), wanting = less(margin, all(1.0f));
    const double mean = state->labels / (state->mass + 2.0), weight = turn->weight;
    const double room = 1.0 - mean * mean;
    double far[LANES];
    float margins[LANES], gradient[LANES];
    four grown[FOURS(LANES)];
    lanes arow_c, arow_e, pull, count;
    store(margins, margin);
    for (int l = 0; l < LANES; l++) far[l] = margins[l];
    for (int i = 0; i < FOURS(LANES); i++) grown[i] = clipped4(load4(far + 4 * i), 30.0);
    exponentials(grown, FOURS(LANES));
    for (int i = 0; i < FOURS(LANES); i++)
        store4(far + 4 * i, over4(all4(weight), add4(all4(1.0), grown[i])));
    for (int l = 0; l < LANES; l++) gradient[l] = (float) far[l];
    arow_c = mul(signs, sub(all(1.0f), margin));
    arow_c = keep(over(arow_c, add(load(turn->doubt), over(setting, weights))), wanting);
    arow_e = keep(over(weights, setting), wanting);
    pull = mul(mul(setting, signs), load(gradient));
    count = all((float) (weight * (room > 0.01 ? room : 0.01)));
    store(turn->c, pick(step->arow, arow_c, pick(step->adagrad, pull, all((float) (weight * (y - mean))))));
    store(turn->e, pick(step->arow, arow_e, pick(step->adagrad, load(gradient), count)));
}

/* AROW:    w += c x s           s  = s / (1 + s x^2 e)          e = 1/r
   AdaGrad: s += (e x)^2         w += c x / sqrt(s)              e = size of the gradient
   means:   s += e |x|           w += (c x - w e |x|) / s        w is a mean of labels, s their number */
INLINE void learn_feature(float *own, lanes x, const steps_t *step) {
    lanes w = load(own), s = load(own + LANES);
    lanes cx = mul(step->c, x), ex = mul(step->e, x), sx = mul(s, x), count = magnitude(ex);
    lanes sum = add(s, pick(step->adagrad, mul(ex, ex), count));
    lanes below = pick(step->arow, add(all(1.0f), mul(sx, ex)), pick(step->adagrad, root(sum), sum));
    lanes above = pick(step->arow, s, pick(step->adagrad, cx, sub(cx, mul(w, count))));
    lanes ratio = over(above, below);
    store(own, add(w, pick(step->arow, mul(cx, s), ratio)));
    store(own + LANES, pick(step->arow, ratio, sum));
}

/* The weights that a later row needs are asked for on the way: see `way_ahead`. */
INLINE void learn_stretch(const steps_t *step, float *block, int64_t stride, const prepared_t *row,
                          int64_t first, int64_t last) {
    const int32_t *slot = row->row->slot;
    const int64_t ahead = way_ahead(row->row, last);
    if (row->row->value == NULL) {
        for (int64_t k = first; k < last; k++) {
            FETCH(block + slot[k + ahead] * stride);
            learn_feature(block + slot[k] * stride, row->ones, step);
        }
    } else {
        for (int64_t k = first; k < last; k++) {
            FETCH(block + slot[k + ahead] * stride);
            learn_feature(block + slot[k] * stride, load(row->value[k - first]), step);
        }
    }
}

/* Every committee learns the row by the steps of its members. */
INLINE void learn_members(const table_t *table, prepared_t *row, const turn_t *turns,
                          steps_t step) {
    for (int64_t first = 0, last; first < row->row->n; first = last) {
        last = see(row, first);
        for (int64_t c = 0; c < table->n; c++) {
            step.c = load(turns[c].c);
            step.e = load(turns[c].e);
            learn_stretch(&step, table->block + c * 2 * LANES, table->stride, row, first, last);
        }
    }
    for (int64_t c = 0; c < table->n; c++) {
        step.c = load(turns[c].c);
        step.e = load(turns[c].e);
        learn_feature(table->state[c]->bias, all(1.0f), &step);
    }
}

/* Ask for the weights of so many features: they arrive while something else is done. */
INLINE void fetch(const table_t *table, const int32_t *slot, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        for (int64_t c = 0; c < table->n; c++)
            FETCH(table->block + slot[k] * table->stride + c * 2 * LANES);
}

#endif
