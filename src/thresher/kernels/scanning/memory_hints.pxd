"""What the machine may be told about large tables: which place comes next, and how large they are.

Hints change no result; where there is no way to give them, they are left out.
"""

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    #if defined(__GNUC__)
    #define FETCH(address) __builtin_prefetch(address)
    #else
    #define FETCH(address) ((void) (address))
    #endif

    /* Zeros, to be freed as usual; some megabytes come in large pages, for the processor finds
       few small ones without going through the tables of the system. */
    static inline void* thresher_zeros(size_t size) {
        char* memory = calloc(1, size);
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const size_t page = 4096;
        if (memory != NULL && size >= (size_t) 1 << 22) {
            size_t before = (page - (size_t) memory % page) % page;
            (void) madvise(memory + before, (size - before) / page * page, MADV_HUGEPAGE);
        }
    #endif
        return memory;
    }
    """
    void FETCH(const void* address) noexcept nogil
    void* zeros "thresher_zeros"(size_t size) noexcept nogil
