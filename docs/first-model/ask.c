#include <stdio.h>
#include "risk.h"

int main(void) {
    const char *name[] = {"age", "job=clerk", "home=rent", "income", "debt", "late"};
    double given[] = {23, 1, 1, 19, 31, 2}, value[6];
    int32_t column[6];
    size_t n = risk_row(name, NULL, given, 6, column, value);
    printf("%s, score %.16f\n", risk_label(risk_predict(column, value, n)),
           risk_score(column, value, n));
    return 0;
}
