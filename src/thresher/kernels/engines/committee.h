/* Eight linear learners side by side, and the mixture of their predictions.

   A feature owns 16 floats, one line of the cache: the weight of each of the eight members, then
   the second number that each keeps (a variance, a sum of squares, a count). Lane l of every
   vector belongs to member l, and lanes never meet before the second half of this file, so that
   vectors of any width give the same bits. The second half is in doubles, a loop for each step.

   Everything is compiled twice, for any processor and for one with AVX2, and chosen at run time.
   The compiler alone does not vectorise the loops over lanes: they are written as vectors. */

#include "prepared_row.h"

#define EXPERTS (LANES + 2)   /* the members, their average, and their best combination */

/* How far a standardised score, and a log-odds, may go. */
#define FAR 4.0
#define SURE 8.0

enum { AROW, ADAGRAD, MEANS };

typedef struct {
    /* what the members are */
    int64_t n_members;
    int64_t rule[LANES];
    int64_t view[LANES];
    float setting[LANES];
    /* what the members share: rounds, and the sum of the labels */
    double rounds;
    double labels;
    float bias[2 * LANES];
    /* calibration: sum of squared scores, slope, curvature */
    double square[LANES];
    double slope[LANES];
    double curvature[LANES];
    /* the best combination: weights of the members and their covariance */
    double share[LANES];
    double spread[LANES * LANES];
    /* the mixture: prior and present weight of each expert */
    double prior[EXPERTS];
    double belief[EXPERTS];
    /* the record, of the experts and, last, of the mixture: a likelihood is value * 2^-512 places */
    double likelihood[EXPERTS + 1];
    int64_t places[EXPERTS + 1];
    int64_t mistakes[EXPERTS + 1];
} committee_t;

/* Committees that look at the same rows. Each has the same members, and of every feature a place
   of 16 floats; the places of a feature follow each other, `stride` floats for all of them. */
typedef struct {
    committee_t *const *state;
    int64_t n;
    float *block;
    int64_t stride;
} table_t;

typedef struct {
    double standard[LANES];     /* scores over their root mean square */
    double odds[EXPERTS];       /* log-odds of +1 */
    double lean[EXPERTS];       /* probability of +1 minus that of -1 */
    double mixed;               /* the same, of the mixture */
} opinions_t;

/* What happens in a committee during a round: sums of the members, their steps, what is said. */
typedef struct {
    float score[LANES], doubt[LANES];
    float c[LANES], e[LANES];
    opinions_t said;
} turn_t;

/* ---- the members --------------------------------------------------------------------------- */

INLINE void sum_feature(lanes *score, lanes *doubt, const float *own, lanes x) {
    *score = add(*score, mul(load(own), x));
    *doubt = add(*doubt, mul(mul(load(own + LANES), x), x));
}

/* score += sum of w x; doubt += sum of s x^2, which AROW needs; over a stretch of the row. */
INLINE void sum_stretch(turn_t *turn, const float *block, int64_t stride, const prepared_t *row,
                        int64_t first, int64_t last) {
    const int32_t *column = row->row->column;
    lanes score = load(turn->score), doubt = load(turn->doubt);
    if (row->row->value == NULL) {
        for (int64_t k = first; k < last; k++)
            sum_feature(&score, &doubt, block + column[k] * stride, row->ones);
    } else {
        for (int64_t k = first; k < last; k++)
            sum_feature(&score, &doubt, block + column[k] * stride, load(row->value[k - first]));
    }
    store(turn->score, score);
    store(turn->doubt, doubt);
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
    }
}

/* e^x for |x| <= 700, with no more than additions and products: the same bits on every machine. */
#define EXPONENTS 12
INLINE void exponentials(const double *x, double *out) {
    static const double terms[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
    const double shifter = 6755399441055744.0;  /* 1.5 * 2^52: rounds, and leaves k in the low bits */
    double power[EXPONENTS], r[EXPONENTS], sum[EXPONENTS];
    uint64_t low[EXPONENTS], high[EXPONENTS];
    for (int l = 0; l < EXPONENTS; l++) {
        double k;
        power[l] = x[l] * 1.4426950408889634 + shifter;
        k = power[l] - shifter;
        r[l] = (x[l] - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
        sum[l] = terms[0];
    }
    for (int t = 1; t < 13; t++)
        for (int l = 0; l < EXPONENTS; l++) sum[l] = sum[l] * r[l] + terms[t];
    memcpy(low, power, sizeof low);
    memcpy(high, sum, sizeof high);
    for (int l = 0; l < EXPONENTS; l++) high[l] += low[l] << 52;
    memcpy(out, high, sizeof high);
}

INLINE double clipped(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* For each member, what its step is made of: see `learn_feature`. */
INLINE void member_steps(const committee_t *state, turn_t *turn, float y) {
    const float *score = turn->score, *doubt = turn->doubt;
    float *c = turn->c, *e = turn->e;
    double far[EXPONENTS] = {0.0}, grown[EXPONENTS];
    double mean = state->labels / (state->rounds + 2.0);
    double room = 1.0 - mean * mean;
    for (int l = 0; l < LANES; l++) far[l] = clipped((double) (y * score[l]), 30.0);
    exponentials(far, grown);
    for (int l = 0; l < LANES; l++) {
        float margin = y * score[l];
        if (state->rule[l] == AROW) {
            int wanting = margin < 1.0f;
            c[l] = wanting ? y * (1.0f - margin) / (doubt[l] + state->setting[l]) : 0.0f;
            e[l] = wanting ? 1.0f / state->setting[l] : 0.0f;
        } else if (state->rule[l] == ADAGRAD) {
            e[l] = (float) (1.0 / (1.0 + grown[l]));
            c[l] = state->setting[l] * y * e[l];
        } else {
            c[l] = (float) (y - mean);
            e[l] = (float) (room > 0.01 ? room : 0.01);
        }
    }
}

typedef struct { lanes arow, adagrad, c, e; } steps_t;

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

INLINE void learn_stretch(const steps_t *step, float *block, int64_t stride, const prepared_t *row,
                          int64_t first, int64_t last) {
    const int32_t *column = row->row->column;
    if (row->row->value == NULL) {
        for (int64_t k = first; k < last; k++)
            learn_feature(block + column[k] * stride, row->ones, step);
    } else {
        for (int64_t k = first; k < last; k++)
            learn_feature(block + column[k] * stride, load(row->value[k - first]), step);
    }
}

/* Every committee learns the row by the steps of its members. */
INLINE void learn_members(const table_t *table, prepared_t *row, const turn_t *turns) {
    const int64_t *rule = table->state[0]->rule;
    steps_t step = {mask_of(rule, AROW), mask_of(rule, ADAGRAD), all(0.0f), all(0.0f)};
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
INLINE void fetch(const table_t *table, const int32_t *column, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        for (int64_t c = 0; c < table->n; c++)
            FETCH(table->block + column[k] * table->stride + c * 2 * LANES);
}

/* Ask for what the next row needs, if it is as long as this one. */
INLINE void fetch_ahead(const table_t *table, const row_t *row) {
    int64_t n = row->more < row->n ? row->more : row->n;
    for (int64_t k = 0; k < n; k++) FETCH(row->shrink + row->column[row->n + k]);
    fetch(table, row->column + row->n, n);
}

/* ---- the mixture ---------------------------------------------------------------------------- */

INLINE void listen(const committee_t *state, turn_t *turn) {
    const float *score = turn->score;
    opinions_t *to = &turn->said;
    int n = (int) state->n_members;
    double shrunk[EXPONENTS] = {0.0}, power[EXPONENTS];
    double average = 0.0, best = 0.0;
    for (int m = 0; m < n; m++) {
        double s = score[m];
        double square = (state->square[m] + s * s) / (state->rounds + 1.0);
        to->standard[m] = square > 0.0 ? clipped(s / sqrt(square), FAR) : 0.0;
        to->odds[m] = clipped(state->slope[m] * to->standard[m], SURE);
    }
    for (int m = 0; m < n; m++) average += to->odds[m];
    for (int m = 0; m < n; m++) best += state->share[m] * to->odds[m];
    to->odds[n] = average / n;
    to->odds[n + 1] = clipped(best, SURE);
    for (int m = n + 2; m < EXPERTS; m++) to->odds[m] = 0.0;
    for (int m = 0; m < EXPERTS; m++) shrunk[m] = -fabs(to->odds[m]);
    exponentials(shrunk, power);
    to->mixed = 0.0;
    for (int m = 0; m < EXPERTS; m++) {
        double lean = (1.0 - power[m]) / (1.0 + power[m]);
        to->lean[m] = to->odds[m] < 0.0 ? -lean : lean;
    }
    for (int m = 0; m < n + 2; m++) to->mixed += state->belief[m] * to->lean[m];
}

INLINE void note(committee_t *state, int expert, double lean, int wrong, double y) {
    double value = state->likelihood[expert] * (0.5 + 0.5 * y * lean);
    int small = value < 7.458340731200207e-155;   /* 2^-512 */
    state->likelihood[expert] = small ? value * 1.3407807929942597e154 : value;
    state->places[expert] += small;
    state->mistakes[expert] += wrong;
}

/* Newton's step on the logistic loss of the combination: share += spread odds, weighed. */
INLINE void learn_combination(committee_t *state, const opinions_t *said, double y) {
    int n = (int) state->n_members;
    double lean = said->lean[n + 1];
    double pull = 0.5 * (y - lean), bend = 0.25 * (1.0 - lean * lean);
    double moved[LANES] = {0.0}, doubt = 0.0, rate;
    for (int k = 0; k < n; k++)
        for (int m = 0; m < LANES; m++) moved[m] += state->spread[k * LANES + m] * said->odds[k];
    for (int m = 0; m < n; m++) doubt += moved[m] * said->odds[m];
    if (doubt < 0.0) doubt = 0.0;
    rate = 1.0 / (1.0 + bend * doubt);
    for (int m = 0; m < LANES; m++) state->share[m] += pull * rate * moved[m];
    for (int k = 0; k < n; k++) {
        double part = bend * rate * moved[k];
        for (int m = 0; m < LANES; m++) state->spread[k * LANES + m] -= part * moved[m];
    }
}

INLINE void learn_mixture(committee_t *state, const turn_t *turn, double y) {
    const float *score = turn->score;
    const opinions_t *said = &turn->said;
    int n = (int) state->n_members;
    double total = 0.0, forget = 1.0 / (state->rounds + 2.0);
    for (int m = 0; m < n + 2; m++) {
        double own = m < n ? score[m] : said->odds[m];
        note(state, m, said->lean[m], (own >= 0.0) != (y > 0.0), y);
    }
    note(state, EXPERTS, said->mixed, (said->mixed >= 0.0) != (y > 0.0), y);
    for (int m = 0; m < n + 2; m++) {
        state->belief[m] *= 1.0 + y * said->lean[m];
        total += state->belief[m];
    }
    for (int m = 0; m < n + 2; m++)
        state->belief[m] = (1.0 - forget) * (state->belief[m] / total) + forget * state->prior[m];
    learn_combination(state, said, y);
    for (int m = 0; m < n; m++) {
        double f = said->standard[m], lean = said->lean[m], s = score[m];
        state->square[m] += s * s;
        state->curvature[m] += 0.25 * (1.0 - lean * lean) * (f * f);
        state->slope[m] += 0.5 * (y - lean) * f / state->curvature[m];
        if (state->slope[m] < 0.01) state->slope[m] = 0.01;
    }
}

/* ---- a round ---------------------------------------------------------------------------------- */

/* What each committee says of the row, `turns[c].said.mixed`. */
INLINE void judge_row(const table_t *table, const row_t *row, turn_t *turns) {
    prepared_t prepared;
    fetch(table, row->column, row->n);
    prepare(&prepared, row, table->state[0]->view, 0);
    member_scores(table, &prepared, turns);
    for (int64_t c = 0; c < table->n; c++) listen(table->state[c], turns + c);
}

/* The same, and then all learn: for committee `own` the row is +1, for the others -1. */
INLINE void play_row(const table_t *table, const row_t *row, int64_t own, turn_t *turns) {
    prepared_t prepared;
    prepare(&prepared, row, table->state[0]->view, 1);
    member_scores(table, &prepared, turns);
    fetch_ahead(table, row);
    for (int64_t c = 0; c < table->n; c++) {
        listen(table->state[c], turns + c);
        member_steps(table->state[c], turns + c, c == own ? 1.0f : -1.0f);
    }
    learn_members(table, &prepared, turns);
    for (int64_t c = 0; c < table->n; c++) {
        double y = c == own ? 1.0 : -1.0;
        learn_mixture(table->state[c], turns + c, y);
        table->state[c]->rounds += 1.0;
        table->state[c]->labels += y;
    }
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
            const float *own = table->block + row->column[k] * table->stride + c * 2 * LANES;
            store(part + k * LANES, mul(load(own), load(prepared.value[k - first])));
        }
    }
}
