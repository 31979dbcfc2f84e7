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
INLINE four load4(const double *from) { return *(const unaligned_four *) from; }
INLINE void store4(double *to, four a) { *(unaligned_four *) to = a; }
INLINE four all4(double a) { return (four) {a, a, a, a}; }
INLINE four add4(four a, four b) { return a + b; }
INLINE four sub4(four a, four b) { return a - b; }
INLINE four mul4(four a, four b) { return a * b; }
INLINE four over4(four a, four b) { return a / b; }
/* a where b > c, else d */
INLINE four where4(four b, four c, four a, four d) {
    four_bits mask = b > c;
    return (four) ((mask & (four_bits) a) | (~mask & (four_bits) d));
}
INLINE four root4(four a) {
    four r;
    for (int l = 0; l < 4; l++) r[l] = sqrt(a[l]);
    return r;
}
INLINE double sum4(four a) { return (a[0] + a[1]) + (a[2] + a[3]); }
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
#endif

#endif
