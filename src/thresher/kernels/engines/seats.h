/* Members that see the standardised columns of a narrow stream; each is AROW, in doubles.

   A seat sees z (STANDARD), z^2 - 1 (SQUARES), or all products z_j z_k with k <= j, the linear
   terms and the constant among them (PAIRS). MATRIX is AROW on z with the whole covariance matrix.
   Triangles are kept row by row, each row filled up to a multiple of four, so that a new column is
   a new row at the end. */

#ifndef THRESHER_SEATS
#define THRESHER_SEATS

#include "standard_columns.h"

enum { STANDARD, SQUARES, PAIRS, MATRIX };

#define NARROW_COLUMNS 128      /* up to here, what takes the square of their number is worth it */

typedef struct {
    int64_t kind;
    double setting;
    double *weight;
    double *second;     /* variances, or for MATRIX the lower triangle of their matrix */
} seat_t;

typedef struct { double score, doubt; } sums_t;

INLINE int64_t most_columns(int64_t kind) {
    return kind < PAIRS ? MOST_COLUMNS : NARROW_COLUMNS;
}

/* Where row j of a triangle begins. */
INLINE int64_t row_at(int64_t j) { return 4 * (j / 4 + 1) * (2 * (j / 4) + j % 4); }

/* The slots that a seat sees: in the round in which it is going to leave, not all. */
INLINE int64_t slots_for(const seat_t *seat, const standard_t *row) {
    int64_t most = most_columns(seat->kind) + 1;
    return row->n < most ? row->n : most;
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

INLINE sums_t sums_of_row(const seat_t *seat, const double *x, int64_t n) {
    partial_t sums = {all4(0.0), all4(0.0)};
    for (int64_t i = 0; i < n; i += 4) sum_four(&sums, seat->weight + i, seat->second + i, load4(x + i));
    return (sums_t) {sum4(sums.score), sum4(sums.doubt)};
}

/* Row j of the products sees z up to its own place: `upto` is filled as we go. */
INLINE sums_t sums_of_pairs(const seat_t *seat, const double *z, int64_t n) {
    double upto[4 * FOURS(NARROW_COLUMNS + 1)] = {0.0};
    partial_t sums = {all4(0.0), all4(0.0)};
    for (int64_t j = 0; j < n; j++) {
        const double *w = seat->weight + row_at(j), *s = seat->second + row_at(j);
        upto[j] = z[j];
        for (int64_t k = 0; k <= j; k += 4)
            sum_four(&sums, w + k, s + k, mul4(all4(z[j]), load4(upto + k)));
    }
    return (sums_t) {sum4(sums.score), sum4(sums.doubt)};
}

INLINE void learn_pairs(seat_t *seat, const double *z, int64_t n, double c, double e) {
    double upto[4 * FOURS(NARROW_COLUMNS + 1)] = {0.0};
    for (int64_t j = 0; j < n; j++) {
        double *w = seat->weight + row_at(j), *s = seat->second + row_at(j);
        upto[j] = z[j];
        for (int64_t k = 0; k <= j; k += 4)
            learn_four(w + k, s + k, mul4(all4(z[j]), load4(upto + k)), c, e);
    }
}

/* ---- AROW with a matrix ----------------------------------------------------------------------- */

INLINE double score_of_matrix(const seat_t *seat, const double *z, int64_t n) {
    four sum = all4(0.0);
    for (int64_t i = 0; i < n; i += 4) sum = add4(sum, mul4(load4(seat->weight + i), load4(z + i)));
    return sum4(sum);
}

/* S z, from the lower triangle: row j adds S_jk z_j to place k, and S_jk z_k to place j. */
INLINE void spread_out(const seat_t *seat, const double *z, int64_t n, double *to) {
    double before[4 * FOURS(NARROW_COLUMNS + 1)] = {0.0};
    memset(to, 0, sizeof before);
    for (int64_t j = 0; j < n; j++) {
        const double *s = seat->second + row_at(j);
        four sum = all4(0.0);
        for (int64_t k = 0; k <= j; k += 4) {
            four own = load4(s + k);
            sum = add4(sum, mul4(own, load4(before + k)));
            store4(to + k, add4(load4(to + k), mul4(own, all4(z[j]))));
        }
        to[j] += sum4(sum);
        before[j] = z[j];
    }
}

/* With v = S z: w += c v, and S -= v v' / (z'v + r). */
INLINE void learn_matrix(seat_t *seat, const double *z, int64_t n, double lack, double r) {
    double v[4 * FOURS(NARROW_COLUMNS + 1)], upto[4 * FOURS(NARROW_COLUMNS + 1)] = {0.0};
    four sum = all4(0.0);
    double doubt, shrink;
    spread_out(seat, z, n, v);
    for (int64_t i = 0; i < n; i += 4) sum = add4(sum, mul4(load4(z + i), load4(v + i)));
    doubt = sum4(sum);
    shrink = 1.0 / ((doubt > 0.0 ? doubt : 0.0) + r);
    for (int64_t j = 0; j < n; j++) {
        double *s = seat->second + row_at(j);
        four part = all4(shrink * v[j]);
        upto[j] = v[j];
        for (int64_t k = 0; k <= j; k += 4)
            store4(s + k, sub4(load4(s + k), mul4(part, load4(upto + k))));
    }
    for (int64_t i = 0; i < n; i += 4)
        store4(seat->weight + i,
               add4(load4(seat->weight + i), mul4(all4(lack * shrink), load4(v + i))));
}

/* ---- a seat in a round ------------------------------------------------------------------------ */

INLINE sums_t seat_sums(const seat_t *seat, const standard_t *row) {
    int64_t n = slots_for(seat, row);
    if (seat->kind == STANDARD) return sums_of_row(seat, row->z, n);
    if (seat->kind == SQUARES) return sums_of_row(seat, row->square, n);
    if (seat->kind == PAIRS) return sums_of_pairs(seat, row->z, n);
    return (sums_t) {score_of_matrix(seat, row->z, n), 0.0};
}

/* Learn a row that weighs `weight` as often as that: r becomes r / weight. */
INLINE void learn_seat(seat_t *seat, const standard_t *row, sums_t sums, double y, double weight) {
    int64_t n = slots_for(seat, row);
    double r = seat->setting / weight, lack = y * (1.0 - y * sums.score);
    double c = lack / (sums.doubt + r), e = weight / seat->setting;
    const double *x = seat->kind == SQUARES ? row->square : row->z;
    if (!(y * sums.score < 1.0)) return;
    if (seat->kind == PAIRS) learn_pairs(seat, x, n, c, e);
    else if (seat->kind == MATRIX) learn_matrix(seat, x, n, lack, r);
    else
        for (int64_t i = 0; i < n; i += 4)
            learn_four(seat->weight + i, seat->second + i, load4(x + i), c, e);
}

#endif
