/* A bare sparse dot product per row: the least any pass over such rows can do. */

#include <stdint.h>

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
