/* The columns of a narrow stream, standardised: each minus its mean, over its standard deviation.

   Columns have slots in the order in which they first appear; slot 0 is the constant, always 1, and
   what a row has there (columns that were never learned from) is not looked at. Mean and deviation
   are over all rows so far, the present one included; a column that a row does not have is 0 in it.
   A column that has had one value only is not seen. What is kept depends on the rows alone, not on
   labels. A stream with more than MOST_COLUMNS columns is not narrow: the columns are then closed
   for good (no slots), and rows cost nothing here. */

#ifndef THRESHER_STANDARD_COLUMNS
#define THRESHER_STANDARD_COLUMNS

#include "four_doubles.h"

#define MOST_COLUMNS 1024
#define NARROW_COLUMNS 128      /* up to here, what takes the square of their number is worth it */

/* A column is seen through so many hats, too: functions of z that are 1 at a place of their own and
   fall to 0 at those of their neighbours, 1/2 away; the first place is -1.75. All of them together
   are 1. A sum of hats, weighed, is a line with corners. */
#define HATS_OF_A_COLUMN 8
#define FIRST_HAT -1.75
#define FARTHEST 4.0    /* how many deviations a value may be seen away from the mean */

/* Where row j of a triangle begins that is kept row by row, each of them filled up to a multiple of
   four, so that a new column is a new row at the end. */
#define TRIANGLE(j) (4 * ((j) / 4 + 1) * (2 * ((j) / 4) + (j) % 4))
INLINE int64_t row_at(int64_t j) { return TRIANGLE(j); }

typedef struct {
    int64_t n;          /* slots in use, the constant one included; 0 if closed */
    double rows;
    double *mean;       /* of each slot, */
    double *squares;    /* and the sum of the squared distances from it */
} columns_t;

typedef struct {
    double z[4 * FOURS(MOST_COLUMNS + 1)];
    double square[4 * FOURS(MOST_COLUMNS + 1)];     /* z^2 - 1; 1 for the constant */
    double raw[4 * FOURS(MOST_COLUMNS + 1)];        /* values as they came; 0 for the constant, */
    double inverse[4 * FOURS(MOST_COLUMNS + 1)];    /* and what z multiplied them with; 0: unseen */
    double product[TRIANGLE(NARROW_COLUMNS + 1)];   /* z_j z_k with k <= j, if they were asked for */
    double hat[HATS_OF_A_COLUMN * (NARROW_COLUMNS + 1)];    /* likewise */
    const double *mean;                             /* of the columns, this row in it */
    int64_t n;                                      /* slots */
    int overflow;                                   /* whether a column found no slot */
} standard_t;

/* The row in all slots; `remember` it. Values beyond the last slot are 0. */
INLINE void standardise(standard_t *to, columns_t *columns, const int32_t *slot,
                        const double *value, int64_t n, int remember) {
    double share = 1.0 / (columns->rows + 1.0), kept = columns->rows * share;
    int64_t end = columns->n;
    to->overflow = 0;
    to->n = end;
    if (end == 0) return;
    for (int64_t k = 0; remember && k < n; k++)
        if (slot[k] >= end) end = slot[k] + 1;
    if (end > MOST_COLUMNS + 1) {
        to->overflow = 1;
        end = MOST_COLUMNS + 1;
    }
    to->n = end;
    if (remember) columns->n = end;
    memset(to->z, 0, sizeof(four) * (size_t) FOURS(end));
    for (int64_t k = 0; k < n; k++)
        if (slot[k] < end) to->z[slot[k]] = value == NULL ? 1.0 : value[k];
    for (int64_t i = 0; i < to->n; i += 4) {
        four away = sub4(load4(to->z + i), load4(columns->mean + i));
        four near = mul4(away, all4(kept));     /* the distance from the mean with this row in it */
        four squares = add4(load4(columns->squares + i), mul4(away, near));
        four variance = mul4(squares, all4(share));
        four none = all4(0.0), least = all4(1e-280), far = all4(FARTHEST);
        four root = root4(where4(variance, least, variance, all4(1.0)));
        four z = over4(near, root);
        store4(to->raw + i, load4(to->z + i));
        store4(to->inverse + i, where4(variance, least, over4(all4(1.0), root), none));
        z = where4(z, far, far, z);
        z = where4(sub4(none, far), z, sub4(none, far), z);
        z = where4(variance, least, z, none);
        store4(to->z + i, z);
        store4(to->square + i, where4(variance, least, sub4(mul4(z, z), all4(1.0)), none));
        if (remember) {
            store4(columns->mean + i, add4(load4(columns->mean + i), mul4(away, all4(share))));
            store4(columns->squares + i, squares);
        }
    }
    to->z[0] = to->square[0] = 1.0;
    to->raw[0] = to->inverse[0] = 0.0;
    to->mean = columns->mean;
    if (remember) columns->rows += 1.0;
}

/* z from place k on, as far as `last`. */
INLINE four up_to(const double *z, int64_t k, int64_t last) {
    return where4(all4((double) (last + 1)), from4((double) k), load4(z + k), all4(0.0));
}

/* The hats of the first n columns; the constant has one. */
INLINE void put_on_hats(standard_t *row, int64_t n) {
    memset(row->hat, 0, sizeof(double) * (size_t) (HATS_OF_A_COLUMN * n));
    row->hat[0] = 1.0;
    for (int64_t j = 1; j < n; j++) {
        double *hat = row->hat + HATS_OF_A_COLUMN * j, last = HATS_OF_A_COLUMN - 1;
        double place = (row->z[j] - FIRST_HAT) * 2.0, part;
        int64_t k;
        if (row->inverse[j] == 0.0) continue;
        place = place > last ? last : place < 0.0 ? 0.0 : place;
        k = place < last ? (int64_t) place : HATS_OF_A_COLUMN - 2;
        part = place - (double) k;
        hat[k] = 1.0 - part;
        hat[k + 1] = part;
    }
}

/* All products of two columns, of the first n. */
INLINE void multiply_out(standard_t *row, int64_t n) {
    for (int64_t j = 0; j < n; j++) {
        double *to = row->product + row_at(j);
        four own = all4(row->z[j]);
        int64_t last = j - j % 4;
        for (int64_t k = 0; k < last; k += 4) store4(to + k, mul4(own, load4(row->z + k)));
        store4(to + last, mul4(own, up_to(row->z, last, j)));
    }
}

#endif
