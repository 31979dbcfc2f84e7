"""Names of fields that are looked up: compiled into the kernel that scans lines of JSON.

The slow twin is a set of Python.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport calloc, free

from thresher.kernels.rows.murmur3 cimport murmur3_32
from thresher.kernels.scanning.json_text cimport Text, equal


cdef struct FieldNames:
    Py_ssize_t n
    Text* name
    # The number of a name, from 1, where its hash says or behind; 0: none.
    int32_t* place
    uint32_t mask


cdef inline int take_names(FieldNames* names, list given) except -1:
    """Look up these names from now on, which are bytes that somebody else holds."""
    cdef Py_ssize_t k, room = 8
    cdef uint32_t at
    cdef bytes name
    while room < 2 * len(given):
        room *= 2
    names.n, names.mask = len(given), <uint32_t> (room - 1)
    names.name = <Text*> calloc(room, sizeof(Text))
    names.place = <int32_t*> calloc(room, sizeof(int32_t))
    if names.name == NULL or names.place == NULL:
        raise MemoryError
    for k in range(names.n):
        name = given[k]
        names.name[k].at, names.name[k].size = name, len(name)
        at = murmur3_32(names.name[k].at, names.name[k].size, 0) & names.mask
        while names.place[at]:
            at = (at + 1) & names.mask
        names.place[at] = <int32_t> (k + 1)
    return 0


cdef inline void drop_names(FieldNames* names) noexcept:
    free(names.name)
    free(names.place)


cdef inline bint holds(const FieldNames* names, const Text* key) noexcept nogil:
    """Whether a name is among them."""
    cdef uint32_t at
    if names.n == 0:
        return False
    at = murmur3_32(key.at, key.size, 0) & names.mask
    while names.place[at]:
        if equal(key, &names.name[names.place[at] - 1]):
            return True
        at = (at + 1) & names.mask
    return False


cdef inline bint wants(const FieldNames* names, const Text* key) noexcept nogil:
    """The same; a number is a column, which no model keeps as a name, and is always among them."""
    cdef Py_ssize_t k
    for k in range(key.size):
        if not c"0" <= key.at[k] <= c"9":
            return holds(names, key)
    return key.size > 0 or holds(names, key)
