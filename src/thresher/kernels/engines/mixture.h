/* The mixture of what the members of a committee say. In doubles, a loop for each step. */

#ifndef THRESHER_MIXTURE
#define THRESHER_MIXTURE

#include "committee_state.h"
#include "exponentials.h"

INLINE void listen(const committee_t *state, turn_t *turn) {
    opinions_t *to = &turn->said;
    int n = (int) state->present, lanes_used = (int) state->n_lanes, all_members = (int) state->n_members;
    double shrunk[EXPONENTS] = {0.0}, power[EXPONENTS];
    double average = 0.0, whole = 0.0, best = state->share[0] * LEVEL;
    for (int m = 0; m < lanes_used; m++) to->score[m] = turn->score[m];
    for (int m = lanes_used; m < n; m++) to->score[m] = turn->sums[m - lanes_used].score;
    for (int m = 0; m < n; m++) {
        double s = to->score[m];
        double square = (state->square[m] + s * s) / (state->rounds + 1.0);
        to->standard[m] = square > 0.0 ? clipped(s / sqrt(square), FAR) : 0.0;
        to->odds[m] = clipped(state->slope[m] * to->standard[m], SURE);
    }
    for (int m = 0; m < n; m++) average += state->prior[m] * to->odds[m];
    for (int m = 0; m < n; m++) whole += state->prior[m];
    for (int m = 0; m < n; m++) best += state->share[1 + m] * to->odds[m];
    to->odds[n] = n > 0 ? average / whole : 0.0;
    to->odds[n + 1] = clipped(best, SURE);
    for (int e = 0; e < n + 2; e++) shrunk[e] = -fabs(to->odds[e]);
    if (n <= LANES) exponentials(shrunk, power, 12);
    else exponentials(shrunk, power, 16);
    to->mixed = 0.0;
    for (int e = 0; e < n + 2; e++) {
        double lean = (1.0 - power[e]) / (1.0 + power[e]);
        to->lean[e] = to->odds[e] < 0.0 ? -lean : lean;
    }
    for (int e = 0; e < n; e++) to->mixed += state->belief[e] * to->lean[e];
    for (int e = 0; e < 2; e++) to->mixed += state->belief[all_members + e] * to->lean[n + e];
}

INLINE void note(committee_t *state, int expert, double lean, int wrong, double y) {
    double value = state->likelihood[expert] * (0.5 + 0.5 * y * lean);
    int small = value < 7.458340731200207e-155;   /* 2^-512 */
    state->likelihood[expert] = small ? value * 1.3407807929942597e154 : value;
    state->places[expert] += small;
    state->mistakes[expert] += wrong;
}

/* The record of everybody. Who left is taken to say what the mixture says. */
INLINE void note_all(committee_t *state, const opinions_t *said, double y) {
    int n = (int) state->present, all_members = (int) state->n_members;
    int wrong = (said->mixed >= 0.0) != (y > 0.0);
    for (int m = 0; m < n; m++) note(state, m, said->lean[m], (said->score[m] >= 0.0) != (y > 0.0), y);
    for (int m = n; m < all_members; m++) note(state, m, said->mixed, wrong, y);
    for (int e = 0; e < 2; e++)
        note(state, all_members + e, said->lean[n + e], (said->odds[n + e] >= 0.0) != (y > 0.0), y);
    note(state, all_members + 2, said->mixed, wrong, y);
}

/* Newton's step on the logistic loss of the combination: share += spread in, weighed. */
INLINE void learn_combination(committee_t *state, const opinions_t *said, double y, double weight,
                              const int width) {
    int n = (int) state->present;
    double lean = said->lean[n + 1];
    double pull = weight * (0.5 * (y - lean)), bend = weight * (0.25 * (1.0 - lean * lean));
    double in[INPUTS] = {LEVEL}, moved[INPUTS] = {0.0}, doubt = 0.0, rate;
    for (int m = 0; m < n; m++) in[1 + m] = said->odds[m];
    for (int k = 0; k <= n; k++)
        for (int m = 0; m < width; m++) moved[m] += state->spread[k * INPUTS + m] * in[k];
    for (int m = 0; m <= n; m++) doubt += moved[m] * in[m];
    if (doubt < 0.0) doubt = 0.0;
    rate = 1.0 / (1.0 + bend * doubt);
    for (int m = 0; m < width; m++) state->share[m] += pull * rate * moved[m];
    for (int k = 0; k <= n; k++) {
        double part = bend * rate * moved[k];
        for (int m = 0; m < width; m++) state->spread[k * INPUTS + m] -= part * moved[m];
    }
}

/* What the belief in each expert is multiplied with: the probability it gave to the label, to the
   power of the weight; over that of the best if the weight is not 1, lest all vanish. */
INLINE void likelihoods(const opinions_t *said, int n, double y, double weight, double *to) {
    double most = -1e300, power[EXPONENTS] = {0.0};
    for (int e = 0; e < n; e++) to[e] = 1.0 + y * said->lean[e];
    if (weight == 1.0) return;
    for (int e = 0; e < n; e++) {
        power[e] = logarithm(0.5 * to[e]);
        if (power[e] > most) most = power[e];
    }
    for (int e = 0; e < n; e++) {
        power[e] = weight * (power[e] - most);
        if (power[e] < -700.0) power[e] = -700.0;
    }
    exponentials(power, to, EXPONENTS);
}

INLINE void learn_beliefs(committee_t *state, const opinions_t *said, double y, double weight) {
    int n = (int) state->present, all_members = (int) state->n_members;
    double total = 0.0, whole = 0.0, forget = 1.0 / (state->rounds + 2.0), factor[EXPONENTS];
    likelihoods(said, n + 2, y, weight, factor);
    for (int e = 0; e < n + 2; e++) {
        int m = e < n ? e : e - n + all_members;
        state->belief[m] *= factor[e];
        total += state->belief[m];
        whole += state->prior[m];
    }
    for (int e = 0; e < n + 2; e++) {
        int m = e < n ? e : e - n + all_members;
        state->belief[m] = (1.0 - forget) * (state->belief[m] / total)
                           + forget * (state->prior[m] / whole);
    }
}

INLINE void learn_mixture(committee_t *state, const turn_t *turn, double y) {
    const opinions_t *said = &turn->said;
    int n = (int) state->present;
    double weight = turn->weight;
    note_all(state, said, y);
    learn_beliefs(state, said, y, weight);
    if (n <= LANES) learn_combination(state, said, y, weight, 1 + LANES);
    else learn_combination(state, said, y, weight, INPUTS);
    for (int m = 0; m < n; m++) {
        double f = said->standard[m], lean = said->lean[m], s = said->score[m];
        state->square[m] += s * s;
        state->curvature[m] += weight * (0.25 * (1.0 - lean * lean)) * (f * f);
        state->slope[m] += weight * (0.5 * (y - lean)) * f / state->curvature[m];
        if (state->slope[m] < 0.01) state->slope[m] = 0.01;
    }
    state->rounds += 1.0;
    state->mass += weight;
    state->labels += weight * y;
    state->weighed += weight != 1.0;
}

/* Those leave for whom the stream has too many columns; the weights of all who stay grow alike. */
INLINE void let_go(committee_t *state, const columns_t *columns, int overflow) {
    int all_members = (int) state->n_members;
    int64_t n = state->present, before = n;
    double belief = 0.0;
    while (n > state->n_lanes
           && (overflow || columns->n - 1 > most_columns(state->seat[n - 1 - state->n_lanes].kind)))
        n--;
    if (n == before) return;
    for (int64_t m = n; m < before; m++) {
        state->belief[m] = state->share[1 + m] = 0.0;
        for (int k = 0; k <= all_members; k++)
            state->spread[(1 + m) * INPUTS + k] = state->spread[k * INPUTS + 1 + m] = 0.0;
    }
    state->present = n;
    for (int m = 0; m < all_members + 2; m++) belief += state->belief[m];
    for (int m = 0; m < all_members + 2; m++) state->belief[m] /= belief;
}

#endif
