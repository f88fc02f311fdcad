// The fold of what TEAM threads have folded each for itself, which all of them learn: the same bits, since only what commutes is
// folded. Lanes are joined whose numbers differ in one bit, the highest first, and then warps.

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
