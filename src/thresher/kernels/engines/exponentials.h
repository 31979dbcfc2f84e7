/* Exponentials and logarithms from additions, products and quotients alone, which every machine
   rounds in one way only: the same bits everywhere. */

#ifndef THRESHER_EXPONENTIALS
#define THRESHER_EXPONENTIALS

#include "four_doubles.h"

#define MOST_FOURS 5    /* so many at a time */

/* e^x of n fours, |x| <= 700, in their place. */
INLINE void exponentials(four *x, const int n) {
    static const double terms[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
    const four shifter = all4(6755399441055744.0);  /* 1.5 * 2^52: rounds, leaves k in the low bits */
    four power[MOST_FOURS], r[MOST_FOURS];
    for (int i = 0; i < n; i++) {
        four k;
        power[i] = add4(mul4(x[i], all4(1.4426950408889634)), shifter);
        k = sub4(power[i], shifter);
        r[i] = sub4(x[i], mul4(k, all4(0.6931471803691238)));
        r[i] = sub4(r[i], mul4(k, all4(1.9082149292705877e-10)));
        x[i] = all4(terms[0]);
    }
    for (int t = 1; t < 13; t++)
        for (int i = 0; i < n; i++) x[i] = add4(mul4(x[i], r[i]), all4(terms[t]));
    for (int i = 0; i < n; i++) x[i] = raised4(x[i], power[i]);
}

INLINE double clipped(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* ln x for x > 0 and normal: x = 2^k m with m between 1/sqrt 2 and sqrt 2, ln m = 2 artanh. */
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

#endif
