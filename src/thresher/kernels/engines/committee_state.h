/* What a committee is and keeps, and what happens in it during a round. */

#ifndef THRESHER_COMMITTEE_STATE
#define THRESHER_COMMITTEE_STATE

#include "prepared_row.h"
#include "seats.h"

#define SEATS 7
#define MEMBERS (LANES + SEATS)
#define EXPERTS (MEMBERS + 2)   /* the members, their average, and their best combination */

/* Numbers of the members, of the experts and of what is combined (a constant, then what the members
   say) are worked on by fours, in places of which the last may be empty. */
#define PLACES (4 * FOURS(MEMBERS))
#define INPUTS (4 * FOURS(1 + MEMBERS))
#define RECORDS (PLACES + 4)

/* The constant: small, so that it is learned slowly. */
#define LEVEL 0.25

/* How far a standardised score, and a log-odds, may go. */
#define FAR 4.0
#define SURE 8.0

enum { AROW, ADAGRAD, MEANS };

/* What is worked on by fours comes first, so that fours begin where a quarter of a line would. */
typedef struct {
    /* calibration: sum of squared scores, slope, curvature */
    double square[PLACES];
    double slope[PLACES];
    double curvature[PLACES];
    /* the best combination: weights of its inputs and their covariance */
    double share[INPUTS];
    double spread[INPUTS * INPUTS];
    /* the mixture: first and present weight of each expert; members, average, combination */
    double prior[RECORDS];
    double belief[RECORDS];
    /* the record, of the experts and, next, of the mixture: a likelihood is value * 2^-512 places */
    double likelihood[RECORDS];
    int64_t places[RECORDS];
    int64_t mistakes[RECORDS];
    float bias[2 * LANES];
    float setting[LANES];
    float start[LANES];     /* the second number of a feature that was never learned from */
    /* what the members are: how many, how many of them in lanes, how many have not left */
    int64_t n_members;
    int64_t n_lanes;
    int64_t present;
    int64_t rule[LANES];
    int64_t view[LANES];
    seat_t seat[SEATS];
    /* what the members share: rounds, what they weighed, the weighed sum of the labels, and in
       how many rounds the weight was not 1 */
    double rounds;
    double mass;
    double labels;
    double weighed;
} committee_t;

/* Room for a committee on lines of the cache that nobody else writes to, and where it begins. */
#define LINE 64
typedef struct { char bytes[sizeof(committee_t) + 2 * LINE]; } committee_room_t;
INLINE committee_t *within(committee_room_t *room) {
    return (committee_t *) (((uintptr_t) room->bytes + LINE - 1) / LINE * LINE);
}

/* Committees that look at the same rows. Each has the same members, and of every slot a place of 16
   floats; the places of a slot follow each other, `stride` floats for all of them. Those of slot 0
   are zeros. */
typedef struct {
    committee_t *const *state;
    columns_t *columns;
    int64_t n;
    float *block;
    int64_t stride;
} table_t;

/* What is said of a row. Where a member left or never was, 0. */
typedef struct {
    double score[PLACES];
    double standard[PLACES];    /* scores over their root mean square */
    double odds[PLACES];        /* log-odds of +1 */
    double lean[PLACES];        /* probability of +1 minus that of -1 */
    double joint_odds[4];       /* of the average and of the combination */
    double joint_lean[4];
    double mixed;               /* what the mixture leans to */
} opinions_t;

/* What happens in a committee during a round: what the row weighs, to be set by who calls; sums of
   the members, their steps, what is said. */
typedef struct {
    opinions_t said;
    double weight;
    sums_t sums[SEATS];
    float score[LANES], doubt[LANES];
    float c[LANES], e[LANES];
} turn_t;

#endif
