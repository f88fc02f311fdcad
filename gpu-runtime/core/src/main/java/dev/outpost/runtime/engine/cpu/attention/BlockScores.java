package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.protocol.op.Attention;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.product.Multiplier;
import dev.outpost.runtime.engine.cpu.product.ScoreRows;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/**
 * The scores of a block of queries, row by row. Attention and its gradient process one block of queries at a time. So
 * scores stay in the core's own cache, and weights are never stored for all pairs of queries and keys. The division
 * into blocks depends only on shapes.
 *
 * @param mask null if there is no mask
 */
record BlockScores(Array query, Array key, Array mask, boolean causal, double scale, Multiplier multiplier) {
    /** The number of scores in a block; about as many as a core's own cache holds. */
    private static final int ELEMENTS = 128 << 10;
    /** The number of queries in a block below which a BLAS is slower. */
    private static final int MIN_ROWS = 48;
    /** The smallest value of {@link #maxRows} under a causal mask. With fewer queries a BLAS loses more time than the mask saves. */
    private static final int CAUSAL_ROWS = 64;
    /**
     * The divisor that gives {@link #maxRows} from the number of keys under a causal mask: 1, 2 and 8 were slower for 128 to 1,024 keys.
     */
    private static final int CAUSAL_BLOCKS = 4;
    /** The number of blocks that keeps the threads of most machines busy. */
    private static final int BLOCKS = 16;
    /** The number of multiplications that justifies a separate thread. */
    private static final long GRAIN = 256 << 10;

    int batches() {
        return (int) query.shape().size(0);
    }

    int heads() {
        return (int) query.shape().size(1);
    }

    int queries() {
        return (int) query.shape().size(2);
    }

    int keys() {
        return (int) key.shape().size(2);
    }

    int features() {
        return (int) query.shape().size(3);
    }

    int groups() {
        return (int) key.shape().size(1);
    }

    int headsOfGroup() {
        return (int) Attention.headsOfGroup(query.shape(), key.shape());
    }

    /** Returns the number of queries in each block but the last one. */
    int blockRows() {
        int blocks = Math.max(1, BLOCKS / Math.max(1, batches() * heads()));
        int share = Math.max(MIN_ROWS, Math.ceilDiv(queries(), blocks));
        return Math.clamp(ELEMENTS / keys(), 1, Math.min(Math.min(share, maxRows()), queries()));
    }

    /**
     * Returns the maximum number of queries in a block. All queries of a block compute scores for all keys that its last query may see, so
     * a causal block wastes half a square of the block's height.
     */
    private int maxRows() {
        return causal ? Math.max(CAUSAL_ROWS, keys() / CAUSAL_BLOCKS) : queries();
    }

    int blocks() {
        return Math.ceilDiv(queries(), blockRows());
    }

    /**
     * A block of queries of one head.
     *
     * @param columns the number of keys, from the first on, that any of the queries may see; also the number of columns of the scores
     */
    record Block(int batch, int head, int first, int rows, int columns) {}

    Block block(int batch, int head, int number) {
        int first = number * blockRows();
        int rows = Math.min(blockRows(), queries() - first);
        Block all = new Block(batch, head, first, rows, causal ? Math.min(keys(), first + rows) : keys());
        return mask == null || mask.dtype() != DType.BOOL ? all : seen(all);
    }

    /**
     * Drops the last keys of the block if the mask hides them from all its queries, such as padding and unused space
     * in a cache.
     */
    private Block seen(Block block) {
        byte[] isSeen = Elementwise.buffer(mask).bytesArray();
        int across = (int) mask.layout().stride(3);
        int columns = 1;
        for (int row = 0; row < block.rows; row++) {
            int from = position(mask, block, row);
            int end = block.columns;
            while (end > columns && isSeen[from + (end - 1) * across] == 0) {
                end--;
            }
            columns = end;
        }
        return new Block(block.batch, block.head, block.first, block.rows, columns);
    }

    /** Returns the number of leading keys that a query may see. */
    private int visible(Block block, int row) {
        return causal ? Math.min(block.columns, block.first + row + 1) : block.columns;
    }

    /** Returns the matrix of one head or one group. */
    static Matrix matrix(Array array, int batch, int head) {
        return Matrix.of(new Array(array.buffer(), array.layout().select(0, batch)), head);
    }

    /** Returns the keys or the values for a block's queries. */
    Matrix ofGroup(Array array, Block block) {
        return matrix(array, block.batch, block.head / headsOfGroup());
    }

    /** Returns the number of blocks that justifies a separate thread. */
    int grain() {
        return (int) Math.max(1, GRAIN / ((long) blockRows() * keys() * features()));
    }

    /** Allocates the scores of one block. */
    ScoreRows room(Scratch scratch) {
        return ScoreRows.of(Elementwise.javaArray(scratch.array(key.dtype(), Shape.of(blockRows(), keys()))));
    }

    /** Returns a block's rows of an array with a row for each query. */
    static Matrix ofQueries(Array array, Block block) {
        return matrix(array, block.batch, block.head).from(block.first, 0);
    }

    /** Computes scores and adds the numbers of the mask. Hidden pairs are left as if they were visible. */
    void compute(Block block, ScoreRows scores) {
        int columns = block.columns;
        multiplier.multiply(
                block.rows,
                columns,
                features(),
                scale,
                ofQueries(query, block),
                ofGroup(key, block).exchanged(),
                new Matrix(scores.elements(), 0, false, columns));
        if (mask != null && mask.dtype() != DType.BOOL) {
            HeapBuffer numbers = Elementwise.buffer(mask);
            eachOfMask(block, (at, from, stride) -> scores.add(at, columns, numbers, from, stride));
        }
    }

    /** Replaces the scores of all hidden pairs by a number. */
    void hide(Block block, ScoreRows scores, double number) {
        int columns = block.columns;
        for (int row = 0; row < block.rows; row++) {
            scores.fill(row * columns + visible(block, row), (row + 1) * columns, number);
        }
        if (mask != null && mask.dtype() == DType.BOOL) {
            byte[] isSeen = Elementwise.buffer(mask).bytesArray();
            eachOfMask(block, (at, from, stride) -> scores.hide(at, columns, isSeen, from, stride, number));
        }
    }

    /** An action on a row of scores and its part of the mask. */
    @FunctionalInterface
    private interface Visit {
        void at(int at, int mask, int stride);
    }

    private void eachOfMask(Block block, Visit visit) {
        int columns = block.columns;
        for (int row = 0; row < block.rows; row++) {
            visit.at(row * columns, position(mask, block, row), (int)
                    mask.layout().stride(3));
        }
    }

    /** Returns the offset of a query's first number in the Java array. */
    static int position(Array array, Block block, int row) {
        return (int) (array.layout().offset()
                + block.batch * array.layout().stride(0)
                + block.head * array.layout().stride(1)
                + (block.first + row) * array.layout().stride(2));
    }
}
