// Replaces CUDA's own words, so that a kernel is C. The threads of a block are coroutines: each runs until it waits for others.
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))

typedef struct {
    unsigned x;
} Index3;

static Index3 blockIdx, blockDim, threadIdx;

#define BITS(name, from, to) \
    static inline to name(from x) { to y; memcpy(&y, &x, sizeof y); return y; }
BITS(__float_as_uint, float, unsigned)
BITS(__uint_as_float, unsigned, float)
BITS(__double_as_longlong, double, long long)
BITS(__longlong_as_double, long long, double)

static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long) ((unsigned __int128) x * y >> 64);
}

static inline unsigned long long atomicMin(unsigned long long *at, unsigned long long x)
{
    unsigned long long before = *at;
    *at = x < before ? x : before;
    return before;
}

#define MOST_THREADS 1024
#define STACK_BYTES 65536
#define WARP 32

// Threads that wait for each other: the number of those that run, the number of those that have arrived, and the number of completed
// meetings.
typedef struct {
    int alive, arrived, round;
} Meeting;

typedef struct {
    ucontext_t first;
    jmp_buf context;
    int started, done;
} Coroutine;

static Coroutine *coroutines;
static jmp_buf scheduler;
static int current;
static long long progress;
static Meeting block_meeting, warp_meetings[MOST_THREADS / WARP];
static unsigned long long slots[MOST_THREADS];

static void yield(void)
{
    if (!_setjmp(coroutines[current].context)) {
        _longjmp(scheduler, 1);
    }
}

static void open_if_complete(Meeting *meeting)
{
    if (meeting->arrived == meeting->alive) {
        meeting->arrived = 0;
        meeting->round++;
        progress++;
    }
}

static void meet(Meeting *meeting)
{
    int round = meeting->round;
    meeting->arrived++;
    open_if_complete(meeting);
    while (meeting->round == round) {
        yield();
    }
}

static void leave(Meeting *meeting)
{
    meeting->alive--;
    open_if_complete(meeting);
}

#define __syncthreads() meet(&block_meeting)

static void exchange(void *x, size_t bytes, int lane)
{
    Meeting *warp = &warp_meetings[threadIdx.x / WARP];
    memcpy(&slots[threadIdx.x], x, bytes);
    meet(warp);
    if (lane >= 0 && lane < WARP) {
        memcpy(x, &slots[threadIdx.x / WARP * WARP + lane], bytes);
    }
    meet(warp);
}

#define SHUFFLE(value, lane) ({ __typeof__(value) moved = (value); exchange(&moved, sizeof moved, lane); moved; })
#define __shfl_down_sync(mask, value, distance) SHUFFLE(value, (int) (threadIdx.x % WARP) + (distance))
#define __shfl_up_sync(mask, value, distance) SHUFFLE(value, (int) (threadIdx.x % WARP) - (distance))
#define __shfl_xor_sync(mask, value, distance) SHUFFLE(value, (int) (threadIdx.x % WARP) ^ (distance))

static int is_any(int mine)
{
    Meeting *warp = &warp_meetings[threadIdx.x / WARP];
    int any = 0;
    slots[threadIdx.x] = mine;
    meet(warp);
    for (int lane = 0; lane < WARP; lane++) {
        any |= slots[threadIdx.x / WARP * WARP + lane] != 0;
    }
    meet(warp);
    return any;
}

#define __any_sync(mask, value) is_any((value) != 0)

// Does the work of mma.sync.m16n8k16 on the fragments of a warp, with the layouts that NVIDIA documents. Of the left matrix a lane has two
// rows, each with two pairs of neighbours; of the right matrix a column with two pairs; and of the sums two rows of two neighbours.
static unsigned fragments[MOST_THREADS][6];

static void multiply_fragments(
    float *sums, const unsigned *left, unsigned right, unsigned further, float (*load)(unsigned short))
{
    Meeting *warp = &warp_meetings[threadIdx.x / WARP];
    unsigned (*lanes)[6] = &fragments[threadIdx.x / WARP * WARP];
    int group = threadIdx.x % WARP / 4;
    int pair = threadIdx.x % 4;
    unsigned mine[6] = {left[0], left[1], left[2], left[3], right, further};
    memcpy(lanes[threadIdx.x % WARP], mine, sizeof mine);
    meet(warp);
    for (int k = 0; k < 16; k++) {
        int owner = k % 8 / 2;
        int shift = k % 2 * 16;
        int half = k / 8;
        float above = load(lanes[group * 4 + owner][half * 2] >> shift);
        float below = load(lanes[group * 4 + owner][half * 2 + 1] >> shift);
        float first = load(lanes[pair * 2 * 4 + owner][4 + half] >> shift);
        float second = load(lanes[(pair * 2 + 1) * 4 + owner][4 + half] >> shift);
        sums[0] += above * first;
        sums[1] += above * second;
        sums[2] += below * first;
        sums[3] += below * second;
    }
    meet(warp);
}

// Does the work of ldmatrix. A lane passes a row of 8 numbers, and eight lanes pass a matrix. Of each of four matrices, a lane gets two
// neighbours of row lane / 4, or, if they are transposed, of column lane / 4.
static const void *named_rows[MOST_THREADS];

static void load_fragments_of_matrices(unsigned *to, const void *row, int turned)
{
    Meeting *warp = &warp_meetings[threadIdx.x / WARP];
    const void **rows = &named_rows[threadIdx.x / WARP * WARP];
    int group = threadIdx.x % WARP / 4;
    int pair = threadIdx.x % 4 * 2;
    named_rows[threadIdx.x] = row;
    meet(warp);
    for (int matrix = 0; matrix < 4; matrix++) {
        const unsigned short *first = rows[matrix * 8 + (turned ? pair : group)];
        const unsigned short *second = rows[matrix * 8 + (turned ? pair + 1 : group)];
        to[matrix] = first[turned ? group : pair] | (unsigned) second[turned ? group : pair + 1] << 16;
    }
    meet(warp);
}

// Copies by cp.async, which arrive only when a thread waits for them.
#define MOST_COPIES 256

typedef struct {
    char *to;
    const char *from;
    int size, bytes, group;
} Copy;

static Copy copies[MOST_THREADS][MOST_COPIES];
static int begun_copies[MOST_THREADS], ended_groups[MOST_THREADS];

// Copies `bytes` of the `size` bytes later; the others become zeros.
static void copy_later(char *to, const void *from, int size, int bytes)
{
    Copy copy = {to, from, size, bytes, ended_groups[threadIdx.x]};
    if (begun_copies[threadIdx.x] == MOST_COPIES || (size_t) to % size != 0 || (size_t) from % size != 0) {
        fprintf(stderr, "cp.async: too many copies, or not at %d bytes: %p from %p\n", size, to, from);
        abort();
    }
    copies[threadIdx.x][begun_copies[threadIdx.x]++] = copy;
}

static void end_group_of_copies(void)
{
    ended_groups[threadIdx.x]++;
}

static void await_groups_of_copies(int left)
{
    Copy *mine = copies[threadIdx.x];
    int count = begun_copies[threadIdx.x];
    begun_copies[threadIdx.x] = 0;
    for (int copy = 0; copy < count; copy++) {
        if (mine[copy].group < ended_groups[threadIdx.x] - left) {
            memset(mine[copy].to, 0, mine[copy].size);
            memcpy(mine[copy].to, mine[copy].from, mine[copy].bytes);
        } else {
            mine[begun_copies[threadIdx.x]++] = mine[copy];
        }
    }
}

static void (*thread_body)(void);

static void coroutine(void)
{
    for (;;) {
        thread_body();
        coroutines[current].done = 1;
        progress++;
        leave(&warp_meetings[current / WARP]);
        leave(&block_meeting);
        yield();
    }
}

static void begin_block(int threads)
{
    block_meeting = (Meeting) {threads, 0, 0};
    for (int warp = 0; warp * WARP < threads; warp++) {
        int rest = threads - warp * WARP;
        warp_meetings[warp] = (Meeting) {rest < WARP ? rest : WARP, 0, 0};
    }
    for (int thread = 0; thread < threads; thread++) {
        coroutines[thread].done = 0;
        begun_copies[thread] = 0;
        ended_groups[thread] = 0;
    }
}

static void resume(int thread)
{
    current = thread;
    threadIdx.x = thread;
    if (!_setjmp(scheduler)) {
        if (coroutines[thread].started) {
            _longjmp(coroutines[thread].context, 1);
        }
        coroutines[thread].started = 1;
        setcontext(&coroutines[thread].first);
    }
}

// Returns 1 if threads wait for others that will never arrive.
static int run_block(int threads)
{
    begin_block(threads);
    for (int left = threads; left > 0; ) {
        long long before = progress;
        left = 0;
        for (int thread = 0; thread < threads; thread++) {
            if (!coroutines[thread].done) {
                resume(thread);
                left += !coroutines[thread].done;
            }
        }
        if (left > 0 && progress == before) {
            return 1;
        }
    }
    return 0;
}

static int run_together(long long blocks, int threads)
{
    char *stacks = malloc((size_t) threads * STACK_BYTES);
    coroutines = calloc(threads, sizeof(Coroutine));
    for (int thread = 0; thread < threads; thread++) {
        getcontext(&coroutines[thread].first);
        coroutines[thread].first.uc_stack.ss_sp = stacks + (size_t) thread * STACK_BYTES;
        coroutines[thread].first.uc_stack.ss_size = STACK_BYTES;
        makecontext(&coroutines[thread].first, coroutine, 0);
    }
    int stuck = 0;
    for (long long block = 0; block < blocks && !stuck; block++) {
        blockIdx.x = (unsigned) block;
        stuck = run_block(threads);
    }
    free(coroutines);
    free(stacks);
    return stuck;
}

static int run_apart(long long blocks, int threads)
{
    for (long long block = 0; block < blocks; block++) {
        blockIdx.x = (unsigned) block;
        for (int thread = 0; thread < threads; thread++) {
            threadIdx.x = thread;
            thread_body();
        }
    }
    return 0;
}

static const void *arguments;

#define KERNEL(name) \
    static void body_##name(void) { name(*(const Arguments *) arguments); } \
    int launch_##name(long long blocks, int threads, const void *with) \
    { \
        blockDim.x = threads; \
        arguments = with; \
        thread_body = body_##name; \
        return EXCHANGES ? run_together(blocks, threads) : run_apart(blocks, threads); \
    }
