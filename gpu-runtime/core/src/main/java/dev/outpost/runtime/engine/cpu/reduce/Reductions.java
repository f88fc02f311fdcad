package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.order.Volume;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/**
 * Folds and scans by the elementwise loop of the op that combines two elements. <p>Invariant: the tree of a reduction depends only on the
 * operand's shape and dtype. The folded dimension is cut into blocks, each block is folded into one element or one row, and these results
 * are folded in the same way.
 */
public record Reductions(Elementwise elementwise) {
    /** The number of elements in a block of narrow rows. A few of them fit the nearest cache. */
    private static final int BLOCK = 4096;

    private static final int MIN_ROWS = 16;
    /**
     * The number of columns that are folded together. A block of this width stays in the cache, even if the rows are
     * longer.
     */
    private static final int COLUMNS = 512;
    /** The row length up to which many rows are folded at once. */
    private static final int SHORT = RowReduction.SHORT;
    /** The row length up to which one thread processes a row. */
    private static final int LONG = 1 << 16;
    /** The row length below which a plain loop is faster than the many small steps of a block fold. */
    private static final int RUN = 1024;

    private static final int GRAIN = 16 << 10;

    public void reduce(Reduce op, Array operand, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        if (operand.shape().isEmpty()) {
            Fills.fill(elementwise, nothing(op.fn(), result.dtype()), result);
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = accumulator(operand.dtype());
            Volume volume = Volume.fold(operand, op.axes(), dtype, elementwise, scratch);
            Array target = dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
            if (isOfRows(op.fn(), dtype, volume)) {
                foldRows(RowReduction.of(op.fn()), volume, target);
            } else if (isOfColumns(op.fn(), dtype, volume)) {
                foldColumns(ColumnReduction.of(op.fn()), volume, target, scratch);
            } else {
                fold(combine(op.fn()), volume, target, scratch);
            }
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private static boolean isOfColumns(Reduce.Fn fn, DType dtype, Volume volume) {
        return dtype == DType.FLOAT32
                && fn != Reduce.Fn.PROD
                && volume.outer() == 1
                && volume.length() > 1
                && volume.inner() > 1
                && volume.inner() <= LONG;
    }

    private void foldColumns(ColumnReduction fold, Volume volume, Array target, Scratch scratch) {
        int rows = volume.length();
        int columns = volume.inner();
        ColumnBlocks blocks = ColumnBlocks.of(fold, rows, columns, scratch);
        float[] from = (float[]) Elementwise.javaArray(volume.array());
        int grain = Math.max(1, GRAIN / (ColumnReduction.blockRows(rows, columns) * columns));
        elementwise
                .workers()
                .run(
                        ColumnBlocks.count(rows, columns),
                        grain,
                        (begin, end) -> blocks.blocks(from, volume.offset(), begin, end));
        blocks.finish(
                (float[]) Elementwise.javaArray(target), (int) target.layout().offset());
    }

    /**
     * Returns true if each row is folded by the same tree as in {@code FusedRows}, so that the bits are the same.
     * Shorter rows are folded many at a time, in the same order.
     */
    private static boolean isOfRows(Reduce.Fn fn, DType dtype, Volume volume) {
        return dtype == DType.FLOAT32
                && RowReduction.of(fn) != null
                && volume.inner() == 1
                && volume.length() > SHORT
                && volume.length() <= LONG;
    }

    private void foldRows(RowReduction fold, Volume volume, Array target) {
        float[] from = (float[]) Elementwise.javaArray(volume.array());
        float[] to = (float[]) Elementwise.javaArray(target);
        int base = (int) target.layout().offset();
        elementwise.workers().run(volume.outer(), Math.max(1, GRAIN / volume.length()), (begin, end) -> {
            float[] lanes = new float[RowReduction.LANES];
            for (int row = begin; row < end; row++) {
                to[base + row] = fold.fold(from, volume.offset() + row * volume.length(), volume.length(), lanes);
            }
        });
    }

    public void scan(Cumulative op, Array operand, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = accumulator(operand.dtype());
            Volume volume = Volume.along(operand, op.axis(), dtype, elementwise, scratch);
            Array target = dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
            scan(combine(op.fn()), volume, target);
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private static Scalar nothing(Reduce.Fn fn, DType dtype) {
        return switch (fn) {
            case SUM -> Scalar.of(dtype, 0L);
            case PROD -> Scalar.of(dtype, 1L);
            case MAX, MIN -> throw new IllegalStateException(fn + " of nothing is refused by the caller");
        };
    }

    private static Binary combine(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> Binary.ADD;
            case PROD -> Binary.MUL;
            case MAX -> Binary.MAXIMUM;
            case MIN -> Binary.MINIMUM;
        };
    }

    private static DType accumulator(DType dtype) {
        return switch (dtype) {
            case FLOAT16, BFLOAT16 -> DType.FLOAT32;
            case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL -> dtype;
        };
    }

    private void fold(Binary combine, Volume volume, Array target, Scratch scratch) {
        if (volume.inner() == 1 && volume.length() <= SHORT) {
            foldShort(combine, volume, target);
        } else if (volume.inner() == 1 && volume.length() <= RUN) {
            foldRuns(combine, volume, target);
        } else {
            foldInBlocks(combine, volume, target, scratch);
        }
    }

    private void foldInBlocks(Binary combine, Volume volume, Array target, Scratch scratch) {
        int rows = Math.max(MIN_ROWS, BLOCK / volume.inner());
        int blocks = Math.ceilDiv(volume.length(), rows);
        boolean last = blocks == 1;
        Array partial = last ? target : scratch.array(target.dtype(), Shape.of(volume.outer(), blocks, volume.inner()));
        foldBlocks(combine, volume, rows, partial);
        if (!last) {
            fold(combine, new Volume(partial, volume.outer(), blocks, volume.inner()), target, scratch);
        }
    }

    /** Folds each row into one element. */
    private void foldRuns(Binary combine, Volume volume, Array target) {
        ArrayLoop loop = elementwise.fold(combine, target.dtype());
        Object[] arrays = {Elementwise.javaArray(volume.array()), Elementwise.javaArray(target)};
        int base = (int) target.layout().offset();
        elementwise.workers().run(volume.outer(), GRAIN / volume.length(), (begin, end) -> {
            int[] offsets = new int[2];
            for (int row = begin; row < end; row++) {
                offsets[0] = volume.offset() + row * volume.length();
                offsets[1] = base + row;
                loop.run(arrays, offsets, offsets, volume.length());
            }
        });
    }

    /** Processes element k of many rows at a time. */
    private void foldShort(Binary combine, Volume volume, Array target) {
        ArrayLoop first = elementwise.loop(Expression.copy(target.dtype()), Access.STRIDED, Access.ALIGNED);
        ArrayLoop next = elementwise.loop(
                Expression.binary(combine, target.dtype()), Access.ALIGNED, Access.STRIDED, Access.ALIGNED);
        Object from = Elementwise.javaArray(volume.array());
        Object to = Elementwise.javaArray(target);
        int[] strides = {1, volume.length(), 1};
        int base = (int) target.layout().offset();
        elementwise.workers().run(volume.outer(), GRAIN / volume.length(), (begin, end) -> {
            for (int row = begin; row < end; row += COLUMNS) {
                int count = Math.min(COLUMNS, end - row);
                int source = volume.offset() + row * volume.length();
                int place = base + row;
                first.run(new Object[] {from, to}, new int[] {source, place}, new int[] {volume.length(), 1}, count);
                for (int k = 1; k < volume.length(); k++) {
                    next.run(new Object[] {to, from, to}, new int[] {place, source + k, place}, strides, count);
                }
            }
        });
    }

    /** Folds each block of rows into one row of the partial result. */
    private void foldBlocks(Binary combine, Volume volume, int blockRows, Array partial) {
        BlockReduction.Joins joins = BlockReduction.Joins.of(combine, partial.dtype(), elementwise);
        int blocks = Math.ceilDiv(volume.length(), blockRows);
        int tiles = Math.ceilDiv(volume.inner(), COLUMNS);
        int columns = Math.min(volume.inner(), COLUMNS);
        int rows = Math.min(blockRows, volume.length());
        int base = (int) partial.layout().offset();
        elementwise
                .workers()
                .run(volume.outer() * blocks * tiles, Math.max(1, GRAIN / (rows * columns)), (begin, end) -> {
                    BlockReduction fold =
                            new BlockReduction(joins, volume.array(), partial, rows, columns, volume.inner());
                    for (int task = begin; task < end; task++) {
                        int column = task % tiles * columns;
                        int block = task / tiles;
                        int row = block % blocks * blockRows;
                        int source = (block / blocks * volume.length() + row) * volume.inner() + column;
                        fold.fold(
                                volume.offset() + source,
                                Math.min(blockRows, volume.length() - row),
                                Math.min(columns, volume.inner() - column),
                                base + block * volume.inner() + column);
                    }
                });
    }

    /**
     * Computes each row of the result from its previous row and the operand's row, so the loop reads elements that it
     * has just written.
     */
    private void scan(Binary combine, Volume volume, Array target) {
        ArrayLoop loop =
                elementwise.loop(Expression.binary(combine, target.dtype()), Access.UNIT, Access.UNIT, Access.ALIGNED);
        Object from = Elementwise.javaArray(volume.array());
        Object to = Elementwise.javaArray(target);
        int size = volume.length() * volume.inner();
        int rest = size - volume.inner();
        elementwise.workers().run(volume.outer(), Math.max(1, GRAIN / size), (begin, end) -> {
            for (int outer = begin; outer < end; outer++) {
                int source = volume.offset() + outer * size;
                int place = (int) target.layout().offset() + outer * size;
                System.arraycopy(from, source, to, place, volume.inner());
                int[] offsets = {place, source + volume.inner(), place + volume.inner()};
                if (rest > 0) {
                    loop.run(new Object[] {to, from, to}, offsets, new int[] {1, 1, 1}, rest);
                }
            }
        });
    }
}
