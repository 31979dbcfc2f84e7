/* A linear discriminant: what tells the means of two classes apart, column by column.

   For each column the mean of its values under -1 and under +1 are kept, over all rows, and the
   weight is their difference over the variance within a class, which is taken to be the same in
   both: naive Bayes for columns that are normally distributed. Counts converge sooner than steps
   do, which is worth something in the first hundreds of rows. */

#ifndef THRESHER_CLASS_MEANS
#define THRESHER_CLASS_MEANS

#include "exponentials.h"
#include "standard_columns.h"

#define LEAST_WITHIN 0.05       /* no column is taken to be surer than this */

/* Take over one more row, of so much weight, and make the weights of n slots. `means` has four
   columns under -1, the same under +1, then the next four; where the constant is, what the rows of
   each class weigh. `before` is so much weight of rows that say nothing. */
INLINE void learn_class_means(double *weights, double *means, const standard_t *row, int64_t n,
                              double before, double y, double weight) {
    const int64_t own = y > 0.0 ? 4 : 0;
    double low_mass = means[0] + (own ? 0.0 : weight), high_mass = means[4] + (own ? weight : 0.0);
    double whole = low_mass + high_mass, rate = weight / (own ? high_mass : low_mass);
    double between = low_mass * high_mass / whole / (whole + before);
    const four low_kept = all4(low_mass / (low_mass + before));
    const four high_kept = all4(high_mass / (high_mass + before));
    four level = all4(0.0);
    for (int64_t i = 0; i < n; i += 4) {
        const four mean = load4(row->mean + i), inverse = load4(row->inverse + i);
        double *pair = means + 2 * i, *mine = pair + own;
        four low, high, apart, within, w;
        store4(mine, add4(load4(mine), mul4(sub4(load4(row->raw + i), load4(mine)), all4(rate))));
        low = clipped4(mul4(sub4(load4(pair), mean), inverse), FARTHEST);
        high = clipped4(mul4(sub4(load4(pair + 4), mean), inverse), FARTHEST);
        apart = sub4(high, low);
        within = sub4(all4(1.0), mul4(all4(between), mul4(apart, apart)));
        within = where4(within, all4(LEAST_WITHIN), within, all4(LEAST_WITHIN));
        low = mul4(low, low_kept);
        high = mul4(high, high_kept);
        w = over4(sub4(high, low), within);
        store4(weights + i, w);
        level = add4(level, mul4(w, add4(high, low)));
    }
    means[0] = low_mass;
    means[4] = high_mass;
    weights[0] = logarithm(high_mass + 1.0) - logarithm(low_mass + 1.0) - 0.5 * sum4(level);
}

#endif
