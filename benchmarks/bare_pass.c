/* The least that passes over sparse rows can do. */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A bare sparse dot product per row. */
void bare_pass(int64_t n_rows, const int64_t *row_start, const int32_t *column,
               const double *value, const double *weight, double *score)
{
    for (int64_t t = 0; t < n_rows; t++) {
        double total = 0.0;
        for (int64_t k = row_start[t]; k < row_start[t + 1]; k++)
            total += weight[column[k]] * value[k];
        score[t] = total;
    }
}

/* Where the numbers of each feature are, by column: a Committee has them in the order in which
   features appear. */
void bare_places(int64_t n, const int32_t *column, const int32_t *table, int32_t *place)
{
    for (int64_t k = 0; k < n; k++) place[k] = table[column[k]];
}

/* Four vectors of four floats for each feature, added up, and once more to be changed: what eight
   members with two numbers each have to read and write. The next row's are asked for meanwhile. */
typedef float part __attribute__((vector_size(16)));

void bare_lines(int64_t n_rows, const int64_t *row_start, const int32_t *column, part *line,
                double *score)
{
    for (int64_t t = 0; t < n_rows; t++) {
        int64_t start = row_start[t], stop = row_start[t + 1];
        int64_t later = row_start[t + 2 < n_rows ? t + 2 : n_rows];
        part a = {0.0f}, b = a, c = a, d = a;
        for (int64_t k = start; k < stop; k++) {
            const part *own = line + 4 * (int64_t) column[k];
            a += own[0];
            b += own[1];
            c += own[2];
            d += own[3];
        }
        for (int64_t k = start; k < stop; k++) {
            part *own = line + 4 * (int64_t) column[k];
            int64_t next = k + stop - start < later ? k + stop - start : k;
            __builtin_prefetch(line + 4 * (int64_t) column[next], 1);
            own[0] += a;
            own[1] += b;
            own[2] += c;
            own[3] += d;
        }
        score[t] = a[0];
    }
}

/* The same in vectors of eight, with a division and a root for each feature. */
typedef float eight __attribute__((vector_size(32)));

#if defined(__x86_64__) && defined(__GLIBC__)
__attribute__((target_clones("avx2", "default")))
#endif
void bare_steps(int64_t n_rows, const int64_t *row_start, const int32_t *column, eight *line,
                double *score)
{
    for (int64_t t = 0; t < n_rows; t++) {
        int64_t start = row_start[t], stop = row_start[t + 1];
        int64_t later = row_start[t + 2 < n_rows ? t + 2 : n_rows];
        eight a = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f}, b = a;
        for (int64_t k = start; k < stop; k++) {
            const eight *own = line + 2 * (int64_t) column[k];
            a += own[0];
            b += own[1];
        }
        for (int64_t k = start; k < stop; k++) {
            eight *own = line + 2 * (int64_t) column[k], root;
            int64_t next = k + stop - start < later ? k + stop - start : k;
            __builtin_prefetch(line + 2 * (int64_t) column[next], 1);
            own[1] += b * b;
            for (int l = 0; l < 8; l++) root[l] = sqrtf(own[1][l]);
            own[0] += a / root;
        }
        score[t] = a[0];
    }
}

/* One pass of a Perceptron over the frames of a binary file of ones with two labels, from `at` on
   (docs/binary-format.md): each column read once, no check, and the rows of the mistakes written
   down. The number of mistakes. */
int64_t bare_frames(const uint8_t *at, int32_t *weight, int32_t *journal)
{
    int64_t mistakes = 0;
    while (memcmp(at, "ROWS", 4) == 0) {
        const int64_t *head = (const int64_t *) at, *row_start = (const int64_t *) (at + 64);
        int64_t n_rows = head[1], n_values = head[2];
        const int32_t *column = (const int32_t *) (row_start + n_rows + 1);
        const int32_t *label = column + (n_values + 1) / 2 * 2;
        for (int64_t t = 0; t < n_rows; t++) {
            int64_t start = row_start[t], stop = row_start[t + 1], total = 0;
            for (int64_t k = start; k < stop; k++) total += weight[column[k]];
            if ((total >= 0) == (label[t] > 0)) continue;
            for (int64_t k = start; k < stop; k++) weight[column[k]] += label[t] > 0 ? 1 : -1;
            memcpy(journal, column + start, (stop - start) * sizeof *journal);
            journal += stop - start;
            mistakes++;
        }
        at += 64 + head[3];
    }
    return mistakes;
}
