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
    double share, unit;             /* one over the sum of the sizes, and over the length */
    lanes ones;                     /* what the lanes see of a 1, if all values are */
    int64_t first;                  /* where the present stretch begins, or -1 */
    float seen[VIEWS][STRETCH];     /* the values of the stretch, by view */
    float value[STRETCH][LANES];    /* and by lane */
} prepared_t;

INLINE lanes spread_views(const prepared_t *to, float a, float b, float c, float d) {
    return either(either(keep(all(a), to->view[SCALED]), keep(all(b), to->view[PRESENCE])),
                  either(keep(all(c), to->view[UNIT]), keep(all(d), to->view[ROOT])));
}

/* One over the largest value of a feature, this one included. No branch: it would wait for memory. */
INLINE double shrink_for(double known, double size) {
    double own = 1.0 / size;
    return known < own ? known : own;
}

/* Look at the row as a whole, for lanes that see these views; `remember` its largest values. */
INLINE void prepare(prepared_t *to, const row_t *row, const int64_t *views, int remember) {
    double squares = 0.0, sizes = 0.0;
    to->row = row;
    to->first = -1;
    for (int v = 0; v < VIEWS; v++) to->view[v] = mask_of(views, v);
    if (row->value == NULL) {
        squares = sizes = (double) row->n;
        for (int64_t k = 0; remember && k < row->n; k++) row->shrink[row->slot[k]] = 1.0;
    } else {
        for (int64_t k = 0; k < row->n; k++) {
            double size = fabs(row->value[k]), *known = row->shrink + row->slot[k];
            double shrink = shrink_for(*known, size);
            if (remember) *known = shrink;
            squares += (size * shrink) * (size * shrink);
            sizes += size;
        }
    }
    to->unit = squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
    to->share = sizes > 1e-300 ? 1.0 / sizes : 0.0;
    to->ones = spread_views(to, 1.0f, 1.0f, (float) to->unit, sqrtf((float) to->share));
}

/* See the stretch that begins at `first`, unless it is before our eyes already; where it ends.
   A row without values is one stretch, in which the lanes see `ones` everywhere. */
INLINE int64_t see(prepared_t *to, int64_t first) {
    const row_t *row = to->row;
    const double *value = row->value + first;
    int64_t last = row->n - first > STRETCH ? first + STRETCH : row->n;
    int n = (int) (last - first);
    if (row->value == NULL) return row->n;
    if (to->first == first) return last;
    to->first = first;
    for (int k = 0; k < n; k++) {
        double shrink = shrink_for(row->shrink[row->slot[first + k]], fabs(value[k]));
        to->seen[SCALED][k] = (float) (value[k] * shrink);
        to->seen[UNIT][k] = (float) (value[k] * shrink * to->unit);
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
