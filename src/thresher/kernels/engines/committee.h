/* Linear learners side by side, eight in lanes and four in seats, and the mixture of their predictions.

   A feature owns 16 floats, one line of the cache: the weight of each of the eight members, then
   the second number that each keeps (a variance, a sum of squares, a count). Lane l of every
   vector belongs to member l, and lanes never meet before the second half of this file, so that
   vectors of any width give the same bits. The second half is in doubles, a loop for each step.

   The seats (seats.h) are for narrow streams, and are left when the stream turns out not to be
   one. The members of a committee are those in lanes, then those in seats, in an order in which
   the last leave first: those who are `present` come before those who left.

   Everything is compiled twice, for any processor and for one with AVX2, and chosen at run time.
   The compiler alone does not vectorise the loops over lanes: they are written as vectors. */

#include "prepared_row.h"
#include "seats.h"

#define SEATS 4
#define MEMBERS (LANES + SEATS)
#define EXPERTS (MEMBERS + 2)   /* the members, their average, and their best combination */

/* How far a standardised score, and a log-odds, may go. */
#define FAR 4.0
#define SURE 8.0

enum { AROW, ADAGRAD, MEANS };

typedef struct {
    /* what the members are: how many, how many of them in lanes, how many have not left */
    int64_t n_members;
    int64_t n_lanes;
    int64_t present;
    int64_t rule[LANES];
    int64_t view[LANES];
    float setting[LANES];
    seat_t seat[SEATS];
    /* what the members share: rounds, what they weighed, the weighed sum of the labels, and in
       how many rounds the weight was not 1 */
    double rounds;
    double mass;
    double labels;
    double weighed;
    float bias[2 * LANES];
    /* calibration: sum of squared scores, slope, curvature */
    double square[MEMBERS];
    double slope[MEMBERS];
    double curvature[MEMBERS];
    /* the best combination: weights of the members and their covariance */
    double share[MEMBERS];
    double spread[MEMBERS * MEMBERS];
    /* the mixture: prior and present weight of each expert; members, average, combination */
    double prior[EXPERTS];
    double belief[EXPERTS];
    /* the record, of the experts and, next, of the mixture: a likelihood is value * 2^-512 places */
    double likelihood[EXPERTS + 1];
    int64_t places[EXPERTS + 1];
    int64_t mistakes[EXPERTS + 1];
} committee_t;

/* Committees that look at the same rows. Each has the same members, and of every feature a place
   of 16 floats; the places of a feature follow each other, `stride` floats for all of them. */
typedef struct {
    committee_t *const *state;
    columns_t *columns;
    int64_t n;
    float *block;
    int64_t stride;
} table_t;

/* Of the members who are present, then of the average and the combination. */
typedef struct {
    double score[MEMBERS];
    double standard[MEMBERS];   /* scores over their root mean square */
    double odds[EXPERTS];       /* log-odds of +1 */
    double lean[EXPERTS];       /* probability of +1 minus that of -1 */
    double mixed;               /* the same, of the mixture */
} opinions_t;

/* What happens in a committee during a round: what the row weighs, to be set by who calls; sums of
   the members, their steps, what is said. */
typedef struct {
    double weight;
    float score[LANES], doubt[LANES];
    float c[LANES], e[LANES];
    sums_t sums[SEATS];
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
#define EXPONENTS 16
INLINE void exponentials(const double *x, double *out, const int n) {
    static const double terms[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
    const double shifter = 6755399441055744.0;  /* 1.5 * 2^52: rounds, and leaves k in the low bits */
    double power[EXPONENTS], r[EXPONENTS], sum[EXPONENTS];
    uint64_t low[EXPONENTS], high[EXPONENTS];
    for (int l = 0; l < n; l++) {
        double k;
        power[l] = x[l] * 1.4426950408889634 + shifter;
        k = power[l] - shifter;
        r[l] = (x[l] - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
        sum[l] = terms[0];
    }
    for (int t = 1; t < 13; t++)
        for (int l = 0; l < n; l++) sum[l] = sum[l] * r[l] + terms[t];
    memcpy(low, power, sizeof low[0] * n);
    memcpy(high, sum, sizeof high[0] * n);
    for (int l = 0; l < n; l++) high[l] += low[l] << 52;
    memcpy(out, high, sizeof high[0] * n);
}

INLINE double clipped(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* For each member, what its step is made of: see `learn_feature`. */
INLINE void member_steps(const committee_t *state, turn_t *turn, float y) {
    const float *score = turn->score, *doubt = turn->doubt;
    float *c = turn->c, *e = turn->e;
    double far[EXPONENTS] = {0.0}, grown[EXPONENTS];
    double mean = state->labels / (state->mass + 2.0);
    double room = 1.0 - mean * mean, weight = turn->weight;
    for (int l = 0; l < LANES; l++) far[l] = clipped((double) (y * score[l]), 30.0);
    exponentials(far, grown, LANES);
    for (int l = 0; l < LANES; l++) {
        float margin = y * score[l];
        if (state->rule[l] == AROW) {
            int wanting = margin < 1.0f;
            float r = state->setting[l] / (float) weight;
            c[l] = wanting ? y * (1.0f - margin) / (doubt[l] + r) : 0.0f;
            e[l] = wanting ? (float) weight / state->setting[l] : 0.0f;
        } else if (state->rule[l] == ADAGRAD) {
            e[l] = (float) (weight / (1.0 + grown[l]));
            c[l] = state->setting[l] * y * e[l];
        } else {
            c[l] = (float) (weight * (y - mean));
            e[l] = (float) (weight * (room > 0.01 ? room : 0.01));
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
    opinions_t *to = &turn->said;
    int n = (int) state->present, lanes_used = (int) state->n_lanes, all_members = (int) state->n_members;
    double shrunk[EXPONENTS] = {0.0}, power[EXPONENTS];
    double average = 0.0, best = 0.0;
    for (int m = 0; m < lanes_used; m++) to->score[m] = turn->score[m];
    for (int m = lanes_used; m < n; m++) to->score[m] = turn->sums[m - lanes_used].score;
    for (int m = 0; m < n; m++) {
        double s = to->score[m];
        double square = (state->square[m] + s * s) / (state->rounds + 1.0);
        to->standard[m] = square > 0.0 ? clipped(s / sqrt(square), FAR) : 0.0;
        to->odds[m] = clipped(state->slope[m] * to->standard[m], SURE);
    }
    for (int m = 0; m < n; m++) average += to->odds[m];
    for (int m = 0; m < n; m++) best += state->share[m] * to->odds[m];
    to->odds[n] = n > 0 ? average / n : 0.0;
    to->odds[n + 1] = clipped(best, SURE);
    for (int e = 0; e < n + 2; e++) shrunk[e] = -fabs(to->odds[e]);
    if (n <= LANES) exponentials(shrunk, power, 12);
    else exponentials(shrunk, power, 16);
    to->mixed = 0.0;
    for (int e = 0; e < n + 2; e++) {
        double lean = (1.0 - power[e]) / (1.0 + power[e]);
        to->lean[e] = to->odds[e] < 0.0 ? -lean : lean;
    }
    for (int e = 0; e < n; e++) to->mixed += state->belief[e] * to->lean[e];
    for (int e = 0; e < 2; e++) to->mixed += state->belief[all_members + e] * to->lean[n + e];
}

INLINE void note(committee_t *state, int expert, double lean, int wrong, double y) {
    double value = state->likelihood[expert] * (0.5 + 0.5 * y * lean);
    int small = value < 7.458340731200207e-155;   /* 2^-512 */
    state->likelihood[expert] = small ? value * 1.3407807929942597e154 : value;
    state->places[expert] += small;
    state->mistakes[expert] += wrong;
}

/* The record of everybody. Who left is taken to say what the mixture says. */
INLINE void note_all(committee_t *state, const opinions_t *said, double y) {
    int n = (int) state->present, all_members = (int) state->n_members;
    int wrong = (said->mixed >= 0.0) != (y > 0.0);
    for (int m = 0; m < n; m++) note(state, m, said->lean[m], (said->score[m] >= 0.0) != (y > 0.0), y);
    for (int m = n; m < all_members; m++) note(state, m, said->mixed, wrong, y);
    for (int e = 0; e < 2; e++)
        note(state, all_members + e, said->lean[n + e], (said->odds[n + e] >= 0.0) != (y > 0.0), y);
    note(state, all_members + 2, said->mixed, wrong, y);
}

/* Newton's step on the logistic loss of the combination: share += spread odds, weighed. */
INLINE void learn_combination(committee_t *state, const opinions_t *said, double y, double weight,
                              const int width) {
    int n = (int) state->present;
    double lean = said->lean[n + 1];
    double pull = weight * (0.5 * (y - lean)), bend = weight * (0.25 * (1.0 - lean * lean));
    double moved[MEMBERS] = {0.0}, doubt = 0.0, rate;
    for (int k = 0; k < n; k++)
        for (int m = 0; m < width; m++) moved[m] += state->spread[k * MEMBERS + m] * said->odds[k];
    for (int m = 0; m < n; m++) doubt += moved[m] * said->odds[m];
    if (doubt < 0.0) doubt = 0.0;
    rate = 1.0 / (1.0 + bend * doubt);
    for (int m = 0; m < width; m++) state->share[m] += pull * rate * moved[m];
    for (int k = 0; k < n; k++) {
        double part = bend * rate * moved[k];
        for (int m = 0; m < width; m++) state->spread[k * MEMBERS + m] -= part * moved[m];
    }
}

/* ln x for x in (0, 1] and normal: x = 2^k m with m between 1/sqrt 2 and sqrt 2, ln m = 2 artanh. */
INLINE double logarithm(double x) {
    uint64_t pattern;
    double m, k, t, sum = 0.0;
    memcpy(&pattern, &x, sizeof x);
    k = (double) ((int64_t) (pattern >> 52) - 1023);
    pattern = (pattern & 0xfffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&m, &pattern, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k += 1.0;
    }
    t = (m - 1.0) / (m + 1.0);
    for (int i = 23; i > 0; i -= 2) sum = sum * (t * t) + 1.0 / i;
    return 2.0 * (t * sum) + k * 0.6931471805599453;
}

/* What the belief in each expert is multiplied with: the probability it gave to the label, to the
   power of the weight; over that of the best if the weight is not 1, lest all vanish. */
INLINE void likelihoods(const opinions_t *said, int n, double y, double weight, double *to) {
    double most = -1e300, power[EXPONENTS] = {0.0};
    for (int e = 0; e < n; e++) to[e] = 1.0 + y * said->lean[e];
    if (weight == 1.0) return;
    for (int e = 0; e < n; e++) {
        power[e] = logarithm(0.5 * to[e]);
        if (power[e] > most) most = power[e];
    }
    for (int e = 0; e < n; e++) {
        power[e] = weight * (power[e] - most);
        if (power[e] < -700.0) power[e] = -700.0;
    }
    exponentials(power, to, EXPONENTS);
}

INLINE void learn_beliefs(committee_t *state, const opinions_t *said, double y, double weight) {
    int n = (int) state->present, all_members = (int) state->n_members;
    double total = 0.0, forget = 1.0 / (state->rounds + 2.0), factor[EXPONENTS];
    likelihoods(said, n + 2, y, weight, factor);
    for (int e = 0; e < n + 2; e++) {
        int m = e < n ? e : e - n + all_members;
        state->belief[m] *= factor[e];
        total += state->belief[m];
    }
    for (int e = 0; e < n + 2; e++) {
        int m = e < n ? e : e - n + all_members;
        state->belief[m] = (1.0 - forget) * (state->belief[m] / total) + forget * state->prior[m];
    }
}

INLINE void learn_mixture(committee_t *state, const turn_t *turn, double y) {
    const opinions_t *said = &turn->said;
    int n = (int) state->present;
    double weight = turn->weight;
    note_all(state, said, y);
    learn_beliefs(state, said, y, weight);
    if (n <= LANES) learn_combination(state, said, y, weight, LANES);
    else learn_combination(state, said, y, weight, MEMBERS);
    for (int m = 0; m < n; m++) {
        double f = said->standard[m], lean = said->lean[m], s = said->score[m];
        state->square[m] += s * s;
        state->curvature[m] += weight * (0.25 * (1.0 - lean * lean)) * (f * f);
        state->slope[m] += weight * (0.5 * (y - lean)) * f / state->curvature[m];
        if (state->slope[m] < 0.01) state->slope[m] = 0.01;
    }
    state->rounds += 1.0;
    state->mass += weight;
    state->labels += weight * y;
    state->weighed += weight != 1.0;
}

/* Those leave for whom the stream has too many columns; the weights of all who stay grow alike. */
INLINE void let_go(committee_t *state, const columns_t *columns, int overflow) {
    int all_members = (int) state->n_members;
    int64_t n = state->present, before = n;
    double prior = 0.0, belief = 0.0;
    while (n > state->n_lanes
           && (overflow || columns->n - 1 > most_columns(state->seat[n - 1 - state->n_lanes].kind)))
        n--;
    if (n == before) return;
    for (int64_t m = n; m < before; m++) state->prior[m] = state->belief[m] = 0.0;
    state->present = n;
    for (int m = 0; m < all_members + 2; m++) {
        prior += state->prior[m];
        belief += state->belief[m];
    }
    for (int m = 0; m < all_members + 2; m++) {
        state->prior[m] /= prior;
        state->belief[m] /= belief;
    }
}

/* ---- a round ---------------------------------------------------------------------------------- */

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
    fetch(table, row->column, row->n);
    prepare(&prepared, row, table->state[0]->view, 0);
    standardise(&standard, table->columns, row->column, row->value, row->n, 0);
    member_scores(table, &prepared, turns);
    seat_scores(table, &standard, turns);
    for (int64_t c = 0; c < table->n; c++) listen(table->state[c], turns + c);
}

/* The same, and then all learn: for committee `own` the row is +1, for the others -1. */
INLINE void play_row(const table_t *table, const row_t *row, int64_t own, turn_t *turns) {
    prepared_t prepared;
    standard_t standard;
    prepare(&prepared, row, table->state[0]->view, 1);
    standardise(&standard, table->columns, row->column, row->value, row->n, 1);
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
        if (turns[c].weight == 0.0) continue;
        learn_seats(table->state[c], &standard, turns + c, y);
        learn_mixture(table->state[c], turns + c, y);
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
            const float *own = table->block + row->column[k] * table->stride + c * 2 * LANES;
            store(part + k * LANES, mul(load(own), load(prepared.value[k - first])));
        }
    }
}
