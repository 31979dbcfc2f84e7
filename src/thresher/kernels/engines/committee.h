/* Eight linear learners side by side, and the mixture of their predictions.

   A feature owns 16 floats, one line of the cache: the weight of each of the eight members, then
   the second number that each keeps (a variance, a sum of squares, a count). Lane l of every
   vector belongs to member l, and lanes never meet before the second half of this file, so that
   vectors of any width give the same bits. The second half is in doubles, a loop for each step.

   Everything is compiled twice, for any processor and for one with AVX2, and chosen at run time.
   The compiler alone does not vectorise the loops over lanes: they are written as vectors. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 8
#define EXPERTS (LANES + 2)   /* the members, their average, and their best combination */

/* How far a standardised score, and a log-odds, may go. */
#define FAR 4.0
#define SURE 8.0

enum { AROW, ADAGRAD, MEANS };
enum { SCALED, PRESENCE, UNIT, ROOT, VIEWS };

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

/* One row: columns, values, and for each feature one over its largest value so far.
   Without values (NULL) all are 1, as all were before. */
typedef struct {
    const int32_t *column;
    const double *value;
    double *shrink;
    int64_t n;
    int64_t more;       /* how many columns of later rows follow */
} row_t;

/* ---- vectors of eight floats ------------------------------------------------------------- */

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define FETCH(address) __builtin_prefetch((address), 1)
/* Vectors are passed between inlined functions only; how others would pass them is no matter. */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef float lanes __attribute__((vector_size(32)));
typedef int32_t bits __attribute__((vector_size(32)));
typedef lanes unaligned_lanes __attribute__((aligned(4)));
INLINE lanes load(const float *from) { return *(const unaligned_lanes *) from; }
INLINE void store(float *to, lanes a) { *(unaligned_lanes *) to = a; }
INLINE lanes all(float a) { return (lanes) {a, a, a, a, a, a, a, a}; }
INLINE lanes add(lanes a, lanes b) { return a + b; }
INLINE lanes sub(lanes a, lanes b) { return a - b; }
INLINE lanes mul(lanes a, lanes b) { return a * b; }
INLINE lanes over(lanes a, lanes b) { return a / b; }
INLINE lanes keep(lanes a, lanes mask) { return (lanes) ((bits) a & (bits) mask); }
INLINE lanes either(lanes a, lanes b) { return (lanes) ((bits) a | (bits) b); }
INLINE lanes pick(lanes mask, lanes a, lanes b) {
    return (lanes) (((bits) mask & (bits) a) | (~(bits) mask & (bits) b));
}
INLINE lanes magnitude(lanes a) { return (lanes) ((bits) a & 0x7fffffff); }
INLINE lanes root(lanes a) {
    lanes r;
    for (int l = 0; l < LANES; l++) r[l] = sqrtf(a[l]);
    return r;
}
#else
#define INLINE static inline
#define FETCH(address) ((void) (address))
typedef struct { float at[LANES]; } lanes;
INLINE uint32_t bits_of(float a) { uint32_t b; memcpy(&b, &a, 4); return b; }
INLINE float of_bits(uint32_t b) { float a; memcpy(&a, &b, 4); return a; }
#define EACH(expression) lanes r; for (int l = 0; l < LANES; l++) r.at[l] = (expression); return r
INLINE lanes load(const float *from) { EACH(from[l]); }
INLINE void store(float *to, lanes a) { memcpy(to, a.at, sizeof a.at); }
INLINE lanes all(float a) { EACH(a); }
INLINE lanes add(lanes a, lanes b) { EACH(a.at[l] + b.at[l]); }
INLINE lanes sub(lanes a, lanes b) { EACH(a.at[l] - b.at[l]); }
INLINE lanes mul(lanes a, lanes b) { EACH(a.at[l] * b.at[l]); }
INLINE lanes over(lanes a, lanes b) { EACH(a.at[l] / b.at[l]); }
INLINE lanes keep(lanes a, lanes m) { EACH(bits_of(m.at[l]) ? a.at[l] : 0.0f); }
INLINE lanes either(lanes a, lanes b) { EACH(of_bits(bits_of(a.at[l]) | bits_of(b.at[l]))); }
INLINE lanes pick(lanes m, lanes a, lanes b) { EACH(bits_of(m.at[l]) ? a.at[l] : b.at[l]); }
INLINE lanes magnitude(lanes a) { EACH(fabsf(a.at[l])); }
INLINE lanes root(lanes a) { EACH(sqrtf(a.at[l])); }
#endif

/* All bits of a lane set where `code` is `wanted`. */
INLINE lanes mask_of(const int64_t *code, int64_t wanted) {
    int32_t mask[LANES];
    float as_float[LANES];
    for (int l = 0; l < LANES; l++) mask[l] = code[l] == wanted ? -1 : 0;
    memcpy(as_float, mask, sizeof mask);
    return load(as_float);
}

/* ---- the row as each member sees it ------------------------------------------------------- */

/* So many features of a row are looked at together; most rows have no more. */
#define STRETCH 256

typedef struct {
    lanes view[VIEWS];              /* masks */
    double share, unit;             /* one over the sum of the sizes, and over the length */
    lanes ones;                     /* what the lanes see of a 1, if all values are */
    int64_t first;                  /* where the present stretch begins, or -1 */
    float seen[VIEWS][STRETCH];     /* the values of the stretch, by view */
    float value[STRETCH][LANES];    /* and by member */
} looks_t;

INLINE lanes spread_views(const looks_t *looks, float a, float b, float c, float d) {
    return either(either(keep(all(a), looks->view[SCALED]), keep(all(b), looks->view[PRESENCE])),
                  either(keep(all(c), looks->view[UNIT]), keep(all(d), looks->view[ROOT])));
}

/* One over the largest value of a feature, this one included. No branch: it would wait for memory. */
INLINE double shrink_for(double known, double size) {
    double own = 1.0 / size;
    return known < own ? known : own;
}

INLINE void look(const committee_t *state, const float *block, const row_t *row, looks_t *looks,
                 int remember) {
    double squares = 0.0, sizes = 0.0;
    for (int v = 0; v < VIEWS; v++) looks->view[v] = mask_of(state->view, v);
    looks->first = -1;
    if (row->value == NULL) {
        squares = sizes = (double) row->n;
        for (int64_t k = 0; remember && k < row->n; k++) row->shrink[row->column[k]] = 1.0;
    } else {
        for (int64_t k = 0; k < row->n; k++) {
            double size = fabs(row->value[k]), *known = row->shrink + row->column[k];
            double shrink = shrink_for(*known, size);
            FETCH(block + (size_t) row->column[k] * (2 * LANES));
            if (remember) *known = shrink;
            squares += (size * shrink) * (size * shrink);
            sizes += size;
        }
    }
    looks->unit = squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
    looks->share = sizes > 1e-300 ? 1.0 / sizes : 0.0;
    looks->ones = spread_views(looks, 1.0f, 1.0f, (float) looks->unit, sqrtf((float) looks->share));
}

/* See the stretch that begins at `first`, unless it is before our eyes already. */
INLINE void look_at(looks_t *looks, const row_t *row, int64_t first, int64_t last) {
    const double *value = row->value + first;
    int n = (int) (last - first);
    if (looks->first == first) return;
    looks->first = first;
    for (int k = 0; k < n; k++) {
        double shrink = shrink_for(row->shrink[row->column[first + k]], fabs(value[k]));
        looks->seen[SCALED][k] = (float) (value[k] * shrink);
        looks->seen[UNIT][k] = (float) (value[k] * shrink * looks->unit);
    }
    for (int k = 0; k < n; k++) {
        looks->seen[PRESENCE][k] = (float) ((value[k] > 0.0) - (value[k] < 0.0));
        looks->seen[ROOT][k] = sqrtf((float) (fabs(value[k]) * looks->share));
    }
    for (int k = 0; k < n; k++) looks->seen[ROOT][k] *= looks->seen[PRESENCE][k];
    for (int k = 0; k < n; k++)
        store(looks->value[k],
              spread_views(looks, looks->seen[SCALED][k], looks->seen[PRESENCE][k],
                           looks->seen[UNIT][k], looks->seen[ROOT][k]));
}

INLINE int64_t end_of(int64_t first, int64_t n) { return first + STRETCH < n ? first + STRETCH : n; }

/* ---- the members --------------------------------------------------------------------------- */

INLINE float *own_of(float *block, const row_t *row, int64_t k) {
    return block + (size_t) row->column[k] * (2 * LANES);
}

typedef struct { lanes score, doubt; } sums_t;

INLINE void sum_feature(sums_t *sums, const float *own, lanes x) {
    sums->score = add(sums->score, mul(load(own), x));
    sums->doubt = add(sums->doubt, mul(mul(load(own + LANES), x), x));
}

/* score = sum of w x; doubt = sum of s x^2, which AROW needs. The constant feature comes last. */
INLINE void member_scores(const committee_t *state, float *block, const row_t *row, looks_t *looks,
                          float *score, float *doubt) {
    sums_t sums = {all(0.0f), all(0.0f)};
    if (row->value == NULL) {
        for (int64_t k = 0; k < row->n; k++) sum_feature(&sums, own_of(block, row, k), looks->ones);
    } else {
        for (int64_t first = 0, last; first < row->n; first = last) {
            last = end_of(first, row->n);
            look_at(looks, row, first, last);
            for (int64_t k = first; k < last; k++)
                sum_feature(&sums, own_of(block, row, k), load(looks->value[k - first]));
        }
    }
    sum_feature(&sums, state->bias, all(1.0f));
    store(score, sums.score);
    store(doubt, sums.doubt);
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
INLINE void member_steps(const committee_t *state, const float *score, const float *doubt, float y,
                         float *c, float *e) {
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

/* Ask for the weights of the rows to come: they arrive while this one is learned. */
INLINE void fetch_ahead(const float *block, const row_t *row) {
    int64_t last = row->n + (row->more < row->n ? row->more : row->n);
    for (int64_t k = row->n; k < last; k++) {
        FETCH(block + (size_t) row->column[k] * (2 * LANES));
        FETCH(row->shrink + row->column[k]);
    }
}

INLINE void learn_members(committee_t *state, float *block, const row_t *row, looks_t *looks,
                          const float *score, const float *doubt, float y) {
    float c[LANES], e[LANES];
    steps_t step;
    member_steps(state, score, doubt, y, c, e);
    step.arow = mask_of(state->rule, AROW);
    step.adagrad = mask_of(state->rule, ADAGRAD);
    step.c = load(c);
    step.e = load(e);
    if (row->value == NULL) {
        for (int64_t k = 0; k < row->n; k++) learn_feature(own_of(block, row, k), looks->ones, &step);
    } else {
        for (int64_t first = 0, last; first < row->n; first = last) {
            last = end_of(first, row->n);
            look_at(looks, row, first, last);
            for (int64_t k = first; k < last; k++)
                learn_feature(own_of(block, row, k), load(looks->value[k - first]), &step);
        }
    }
    learn_feature(state->bias, all(1.0f), &step);
}

/* ---- the mixture ---------------------------------------------------------------------------- */

typedef struct {
    double standard[LANES];     /* scores over their root mean square */
    double odds[EXPERTS];       /* log-odds of +1 */
    double lean[EXPERTS];       /* probability of +1 minus that of -1 */
    double mixed;               /* the same, of the mixture */
} opinions_t;

INLINE void listen(const committee_t *state, const float *score, opinions_t *to) {
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

INLINE void learn_mixture(committee_t *state, const float *score, const opinions_t *said, double y) {
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

INLINE double judge_row(const committee_t *state, float *block, const row_t *row) {
    float score[LANES], doubt[LANES];
    opinions_t said;
    looks_t looks;
    look(state, block, row, &looks, 0);
    member_scores(state, block, row, &looks, score, doubt);
    listen(state, score, &said);
    return said.mixed;
}

INLINE double play_row(committee_t *state, float *block, const row_t *row, double y) {
    float score[LANES], doubt[LANES];
    opinions_t said;
    looks_t looks;
    look(state, block, row, &looks, 1);
    member_scores(state, block, row, &looks, score, doubt);
    fetch_ahead(block, row);
    listen(state, score, &said);
    learn_members(state, block, row, &looks, score, doubt, (float) y);
    learn_mixture(state, score, &said, y);
    state->rounds += 1.0;
    state->labels += y;
    return said.mixed;
}

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_WIDE 1
#define WIDE __attribute__((target("avx2")))
WIDE static double judge_wide(const committee_t *s, float *b, const row_t *r) {
    return judge_row(s, b, r);
}
WIDE static double play_wide(committee_t *s, float *b, const row_t *r, double y) {
    return play_row(s, b, r, y);
}
static int wide_here(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define HAS_WIDE 0
static int wide_here(void) { return 0; }
#endif

static double judge(const committee_t *state, float *block, const row_t *row, int wide) {
#if HAS_WIDE
    if (wide) return judge_wide(state, block, row);
#endif
    (void) wide;
    return judge_row(state, block, row);
}

static double play(committee_t *state, float *block, const row_t *row, double y, int wide) {
#if HAS_WIDE
    if (wide) return play_wide(state, block, row, y);
#endif
    (void) wide;
    return play_row(state, block, row, y);
}

/* ---- a row taken apart ------------------------------------------------------------------------ */

/* What each member adds for each feature of the row (LANES floats a feature), the scores of the
   members, and the log-odds of the experts. Returns the score, as `judge` does. */
static double take_apart(const committee_t *state, float *block, const row_t *row, float *part,
                         float *score, double *odds) {
    float doubt[LANES];
    opinions_t said;
    looks_t looks;
    look(state, block, row, &looks, 0);
    member_scores(state, block, row, &looks, score, doubt);
    listen(state, score, &said);
    for (int64_t first = 0, last; first < row->n; first = last) {
        last = end_of(first, row->n);
        look_at(&looks, row, first, last);
        for (int64_t k = first; k < last; k++)
            store(part + k * LANES, mul(load(own_of(block, row, k)), load(looks.value[k - first])));
    }
    memcpy(odds, said.odds, sizeof said.odds);
    return said.mixed;
}
