/* Members that see the standardised columns of a narrow stream; all but one are AROW, in doubles.

   A seat sees z (STANDARD), z^2 - 1 (SQUARES), all products z_j z_k with k <= j, the linear
   terms and the constant among them (PAIRS), or z through hats (HATS). MATRIX is AROW on z with the
   whole covariance matrix, of which the lower triangle is kept. CLASSES sees z, and compares the
   means of the two classes. What all committees see of a row is made once. */

#ifndef THRESHER_SEATS
#define THRESHER_SEATS

#include "class_means.h"
#include "standard_columns.h"

/* Those from PAIRS on leave first. */
enum { STANDARD, SQUARES, CLASSES, PAIRS, MATRIX, HATS };

typedef struct {
    int64_t kind;
    double setting;
    double *weight;
    double *second;     /* variances; for MATRIX the lower triangle of their matrix; class means */
} seat_t;

typedef struct { double score, doubt; } sums_t;

INLINE int64_t most_columns(int64_t kind) {
    return kind < PAIRS ? MOST_COLUMNS : NARROW_COLUMNS;
}

/* The slots that a seat sees: in the round in which it is going to leave, not all. */
INLINE int64_t slots_for(int64_t kind, const standard_t *row) {
    int64_t most = most_columns(kind) + 1;
    return row->n < most ? row->n : most;
}

/* What a seat sees of a row, and how many numbers that is. */
INLINE const double *seen_by(const seat_t *seat, const standard_t *row, int64_t *n) {
    *n = slots_for(seat->kind, row);
    if (seat->kind == PAIRS) {
        *n = row_at(*n);
        return row->product;
    }
    if (seat->kind == HATS) {
        *n = HATS_OF_A_COLUMN * *n;
        return row->hat;
    }
    return seat->kind == SQUARES ? row->square : row->z;
}

/* Make what these seats will look at. */
INLINE void prepare_seats(standard_t *row, const seat_t *seat, int64_t n_seats) {
    int64_t n = slots_for(PAIRS, row);
    int pairs = 0, hats = 0;
    for (int64_t i = 0; i < n_seats; i++) {
        pairs |= seat[i].kind == PAIRS;
        hats |= seat[i].kind == HATS;
    }
    if (pairs) multiply_out(row, n);
    if (hats) put_on_hats(row, n);
}

/* ---- AROW with a variance for each number ---------------------------------------------------- */

typedef struct { four score, doubt; } partial_t;

INLINE void sum_four(partial_t *sums, const double *w, const double *s, four x) {
    sums->score = add4(sums->score, mul4(load4(w), x));
    sums->doubt = add4(sums->doubt, mul4(mul4(load4(s), x), x));
}

/* w += c x s, s = s / (1 + s x^2 e) */
INLINE void learn_four(double *w, double *s, four x, double c, double e) {
    four second = load4(s), sx = mul4(second, x);
    store4(w, add4(load4(w), mul4(mul4(all4(c), x), second)));
    store4(s, over4(second, add4(all4(1.0), mul4(sx, mul4(all4(e), x)))));
}

/* The sums of seats of several committees, at most ABREAST of them: each is a chain of additions,
   and while one waits for the next, others go on. */
#define ABREAST 3
INLINE void sums_of_row(seat_t *const *seat, sums_t *const *to, const int count, const double *x,
                        int64_t n) {
    partial_t sums[ABREAST];
    for (int c = 0; c < count; c++) sums[c].score = sums[c].doubt = all4(0.0);
    for (int64_t i = 0; i < n; i += 4)
        for (int c = 0; c < count; c++)
            sum_four(sums + c, seat[c]->weight + i, seat[c]->second + i, load4(x + i));
    for (int c = 0; c < count; c++)
        *to[c] = (sums_t) {sum4(sums[c].score), sum4(sums[c].doubt)};
}

/* ---- without variances, and AROW with a matrix ------------------------------------------------ */

INLINE double bare_score(const seat_t *seat, const double *z, int64_t n) {
    four sum = all4(0.0);
    for (int64_t i = 0; i < n; i += 4) sum = add4(sum, mul4(load4(seat->weight + i), load4(z + i)));
    return sum4(sum);
}

/* S z, from the lower triangle: row j adds S_jk z_j to place k, and S_jk z_k to place j. */
INLINE void spread_out(const seat_t *seat, const double *z, int64_t n, double *to) {
    const four none = all4(0.0);
    for (int64_t i = 0; i < n; i += 4) store4(to + i, none);
    for (int64_t j = 0; j < n; j++) {
        const double *s = seat->second + row_at(j);
        int64_t k = 0, last = j - j % 4;
        four sum = none, own_z = all4(z[j]), own, whole;
        for (; k < last; k += 4) {
            own = load4(s + k);
            sum = add4(sum, mul4(own, load4(z + k)));
            store4(to + k, add4(load4(to + k), mul4(own, own_z)));
        }
        /* The four that place j is in: whole, so that it need not wait for a part of it. */
        own = load4(s + last);
        sum = add4(sum, mul4(own, up_to(z, last, j - 1)));
        whole = add4(load4(to + last), mul4(own, own_z));
        store4(to + last, add4(whole, only4(sum4(sum), j % 4)));
    }
}

/* With v = S z: w += c v, and S -= v v' / (z'v + r). */
INLINE void learn_matrix(seat_t *seat, const double *z, int64_t n, double lack, double r) {
    double v[4 * FOURS(NARROW_COLUMNS + 1)];
    four sum = all4(0.0);
    double doubt, shrink;
    spread_out(seat, z, n, v);
    for (int64_t i = 0; i < n; i += 4) sum = add4(sum, mul4(load4(z + i), load4(v + i)));
    doubt = sum4(sum);
    shrink = 1.0 / ((doubt > 0.0 ? doubt : 0.0) + r);
    for (int64_t j = 0; j < n; j++) {
        double *s = seat->second + row_at(j);
        int64_t last = j - j % 4;
        four part = all4(shrink * v[j]);
        for (int64_t k = 0; k < last; k += 4)
            store4(s + k, sub4(load4(s + k), mul4(part, load4(v + k))));
        store4(s + last, sub4(load4(s + last), mul4(part, up_to(v, last, j))));
    }
    for (int64_t i = 0; i < n; i += 4)
        store4(seat->weight + i,
               add4(load4(seat->weight + i), mul4(all4(lack * shrink), load4(v + i))));
}

/* ---- a seat in a round ------------------------------------------------------------------------ */

/* The sums of seats of one kind, one of each committee, which are at most ABREAST. */
INLINE void seat_sums(seat_t *const *seat, sums_t *const *to, int64_t count, const standard_t *row) {
    int64_t n;
    const double *x = seen_by(seat[0], row, &n);
    if (seat[0]->kind == MATRIX || seat[0]->kind == CLASSES)
        for (int64_t c = 0; c < count; c++)
            *to[c] = (sums_t) {bare_score(seat[c], x, n), 0.0};
    else if (count == ABREAST) sums_of_row(seat, to, ABREAST, x, n);
    else
        for (int64_t c = 0; c < count; c++) sums_of_row(seat + c, to + c, 1, x, n);
}

/* Learn a row that weighs `weight` as often as that: r becomes r / weight. */
INLINE void learn_seat(seat_t *seat, const standard_t *row, sums_t sums, double y, double weight) {
    int64_t n;
    const double *x = seen_by(seat, row, &n);
    double r = seat->setting / weight, lack = y * (1.0 - y * sums.score);
    double c = lack / (sums.doubt + r), e = weight / seat->setting;
    if (seat->kind == CLASSES)
        learn_class_means(seat->weight, seat->second, row, n, seat->setting, y, weight);
    if (seat->kind == CLASSES || !(y * sums.score < 1.0)) return;
    if (seat->kind == MATRIX) learn_matrix(seat, x, n, lack, r);
    else
        for (int64_t i = 0; i < n; i += 4)
            learn_four(seat->weight + i, seat->second + i, load4(x + i), c, e);
}

#endif
