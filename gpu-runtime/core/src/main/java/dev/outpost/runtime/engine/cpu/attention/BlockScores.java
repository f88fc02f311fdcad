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
 * The scores of a block of queries, row by row. Attention and its gradient go through blocks of queries, so that scores stay
 * in a core's own cache and weights are never held for all pairs; how queries are cut depends on shapes alone.
 *
 * @param mask null where there is none
 */
record BlockScores(Array query, Array key, Array mask, boolean causal, double scale, Multiplier multiplier) {
    /** Scores of a block: about what a core's own cache holds. */
    private static final int ELEMENTS = 128 << 10;
    /** Queries of a block below which a BLAS does less well. */
    private static final int MIN_ROWS = 48;
    /** The most queries of a block under a causal mask, however few keys there are: with fewer a BLAS loses more than is saved. */
    private static final int CAUSAL_ROWS = 64;
    /** The most under a causal mask where there are many keys, as a part of them: 1, 2 and 8 were slower for 128 to 1,024 keys. */
    private static final int CAUSAL_BLOCKS = 4;
    /** Blocks that keep the threads of most machines busy. */
    private static final int BLOCKS = 16;
    /** Multiplications that are worth a thread. */
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

    /** How many queries a block has, but for the last one. */
    int blockRows() {
        int blocks = Math.max(1, BLOCKS / Math.max(1, batches() * heads()));
        int share = Math.max(MIN_ROWS, Math.ceilDiv(queries(), blocks));
        return Math.clamp(ELEMENTS / keys(), 1, Math.min(Math.min(share, maxRows()), queries()));
    }

    /**
     * A block's queries have all the keys that the last of them may see: what is computed in vain is half a square as high as the
     * block.
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
     * @param columns how many keys, from the first on, any of them may see: as many columns its scores have
     */
    record Block(int batch, int head, int first, int rows, int columns) {}

    Block block(int batch, int head, int number) {
        int first = number * blockRows();
        int rows = Math.min(blockRows(), queries() - first);
        Block all = new Block(batch, head, first, rows, causal ? Math.min(keys(), first + rows) : keys());
        return mask == null || mask.dtype() != DType.BOOL ? all : seen(all);
    }

    /** Without the keys at the end that a mask hides from all: padding, and what a cache has room for. */
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

    /** How many keys, from the first on, a query may see. */
    private int visible(Block block, int row) {
        return causal ? Math.min(block.columns, block.first + row + 1) : block.columns;
    }

    /** The matrix of one head, or one group. */
    static Matrix matrix(Array array, int batch, int head) {
        return Matrix.of(new Array(array.buffer(), array.layout().select(0, batch)), head);
    }

    /** The keys, or the values, that a block's queries look at. */
    Matrix ofGroup(Array array, Block block) {
        return matrix(array, block.batch, block.head / headsOfGroup());
    }

    /** How many blocks are worth a thread. */
    int grain() {
        return (int) Math.max(1, GRAIN / ((long) blockRows() * keys() * features()));
    }

    /** Of a block. */
    ScoreRows room(Scratch scratch) {
        return ScoreRows.of(Elementwise.javaArray(scratch.array(key.dtype(), Shape.of(blockRows(), keys()))));
    }

    /** A block's rows of what there is a row of for each query. */
    static Matrix ofQueries(Array array, Block block) {
        return matrix(array, block.batch, block.head).from(block.first, 0);
    }

    /** Scores with numbers of the mask added; what is hidden is left as if it were seen. */
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

    /** Puts a number in the place of everything that is hidden. */
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

    /** The work for a row of scores and its part of the mask. */
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

    /** Where what belongs to a query begins. */
    static int position(Array array, Block block, int row) {
        return (int) (array.layout().offset()
                + block.batch * array.layout().stride(0)
                + block.head * array.layout().stride(1)
                + (block.first + row) * array.layout().stride(2));
    }
}
