// Tiles of rows in shared memory, of FEATURES 16-bit numbers a row. Eight numbers are a piece of 16 bytes. The piece p of row r is at
// place p ^ r % 8 of the row, so that the pieces p of eight rows lie in different banks. ALIGNED says whether every row in the
// device's memory is dense and begins at 16 bytes; then pieces come by cp.async while others are computed with.

#define PIECE 8
#define PIECES (FEATURES / PIECE)
#define ROW_BYTES (FEATURES * 2)
#define LOG2_E 1.44269504088896340736f
#define LN_2 0.69314718055994530942f

#ifdef __CUDACC_RTC__
// An address of shared memory.
typedef u32 Near;
#define NEAR_BITS u32

FN Near near_of(const void *at)
{
    return (Near) __cvta_generic_to_shared(at);
}

// The number of the thread, read anew, so that what is computed of it is not kept in registers.
FN int thread_again(void)
{
    int thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
}

// 16 bytes, or as many zeros.
FN void begin_copy(Near to, const STORED *from, int is_there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(is_there ? 16 : 0) : "memory");
}

// One number of 4 bytes, or 0.
FN void begin_number(Near to, const f32 *from, int is_there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(is_there ? 4 : 0) : "memory");
}

// What was begun since the last one is a group.
FN void end_copies(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits for a thread's own copies but for those of the last groups.
#define await_copies(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

FN void store_number(Near to, STORED x)
{
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(x) : "memory");
}

// Four matrices of 8 x 8: a lane names a row of 8 numbers, lane 8 i + r the row r of matrix i, and has row lane / 4 of each then, its
// numbers lane % 4 * 2 and the one behind.
FN void load_matrices(u32 *to, Near row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

// The same of the matrices turned over: a lane has column lane / 4.
FN void load_turned_matrices(u32 *to, Near row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

// 2 to the power of x, within two units of float32; less than the smallest normal number is 0.
FN f32 power_of_two(f32 x)
{
    f32 power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}
#else
// By the header that stands in for CUDA's words.
typedef char *Near;
#define NEAR_BITS u64

FN Near near_of(const void *at)
{
    return (Near) at;
}

FN int thread_again(void)
{
    return threadIdx.x;
}

FN void begin_copy(Near to, const STORED *from, int is_there)
{
    copy_later(to, from, 16, is_there ? 16 : 0);
}

FN void begin_number(Near to, const f32 *from, int is_there)
{
    copy_later(to, from, 4, is_there ? 4 : 0);
}

FN void end_copies(void)
{
    end_group_of_copies();
}

#define await_copies(groups) await_groups_of_copies(groups)

FN void store_number(Near to, STORED x)
{
    *(STORED *) to = x;
}

FN void load_matrices(u32 *to, Near row)
{
    load_fragments_of_matrices(to, row, 0);
}

FN void load_turned_matrices(u32 *to, Near row)
{
    load_fragments_of_matrices(to, row, 1);
}

FN f32 power_of_two(f32 x)
{
    return exp2f(x);
}
#endif

// A lane's row of four matrices, in bytes from the tile's beginning, where the second matrix is 8 rows below the first and the third
// is beside it: those of a left matrix, and turned those of a right one whose rows are summed over.
FN int place_down(void)
{
    int lane = threadIdx.x % 32;
    return lane % 16 * ROW_BYTES + (lane / 16 ^ lane % 8) * 16;
}

// The same where the second matrix is beside the first and the third 8 rows below: those of two right matrices whose columns are
// summed over, and turned those of a left matrix that lies in columns.
FN int place_across(void)
{
    int lane = threadIdx.x % 32;
    return (lane % 8 + lane / 16 * 8) * ROW_BYTES + (lane / 8 % 2 ^ lane % 8) * 16;
}

// A lane's row in a tile so many rows below, a multiple of 8, and so many pieces further on, an even number. The tile begins at a
// multiple of 256 bytes.
FN Near near_at(Near row, int rows, int pieces)
{
    return (Near) ((NEAR_BITS) row ^ pieces * 16) + rows * ROW_BYTES;
}

// A piece of a row in the device's memory; zeros where there is none.
FN void begin_piece(Near to, const STORED *from, int along, int is_there)
{
#if ALIGNED
    begin_copy(to, from, is_there);
#else
#pragma unroll
    for (int i = 0; i < PIECE; i++) {
        store_number(to + i * 2, is_there ? from[(i64) i * along] : 0);
    }
#endif
}

// Begins to bring so many rows of a matrix into a tile, from the given one on; zeros behind the last. The whole block calls it. Strides
// along rows and features are of 32 bits.
FN void begin_rows(Near to, const STORED *from, const i64 *strides, int row, int rows, int count)
{
    int thread = thread_again();
    int piece = thread % PIECES;
    int first = thread / PIECES;
    int along = ALIGNED ? 1 : (int) strides[3];
    to += first * ROW_BYTES + (piece ^ first % 8) * 16;
    from += (i64) (piece * PIECE) * along + (i64) (row + first) * (int) strides[2];
#pragma unroll
    for (int r = 0; r < count; r += THREADS / PIECES) {
        // Where there is no row nothing is read.
        begin_piece(to + r * ROW_BYTES, from + (i64) r * (int) strides[2], along, row + first + r < rows);
    }
}
