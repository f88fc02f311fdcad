// Tiles of rows in shared memory, with FEATURES 16-bit numbers in a row. Eight numbers are a piece of 16 bytes. Piece p of row r is at
// place p ^ r % 8 of the row, so that the pieces p of eight rows lie in different banks. ALIGNED is true if every row in the device's
// memory is dense and begins at a multiple of 16 bytes. Then cp.async copies pieces while the block computes with others.

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

// Returns the thread's number. It is read again each time, so that values computed from it do not stay in registers.
FN int thread_again(void)
{
    int thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
}

// Begins to copy 16 bytes, or to write as many zeros.
FN void begin_copy(Near to, const STORED *from, int is_there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(is_there ? 16 : 0) : "memory");
}

// Begins to copy a number of 4 bytes, or to write 0.
FN void begin_number(Near to, const f32 *from, int is_there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(is_there ? 4 : 0) : "memory");
}

// Ends a group of copies: those that began after the previous group.
FN void end_copies(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits for the thread's own copies, except those of this number of last groups.
#define await_copies(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

FN void store_number(Near to, STORED x)
{
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(x) : "memory");
}

// Loads four matrices of 8 x 8. Lane 8 i + r passes row r of matrix i. Each lane gets two numbers of each matrix: numbers lane % 4 * 2 and
// the next one of row lane / 4.
FN void load_matrices(u32 *to, Near row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

// Loads the transposed matrices: a lane gets numbers of column lane / 4.
FN void load_turned_matrices(u32 *to, Near row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

// Returns 2 to the power of x, within two units in the last place of float32. Results below the smallest normal number are 0.
FN f32 power_of_two(f32 x)
{
    f32 power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}
#else
// Without CUDA, functions of the emulation's header take the place of the instructions.
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

// Returns the offset in bytes, from the tile's beginning, of the row that a lane passes to load four matrices. The second matrix is 8 rows
// below the first, and the third is beside it. This loads a left matrix, or transposed a right matrix whose rows are summed over.
FN int place_down(void)
{
    int lane = threadIdx.x % 32;
    return lane % 16 * ROW_BYTES + (lane / 16 ^ lane % 8) * 16;
}

// The same, but the second matrix is beside the first, and the third is 8 rows below it. This loads two right matrices whose columns are
// summed over, or transposed a left matrix that is stored by columns.
FN int place_across(void)
{
    int lane = threadIdx.x % 32;
    return (lane % 8 + lane / 16 * 8) * ROW_BYTES + (lane / 8 % 2 ^ lane % 8) * 16;
}

// Returns a lane's row in a tile, `rows` below (a multiple of 8) and `pieces` further on (an even number). The tile begins at a multiple of
// 256 bytes.
FN Near near_at(Near row, int rows, int pieces)
{
    return (Near) ((NEAR_BITS) row ^ pieces * 16) + rows * ROW_BYTES;
}

// Begins to load a piece of a row of the device's memory; zeros if the row does not exist.
FN void begin_piece(Near to, const STORED *from, i64 along, int is_there)
{
#if ALIGNED
    begin_copy(to, from, is_there);
#else
#pragma unroll
    for (int i = 0; i < PIECE; i++) {
        store_number(to + i * 2, is_there ? from[i * along] : 0);
    }
#endif
}

// Begins to load `count` rows of a matrix into a tile, from `row` on; zeros after the last row. All threads of the block call it.
FN void begin_rows(Near to, const STORED *from, const i64 *strides, int row, int rows, int count)
{
    int thread = thread_again();
    int piece = thread % PIECES;
    int first = thread / PIECES;
    i64 along = ALIGNED ? 1 : strides[3];
    to += first * ROW_BYTES + (piece ^ first % 8) * 16;
    from += piece * PIECE * along + (row + first) * strides[2];
#pragma unroll
    for (int r = 0; r < count; r += THREADS / PIECES) {
        // A row that does not exist is not read.
        begin_piece(to + r * ROW_BYTES, from + r * strides[2], along, row + first + r < rows);
    }
}
