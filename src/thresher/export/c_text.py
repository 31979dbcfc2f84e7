"""The part of a C header that cuts a text into features, exactly as the model does."""

from __future__ import annotations

from thresher.export.feature_names import FeatureNames
from thresher.export.templates import filled


def text_part(names: FeatureNames, called: str) -> str:
    """A function that predicts the label of a text."""
    assert names.text is not None
    shortest, longest, first, last, window = names.text
    code = _TEXT.replace("@words@", _WORDS if longest else "")
    code = code.replace("@characters@", _CHARACTERS if last else "")
    code = code.replace("@pairs@", _PAIRS if window else "")
    return filled(
        code,
        P=called,
        U=called.upper(),
        shortest=shortest,
        longest=longest,
        first=first,
        last=last,
        window=window,
        times="(double) times" if names.counts else "1.0",
    )


_WORDS = """    for (i = 0; i < n; i++)
        for (size = @shortest@; size <= @longest@ && i + size <= n; size++)
            if (!@P@_add(cut, low + start[i], stop[i + size - 1] - start[i], 1)) return 0;
"""

_CHARACTERS = """    low[0] = ' ';
    start[0] = 0;
    for (i = 0, out = 1, n = 1; i < length; i++) {
        char c = @P@_small(text[i]);
        if (@P@_kind(c) == 3) {
            if (low[out - 1] == ' ') continue;
            c = ' ';
        }
        if (((unsigned char) c & 0xC0) != 0x80) start[n++] = out;
        low[out++] = c;
    }
    if (low[out - 1] != ' ') {
        start[n++] = out;
        low[out++] = ' ';
    }
    start[n] = out;
    for (i = 0; i < n; i++)
        for (size = @first@; size <= @last@ && i + size <= n; size++)
            if (!@P@_add(cut, "c:", 2, 0)
                || !@P@_add(cut, low + start[i], start[i + size] - start[i], 1)) return 0;
"""

_PAIRS = """    for (i = 0; i < n; i++)
        for (size = 1; size < @window@ && i + size < n; size++) {
            char apart[5] = {' ', '~', '1', '0', ' '};
            size_t width = 4;
            apart[2] = (char) ('0' + (size < 10 ? size : size / 10));
            if (size < 10) apart[3] = ' ';
            else apart[3] = (char) ('0' + size % 10), width = 5;
            if (!@P@_add(cut, low + start[i], stop[i] - start[i], 0)
                || !@P@_add(cut, apart, width, 0)
                || !@P@_add(cut, low + start[i + size], stop[i + size] - start[i + size], 1))
                return 0;
        }
"""

_TEXT = """/* ---- texts ------------------------------------------------------------------------ */

/* Names, one behind the other, and where each ends. */
typedef struct { char *text; size_t size, room, *stop, n, most; } @P@_cut;
typedef struct { const char *text; size_t size; } @P@_name;

/* 1: part of a word, 2: an apostrophe, 3: white space. */
@U@_PLAIN static int @P@_kind(char letter)
{
    unsigned char c = (unsigned char) letter;
    if (c >= 128 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return 1;
    return c == 39 ? 2 : c == 32 || (c >= 9 && c <= 13) ? 3 : 0;
}

@U@_PLAIN static char @P@_small(char c) { return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c; }

/* Write a piece of a name down; 0: out of memory. */
@U@_PLAIN static int @P@_add(@P@_cut *cut, const char *text, size_t size, int ends)
{
    if (cut->room - cut->size < size) {
        size_t room = 2 * (cut->room + size) + 256;
        char *more = (char *) realloc(cut->text, room);
        if (!more) return 0;
        cut->text = more;
        cut->room = room;
    }
    memcpy(cut->text + cut->size, text, size);
    cut->size += size;
    if (ends && cut->n == cut->most) {
        size_t most = 2 * cut->most + 64;
        size_t *more = (size_t *) realloc(cut->stop, most * sizeof *more);
        if (!more) return 0;
        cut->stop = more;
        cut->most = most;
    }
    if (ends) cut->stop[cut->n++] = cut->size;
    return 1;
}

/* All features of a text, by name; low, start and stop have room for length + 4. */
@U@_PLAIN static int @P@_names_of(@P@_cut *cut, const char *text, size_t length,
    char *low, size_t *start, size_t *stop)
{
    size_t i = 0, out = 0, n = 0, size;
    while (i < length) {
        if (@P@_kind(text[i]) != 1) {
            i++;
            continue;
        }
        if (n) low[out++] = ' ';
        start[n] = out;
        while (i < length && (@P@_kind(text[i]) == 1
                || (@P@_kind(text[i]) == 2 && i + 1 < length && @P@_kind(text[i + 1]) == 1)))
            low[out++] = @P@_small(text[i++]);
        stop[n++] = out;
    }
@words@@pairs@@characters@    (void) size;
    return 1;
}

@U@_PLAIN static int @P@_by_name(const void *one, const void *other)
{
    const @P@_name *a = (const @P@_name *) one, *b = (const @P@_name *) other;
    int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
    return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

/* The row of a text of length bytes (UTF-8) in memory that is the caller's to free: *column and
 * *value, *n of them. 0: out of memory, or a row that the model refuses. */
@U@_PLAIN static int @P@_row_of_text(
    const char *text, size_t length, int32_t **column, double **value, size_t *n)
{
    @P@_cut cut = {NULL, 0, 0, NULL, 0, 0};
    char *low = (char *) malloc(length + 4);
    size_t *place = (size_t *) malloc(2 * (length + 4) * sizeof *place), k, used = 0;
    @P@_name *name = NULL;
    const char **called = NULL;
    double *given = NULL;
    int done = low && place && @P@_names_of(&cut, text, length, low, place, place + length + 4);
    *column = NULL;
    *value = NULL;
    *n = 0;
    if (done) {
        name = (@P@_name *) malloc((cut.n + 1) * sizeof *name);
        called = (const char **) malloc((cut.n + 1) * sizeof *called);
        given = (double *) malloc((cut.n + 1) * sizeof *given);
        done = name && called && given;
    }
    if (done) {
        for (k = 0; k < cut.n; k++) {
            size_t first = k ? cut.stop[k - 1] : 0;
            name[k].text = cut.text + first;
            name[k].size = cut.stop[k] - first;
        }
        if (cut.n) qsort(name, cut.n, sizeof *name, @P@_by_name);
        for (k = 0; k < cut.n; used++) {
            size_t times = 1;
            while (k + times < cut.n && !@P@_by_name(name + k, name + k + times)) times++;
            called[used] = name[k].text;
            /* Where names ended is no longer needed. */
            cut.stop[used] = name[k].size;
            given[used] = @times@;
            k += times;
        }
        *column = (int32_t *) malloc((@P@_room(used) + 1) * sizeof **column);
        *value = (double *) malloc((@P@_room(used) + 1) * sizeof **value);
        done = *column && *value;
    }
    if (done) {
        *n = @P@_row(called, cut.stop, given, used, *column, *value);
        done = *n != @U@_REFUSED;
    }
    if (!done) {
        free(*column);
        free(*value);
        *column = NULL;
        *value = NULL;
        *n = 0;
    }
    free(cut.text);
    free(cut.stop);
    free(low);
    free(place);
    free(name);
    free((void *) called);
    free(given);
    return done;
}
"""
