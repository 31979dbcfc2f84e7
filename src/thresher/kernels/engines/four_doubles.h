/* Vectors of four doubles. Sums run in four parts, which meet in one fixed order, so that
   instructions of any width give the same bits. */

#ifndef THRESHER_FOUR_DOUBLES
#define THRESHER_FOUR_DOUBLES

#include "eight_floats.h"

/* The smallest number of fours that hold n. */
#define FOURS(n) (((n) + 3) / 4)

#if defined(__GNUC__)
typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));
typedef four unaligned_four __attribute__((aligned(8)));
typedef four_bits unaligned_bits __attribute__((aligned(8)));
INLINE four load4(const double *from) { return *(const unaligned_four *) from; }
INLINE void store4(double *to, four a) { *(unaligned_four *) to = a; }
INLINE four all4(double a) { return (four) {a, a, a, a}; }
INLINE four add4(four a, four b) { return a + b; }
INLINE four sub4(four a, four b) { return a - b; }
INLINE four mul4(four a, four b) { return a * b; }
INLINE four over4(four a, four b) { return a / b; }
/* All bits set where a > b. */
#if defined(__AVX__)
INLINE four_bits above4(four a, four b) { return a > b; }
#else
/* To compare vectors that are wider than the machine's takes one number after another. */
typedef double two __attribute__((vector_size(16)));
INLINE four_bits above4(four a, four b) {
    two x[2], y[2];
    four_bits r;
    memcpy(x, &a, sizeof a);
    memcpy(y, &b, sizeof b);
    for (int h = 0; h < 2; h++) x[h] = (two) (x[h] > y[h]);
    memcpy(&r, x, sizeof r);
    return r;
}
#endif
/* a where b > c, else d */
INLINE four where4(four b, four c, four a, four d) {
    four_bits mask = above4(b, c);
    return (four) ((mask & (four_bits) a) | (~mask & (four_bits) d));
}
INLINE four root4(four a) {
    four r;
    for (int l = 0; l < 4; l++) r[l] = sqrt(a[l]);
    return r;
}
INLINE double sum4(four a) { return (a[0] + a[1]) + (a[2] + a[3]); }
INLINE four of4(double a, double b, double c, double d) { return (four) {a, b, c, d}; }
/* a 2^k, where k is in the low bits of b */
INLINE four raised4(four a, four b) { return (four) ((four_bits) a + ((four_bits) b << 52)); }
/* To each number of `to`, 1 where b > c; if `not_so`, 1 where it is not. */
INLINE void count4(int64_t *to, four b, four c, int64_t not_so) {
    *(unaligned_bits *) to -= above4(b, c) ^ (four_bits) {-not_so, -not_so, -not_so, -not_so};
}
#else
typedef struct { double at[4]; } four;
#define EACH4(expression) four r; for (int l = 0; l < 4; l++) r.at[l] = (expression); return r
INLINE four load4(const double *from) { EACH4(from[l]); }
INLINE void store4(double *to, four a) { memcpy(to, a.at, sizeof a.at); }
INLINE four all4(double a) { EACH4(a); }
INLINE four add4(four a, four b) { EACH4(a.at[l] + b.at[l]); }
INLINE four sub4(four a, four b) { EACH4(a.at[l] - b.at[l]); }
INLINE four mul4(four a, four b) { EACH4(a.at[l] * b.at[l]); }
INLINE four over4(four a, four b) { EACH4(a.at[l] / b.at[l]); }
INLINE four where4(four b, four c, four a, four d) {
    EACH4(b.at[l] > c.at[l] ? a.at[l] : d.at[l]);
}
INLINE four root4(four a) { EACH4(sqrt(a.at[l])); }
INLINE double sum4(four a) { return (a.at[0] + a.at[1]) + (a.at[2] + a.at[3]); }
INLINE four of4(double a, double b, double c, double d) { four r = {{a, b, c, d}}; return r; }
INLINE four raised4(four a, four b) {
    uint64_t high[4], low[4];
    four r;
    memcpy(high, a.at, sizeof high);
    memcpy(low, b.at, sizeof low);
    for (int l = 0; l < 4; l++) high[l] += low[l] << 52;
    memcpy(r.at, high, sizeof high);
    return r;
}
INLINE void count4(int64_t *to, four b, four c, int64_t not_so) {
    for (int l = 0; l < 4; l++) to[l] += (b.at[l] > c.at[l]) != not_so;
}
#endif

/* The numbers of four places, the first of which is i. */
INLINE four from4(double i) { return of4(i, i + 1.0, i + 2.0, i + 3.0); }

/* a in place i, 0 elsewhere */
INLINE four only4(double a, int64_t i) {
    return of4(i == 0 ? a : 0.0, i == 1 ? a : 0.0, i == 2 ? a : 0.0, i == 3 ? a : 0.0);
}

INLINE four clipped4(four x, double most) {
    return where4(x, all4(most), all4(most), where4(all4(-most), x, all4(-most), x));
}

#endif
