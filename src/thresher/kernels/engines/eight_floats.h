/* Vectors of eight floats: the lanes of a committee, one for each member.

   Lanes never meet in these operations, so that vectors of any width give the same bits. The
   compiler alone does not vectorise loops over lanes: they are written as vectors. */

#ifndef THRESHER_EIGHT_FLOATS
#define THRESHER_EIGHT_FLOATS

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 8

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
#if defined(__AVX__)
INLINE lanes less(lanes a, lanes b) { return (lanes) (a < b); }
#else
/* To compare vectors that are wider than the machine's takes one lane after another. */
typedef float half __attribute__((vector_size(16)));
INLINE lanes less(lanes a, lanes b) {
    half x[2], y[2];
    memcpy(x, &a, sizeof a);
    memcpy(y, &b, sizeof b);
    for (int h = 0; h < 2; h++) x[h] = (half) (x[h] < y[h]);
    memcpy(&a, x, sizeof a);
    return a;
}
#endif
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
INLINE lanes less(lanes a, lanes b) { EACH(of_bits(a.at[l] < b.at[l] ? UINT32_MAX : 0)); }
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

#endif
