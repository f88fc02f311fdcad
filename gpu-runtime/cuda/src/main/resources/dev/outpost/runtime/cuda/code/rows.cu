// Folds the results of TEAM threads, and returns the fold to all of them. All threads get the same bits, because only commutative
// operations are folded. First lanes whose numbers differ in one bit are joined, beginning with the highest bit, and then warps.

#define JOIN(SUM, COMBINE, widest) \
    for (int distance = widest; distance > 0; distance /= 2) { \
        sofar = COMBINE(sofar, __shfl_xor_sync(0xffffffffu, sofar, distance)); \
    }

#if TEAM == 32
#define FOLD(name, SUM, COMBINE) \
    FN SUM name(SUM sofar) \
    { \
        JOIN(SUM, COMBINE, 16) \
        return sofar; \
    }
#else
#define FOLD(name, SUM, COMBINE) \
    FN SUM name(SUM sofar) \
    { \
        __shared__ SUM warps[TEAM / 32]; \
        JOIN(SUM, COMBINE, 16) \
        if (threadIdx.x % 32 == 0) { \
            warps[threadIdx.x / 32] = sofar; \
        } \
        __syncthreads(); \
        sofar = warps[threadIdx.x % (TEAM / 32)]; \
        JOIN(SUM, COMBINE, TEAM / 64) \
        return sofar; \
    }
#endif
