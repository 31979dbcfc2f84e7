/* The mixture of what the members of a committee say: in doubles, four members at a time. Sums run
   over the members in their order, then over the average and the combination. */

#ifndef THRESHER_MIXTURE
#define THRESHER_MIXTURE

#include "committee_state.h"
#include "exponentials.h"

/* So many fours hold all members, and those in lanes, which are all who look at most streams. */
#define ALL_FOURS FOURS(MEMBERS)
#define LANE_FOURS FOURS(LANES)
_Static_assert(ALL_FOURS < MOST_FOURS, "exponentials of all experts are taken at once");

/* From log-odds to probability of +1 minus that of -1. */
INLINE void lean_of(const four *odds, four *to, const int n) {
    const four none = all4(0.0), one = all4(1.0), minus = all4(-1.0);
    for (int i = 0; i < n; i++) to[i] = where4(odds[i], none, mul4(minus, odds[i]), odds[i]);
    exponentials(to, n);
    for (int i = 0; i < n; i++) {
        four lean = over4(sub4(one, to[i]), add4(one, to[i]));
        to[i] = where4(none, odds[i], mul4(minus, lean), lean);
    }
}

/* Listening has steps, each of which is a chain of numbers that wait for one another. They are taken
   one by one for all committees, so that while one waits others go on: see `listen_all`. */

/* What the members say, as log-odds. */
INLINE void hear_members(const committee_t *state, opinions_t *to, const int fours) {
    const four none = all4(0.0), rounds = all4(state->rounds + 1.0);
    for (int i = 0; i < fours; i++) {
        four s = load4(to->score + 4 * i), square, standard;
        square = over4(add4(load4(state->square + 4 * i), mul4(s, s)), rounds);
        standard = over4(s, root4(where4(square, none, square, all4(1.0))));
        standard = where4(square, none, clipped4(standard, FAR), none);
        store4(to->standard + 4 * i, standard);
        store4(to->odds + 4 * i,
               clipped4(mul4(load4(state->slope + 4 * i), standard), SURE));
    }
}

/* The average of these, and the best combination. */
INLINE void join(const committee_t *state, opinions_t *to) {
    const int n = (int) state->present;
    double average = 0.0, whole = 0.0, best = state->share[0] * LEVEL;
    for (int m = 0; m < n; m++) {
        average += state->prior[m] * to->odds[m];
        whole += state->prior[m];
        best += state->share[1 + m] * to->odds[m];
    }
    store4(to->joint_odds, of4(n > 0 ? average / whole : 0.0, clipped(best, SURE), 0.0, 0.0));
}

INLINE void lean(opinions_t *to, const int fours) {
    four odds[ALL_FOURS + 1], lean[ALL_FOURS + 1];
    for (int i = 0; i < fours; i++) odds[i] = load4(to->odds + 4 * i);
    odds[fours] = load4(to->joint_odds);
    lean_of(odds, lean, fours + 1);
    for (int i = 0; i < fours; i++) store4(to->lean + 4 * i, lean[i]);
    store4(to->joint_lean, lean[fours]);
}

INLINE void mix(const committee_t *state, opinions_t *to) {
    const int n = (int) state->present, all_members = (int) state->n_members;
    double mixed = 0.0;
    for (int m = 0; m < n; m++) mixed += state->belief[m] * to->lean[m];
    for (int e = 0; e < 2; e++) mixed += state->belief[all_members + e] * to->joint_lean[e];
    to->mixed = mixed;
}

INLINE void listen_in(const table_t *table, turn_t *turns, const int fours) {
    for (int64_t c = 0; c < table->n; c++) hear_members(table->state[c], &turns[c].said, fours);
    for (int64_t c = 0; c < table->n; c++) join(table->state[c], &turns[c].said);
    for (int64_t c = 0; c < table->n; c++) lean(&turns[c].said, fours);
    for (int64_t c = 0; c < table->n; c++) mix(table->state[c], &turns[c].said);
}

INLINE void listen_all(const table_t *table, turn_t *turns) {
    if (table->state[0]->present <= LANES) listen_in(table, turns, LANE_FOURS);
    else listen_in(table, turns, ALL_FOURS);
}

/* ---- learning --------------------------------------------------------------------------------- */

/* The record of four experts from place `at` on, of which those below `end` are there: what they
   leaned to, and the number whose sign is their answer. */
INLINE void note(committee_t *state, int at, int end, four lean, four answer, double y) {
    const four tiny = all4(7.458340731200207e-155), huge = all4(1.3407807929942597e154);   /* 2^512 */
    const four known = load4(state->likelihood + at), last = all4(end), place = from4(at);
    four value = mul4(known, add4(all4(0.5), mul4(all4(0.5 * y), lean)));
    value = where4(last, place, value, known);
    answer = where4(last, place, answer, all4(y));
    store4(state->likelihood + at, where4(tiny, value, mul4(value, huge), value));
    count4(state->places + at, tiny, value, 0);
    count4(state->mistakes + at, all4(0.0), answer, y < 0.0);
}

/* The record of everybody. Who left is taken to say what the mixture says. */
INLINE void note_all(committee_t *state, const opinions_t *said, double y) {
    const int n = (int) state->present, all_members = (int) state->n_members;
    const four mixed = all4(said->mixed);
    const double *lean = said->joint_lean, *odds = said->joint_odds;
    for (int at = 0; at < all_members; at += 4) {
        four there = all4(n), place = from4(at);
        note(state, at, all_members, where4(there, place, load4(said->lean + at), mixed),
             where4(there, place, load4(said->score + at), mixed), y);
    }
    note(state, all_members, all_members + 3, of4(lean[0], lean[1], said->mixed, 0.0),
         of4(odds[0], odds[1], said->mixed, 0.0), y);
}

/* What the belief in each expert is multiplied with: the probability it gave to the label, to the
   power of the weight; over that of the best if the weight is not 1, lest all vanish. */
INLINE void likelihoods(const opinions_t *said, int n, double y, double weight, four *to,
                        const int fours) {
    double power[PLACES + 4] = {0.0}, most = -1e300;
    for (int i = 0; i < fours; i++)
        to[i] = add4(all4(1.0), mul4(all4(y), load4(said->lean + 4 * i)));
    to[fours] = add4(all4(1.0), mul4(all4(y), load4(said->joint_lean)));
    if (weight == 1.0) return;
    for (int i = 0; i <= fours; i++) store4(power + 4 * i, mul4(all4(0.5), to[i]));
    for (int e = 0; e < 4 * fours + 2; e++) {
        power[e] = logarithm(power[e]);
        if ((e < n || e >= 4 * fours) && power[e] > most) most = power[e];
    }
    for (int e = 0; e < 4 * fours + 4; e++) {
        power[e] = weight * (power[e] - most);
        if (power[e] < -700.0) power[e] = -700.0;
    }
    for (int i = 0; i <= fours; i++) to[i] = load4(power + 4 * i);
    exponentials(to, fours + 1);
}

INLINE void learn_beliefs(committee_t *state, const opinions_t *said, double y, double weight,
                          const int fours) {
    const int n = (int) state->present, all_members = (int) state->n_members;
    double total = 0.0, whole = 0.0, forget = 1.0 / (state->rounds + 2.0), *belief = state->belief;
    const double *prior = state->prior;
    double grown[PLACES + 4];
    four factor[ALL_FOURS + 1], joint = load4(belief + all_members);
    likelihoods(said, n, y, weight, factor, fours);
    for (int i = 0; i < fours; i++)
        store4(grown + 4 * i, mul4(load4(belief + 4 * i), factor[i]));
    store4(grown + 4 * fours, mul4(joint, factor[fours]));
    for (int m = 0; m < n; m++) {
        total += grown[m];
        whole += prior[m];
    }
    for (int e = 0; e < 2; e++) {
        total += grown[4 * fours + e];
        whole += prior[all_members + e];
    }
    for (int i = 0; i <= fours; i++) {
        int at = i < fours ? 4 * i : all_members, end = i < fours ? n : all_members + 2;
        four kept = mul4(all4(1.0 - forget), over4(load4(grown + 4 * i), all4(total)));
        four given = mul4(all4(forget), over4(load4(prior + at), all4(whole)));
        store4(belief + at, where4(all4(end), from4(at), add4(kept, given), load4(belief + at)));
    }
}

/* Newton's step on the logistic loss of the combination: share += spread in, weighed. */
INLINE void learn_combination(committee_t *state, const opinions_t *said, double y, double weight,
                              const int fours) {
    const int n = (int) state->present;
    double lean = said->joint_lean[1];
    double pull = weight * (0.5 * (y - lean)), bend = weight * (0.25 * (1.0 - lean * lean));
    double moved[INPUTS], doubt, rate;
    four move[FOURS(INPUTS)];
    for (int i = 0; i < fours; i++) move[i] = all4(0.0);
    for (int k = 0; k <= n; k++) {
        four in = all4(k > 0 ? said->odds[k - 1] : LEVEL);
        for (int i = 0; i < fours; i++)
            move[i] = add4(move[i], mul4(load4(state->spread + k * INPUTS + 4 * i), in));
    }
    for (int i = 0; i < fours; i++) store4(moved + 4 * i, move[i]);
    doubt = moved[0] * LEVEL;
    for (int m = 1; m <= n; m++) doubt += moved[m] * said->odds[m - 1];
    if (doubt < 0.0) doubt = 0.0;
    rate = 1.0 / (1.0 + bend * doubt);
    for (int i = 0; i < fours; i++) {
        double *own = state->share + 4 * i;
        store4(own, add4(load4(own), mul4(all4(pull * rate), move[i])));
    }
    for (int k = 0; k <= n; k++) {
        four part = all4(bend * rate * moved[k]);
        for (int i = 0; i < fours; i++) {
            double *own = state->spread + k * INPUTS + 4 * i;
            store4(own, sub4(load4(own), mul4(part, move[i])));
        }
    }
}

/* How much what each member says is worth, and how large its scores are. */
INLINE void learn_slopes(committee_t *state, const opinions_t *said, double y, double weight,
                         const int fours) {
    const four least = all4(0.01), one = all4(1.0);
    for (int i = 0; i < fours; i++) {
        four f = load4(said->standard + 4 * i), lean = load4(said->lean + 4 * i);
        four s = load4(said->score + 4 * i), curvature = load4(state->curvature + 4 * i), slope;
        four bend = mul4(all4(weight), mul4(all4(0.25), sub4(one, mul4(lean, lean))));
        four pull = mul4(all4(weight), mul4(all4(0.5), sub4(all4(y), lean)));
        curvature = add4(curvature, mul4(bend, mul4(f, f)));
        slope = add4(load4(state->slope + 4 * i), over4(mul4(pull, f), curvature));
        store4(state->square + 4 * i, add4(load4(state->square + 4 * i), mul4(s, s)));
        store4(state->curvature + 4 * i, curvature);
        store4(state->slope + 4 * i, where4(least, slope, least, slope));
    }
}

INLINE void learn_mixture(committee_t *state, const turn_t *turn, double y) {
    const opinions_t *said = &turn->said;
    double weight = turn->weight;
    note_all(state, said, y);
    if (state->present <= LANES) {
        learn_beliefs(state, said, y, weight, LANE_FOURS);
        learn_combination(state, said, y, weight, FOURS(1 + LANES));
        learn_slopes(state, said, y, weight, LANE_FOURS);
    } else {
        learn_beliefs(state, said, y, weight, ALL_FOURS);
        learn_combination(state, said, y, weight, FOURS(INPUTS));
        learn_slopes(state, said, y, weight, ALL_FOURS);
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
