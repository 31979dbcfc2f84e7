/* A row as the members of a committee see it, made ready once for all who will look at it.

   What is made depends on the row, on what is remembered of its features (their largest values),
   and on who sees which view; not on what any committee has learned. Committees that saw the same
   rows, such as those of several classes, look at one prepared row. */

#ifndef THRESHER_PREPARED_ROW
#define THRESHER_PREPARED_ROW

#include "eight_floats.h"

enum { SCALED, PRESENCE, UNIT, ROOT, VIEWS };

/* What a feature that was never seen is multiplied with: any value it will have makes it less. */
#define UNSEEN 1e300

/* One row: slots of features, values, and by slot one over the largest value so far. Slot 0 is that
   of all features that were never learned from. Without values (NULL) all are 1, as all were before. */
typedef struct {
    const int32_t *slot;
    const double *value;
    double *shrink;
    int64_t n;
    int64_t more;       /* how many slots of later rows follow */
} row_t;

/* So many features of a row are looked at together; most rows have no more. */
#define STRETCH 256

typedef struct {
    const row_t *row;
    lanes view[VIEWS];              /* masks: the lanes that see this view */
    double squares, sizes;          /* sums: of squares once multiplied, and of sizes */
    double share, unit;             /* one over the sum of the sizes, and over the length */
    lanes ones;                     /* what the lanes see of a 1, if all values are */
    int64_t measured;               /* where the stretch begins whose factors are there, or -1, */
    int64_t first;                  /* and the stretch that is seen */
    double factor[STRETCH];         /* what the values of a stretch are multiplied with */
    float seen[VIEWS][STRETCH];     /* the values of the stretch, by view */
    float value[STRETCH][LANES];    /* and by lane */
} prepared_t;

INLINE lanes spread_views(const prepared_t *to, float a, float b, float c, float d) {
    return either(either(keep(all(a), to->view[SCALED]), keep(all(b), to->view[PRESENCE])),
                  either(keep(all(c), to->view[UNIT]), keep(all(d), to->view[ROOT])));
}

/* Where the stretch ends that begins at `first`. */
INLINE int64_t stretch_end(const row_t *row, int64_t first) {
    return row->n - first > STRETCH ? first + STRETCH : row->n;
}

/* How far after the slots of this stretch those lie that a later row has in their place; 0 at the
   end. What they stand for is asked for one by one, in loops that have something else to do: many
   at once would wait for one another. */
INLINE int64_t way_ahead(const row_t *row, int64_t last) { return row->more < last ? 0 : row->n; }

/* One over the largest value of each feature of a stretch, this one included; `remember` it. All
   divisions come first, for they can be done several at a time. No branch: it would wait for memory. */
INLINE void measure(prepared_t *to, int64_t first, int64_t last, int remember) {
    const row_t *row = to->row;
    const int32_t *slot = row->slot + first;
    const double *value = row->value + first;
    const int64_t ahead = way_ahead(row, last);
    double squares = to->squares, sizes = to->sizes;
    to->measured = first;
    for (int k = 0; k < (int) (last - first); k++) to->factor[k] = 1.0 / fabs(value[k]);
    for (int k = 0; k < (int) (last - first); k++) {
        double *known = row->shrink + slot[k], own = to->factor[k], size = fabs(value[k]);
        FETCH(row->shrink + slot[k + ahead]);
        own = *known < own ? *known : own;
        to->factor[k] = own;
        if (remember) *known = own;
        squares += (size * own) * (size * own);
        sizes += size;
    }
    to->squares = squares;
    to->sizes = sizes;
}

/* Look at the row as a whole, for lanes that see these views; `remember` its largest values. Of ones
   they are remembered when features get their slots. */
INLINE void prepare(prepared_t *to, const row_t *row, const int64_t *views, int remember) {
    to->row = row;
    to->measured = to->first = -1;
    to->squares = to->sizes = row->value == NULL ? (double) row->n : 0.0;
    for (int v = 0; v < VIEWS; v++) to->view[v] = mask_of(views, v);
    for (int64_t first = 0, last; row->value != NULL && first < row->n; first = last) {
        last = stretch_end(row, first);
        measure(to, first, last, remember);
    }
    to->unit = to->squares > 0.0 ? 1.0 / sqrt(to->squares) : 0.0;
    to->share = to->sizes > 1e-300 ? 1.0 / to->sizes : 0.0;
    to->ones = spread_views(to, 1.0f, 1.0f, (float) to->unit, sqrtf((float) to->share));
}

/* See the stretch that begins at `first`, unless it is before our eyes already; where it ends.
   A row without values is one stretch, in which the lanes see `ones` everywhere. */
INLINE int64_t see(prepared_t *to, int64_t first) {
    const row_t *row = to->row;
    const double *value = row->value + first;
    int64_t last = stretch_end(row, first);
    int n = (int) (last - first);
    if (row->value == NULL) return row->n;
    if (to->first == first) return last;
    to->first = first;
    if (to->measured != first) measure(to, first, last, 0);
    for (int k = 0; k < n; k++) {
        double scaled = value[k] * to->factor[k];
        to->seen[SCALED][k] = (float) scaled;
        to->seen[UNIT][k] = (float) (scaled * to->unit);
    }
    for (int k = 0; k < n; k++) {
        to->seen[PRESENCE][k] = (float) ((value[k] > 0.0) - (value[k] < 0.0));
        to->seen[ROOT][k] = sqrtf((float) (fabs(value[k]) * to->share));
    }
    for (int k = 0; k < n; k++) to->seen[ROOT][k] *= to->seen[PRESENCE][k];
    for (int k = 0; k < n; k++)
        store(to->value[k], spread_views(to, to->seen[SCALED][k], to->seen[PRESENCE][k],
                                         to->seen[UNIT][k], to->seen[ROOT][k]));
    return last;
}

#endif
