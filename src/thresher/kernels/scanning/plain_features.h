/* Features `index:1` of svmlight, up to eight at once, where the processor permutes 64 bytes.

   Of 64 bytes, which begin with a feature, it is found out which of them are digits, colons and
   ends; a few operations on these masks then tell how far they are nothing but `index:1` and an
   end. The digits of eight indices are brought to eight places of eight bytes, and become eight
   numbers together. What is not of that kind is left to the code that takes one at a time. */

#ifndef THRESHER_PLAIN_FEATURES_H
#define THRESHER_PLAIN_FEATURES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t *column;      /* where the next goes */
    uint32_t first_index; /* what index stands for column 0 */
    uint32_t most;        /* the largest column */
    int32_t last;         /* the column before */
    int disorder;         /* whether columns did not increase somewhere */
} plain_t;

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>

#define THRESHER_VBMI2 __attribute__((target(                                        \
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))

/* 0, 1, ..., 63; the number of the place of eight; and in each place -8, ..., -1. */
static const uint8_t THRESHER_COUNT[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

THRESHER_VBMI2 static const unsigned char *thresher_wide_features(
    plain_t *plain, const unsigned char *p, const unsigned char *end
) {
    const __m512i count = _mm512_loadu_si512(THRESHER_COUNT);
    const __m512i place = _mm512_and_si512(_mm512_srli_epi16(count, 3), _mm512_set1_epi8(7));
    const __m512i before = _mm512_sub_epi8(
        _mm512_and_si512(count, _mm512_set1_epi8(7)), _mm512_set1_epi8(8));
    const __m512i zero = _mm512_set1_epi8('0');
    const __m256i first_index = _mm256_set1_epi32((int) plain->first_index);
    const __m256i most = _mm256_set1_epi32((int) plain->most);
    __m256i last = _mm256_set1_epi32(plain->last);
    int32_t *out = plain->column;
    unsigned disorder = 0;
    while (end - p >= 64) {
        const __m512i text = _mm512_loadu_si512(p);
        const uint64_t digits = _mm512_cmple_epu8_mask(
            _mm512_sub_epi8(text, zero), _mm512_set1_epi8(9));
        const uint64_t colons = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(':'));
        const uint64_t ones = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('1'));
        const uint64_t lines = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\n'));
        const uint64_t ends = lines | _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(' '));
        const uint64_t behind = colons << 2;
        /* What fits nowhere, what follows a colon and should not, and a colon without an index. */
        const uint64_t odd = ~(digits | colons | (behind & ends)) | (behind & ~ends)
            | (colons & ~(ones >> 1)) | (colons & (behind << 1 | 1));
        const uint64_t line = lines & (odd - 1) & ~odd;
        /* The ends of features, up to what is odd and up to the end of the line. */
        uint64_t done = behind & (odd - 1) & ~odd & (line ^ (line - 1));
        unsigned n = (unsigned) __builtin_popcountll(done), stop;
        __mmask8 here;
        if (n == 0) break;
        if (n > 8) {
            done = _pdep_u64(0xFF, done);
            n = 8;
        }
        here = (__mmask8) ((1u << n) - 1);
        {
            const __m512i colon = _mm512_maskz_compress_epi8(done >> 2, count);
            const __m512i begin = _mm512_maskz_compress_epi8(done << 1 | 1, count);
            const __m512i from = _mm512_add_epi8(_mm512_permutexvar_epi8(place, colon), before);
            const __mmask64 inside =
                _mm512_cmpge_epi8_mask(from, _mm512_permutexvar_epi8(place, begin));
            const __m512i digit = _mm512_maskz_sub_epi8(
                inside, _mm512_permutexvar_epi8(from, text), zero);
            const __m512i two = _mm512_maddubs_epi16(digit, _mm512_set1_epi16(10 | 1 << 8));
            const __m512i four = _mm512_madd_epi16(two, _mm512_set1_epi32(100 | 1 << 16));
            const __m256i column = _mm256_sub_epi32(
                _mm256_madd_epi16(
                    _mm512_cvtepi32_epi16(four), _mm256_set1_epi32(10000 | 1 << 16)),
                first_index);
            const __m128i length = _mm_sub_epi8(
                _mm512_castsi512_si128(colon), _mm512_castsi512_si128(begin));
            /* An index of nine digits, or one that has no column. */
            if ((_mm_cmpgt_epu8_mask(length, _mm_set1_epi8(8)) & here)
                | (_mm256_cmpgt_epu32_mask(column, most) & here)) break;
            disorder |= here
                & _mm256_cmple_epi32_mask(column, _mm256_alignr_epi32(column, last, 7));
            _mm256_mask_storeu_epi32(out, here, column);
            last = _mm256_permutexvar_epi32(_mm256_set1_epi32((int) n - 1), column);
        }
        out += n;
        stop = 63 - (unsigned) __builtin_clzll(done);
        p += stop + 1;
        if (lines >> stop & 1) {
            p--;
            break;
        }
    }
    plain->column = out;
    plain->last = _mm256_cvtsi256_si32(last);
    plain->disorder |= disorder != 0;
    return p;
}

static int thresher_has_wide(void) {
    return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vbmi")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
}
#else
static const unsigned char *thresher_wide_features(
    plain_t *plain, const unsigned char *p, const unsigned char *end
) {
    (void) plain, (void) end;
    return p;
}
static int thresher_has_wide(void) { return 0; }
#endif

#endif
