package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.code.Step;
import dev.outpost.runtime.engine.cpu.memory.BufferPool;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;

/** Runs expressions and loops over arrays. All families of kernels use it. */
public record Elementwise(LoopCache loops, KernelThreads kernelThreads, BufferPool pool) {
    /** The number of elements of plain arithmetic that justifies a separate thread. */
    private static final int GRAIN = 16 << 10;
    /** The number of elements that justifies a separate thread if a function takes tens of nanoseconds. */
    private static final int COSTLY_GRAIN = 1 << 10;

    public KernelThreads workers() {
        return kernelThreads;
    }

    public Chains chains() {
        return loops.chains();
    }

    /** Returns the tiles for loops over rows. */
    public TilePool rowTiles() {
        return loops.rowTiles();
    }

    public Scratch scratch() {
        return new Scratch(pool);
    }

    /** Returns the loop of an expression, for the given accesses of its operands and its result. */
    public ArrayLoop loop(Expression expression, Access... accesses) {
        return loops.loop(new LoopSource.Map(expression, List.of(accesses)));
    }

    /** Returns the loop that folds a run of elements. */
    public ArrayLoop fold(Binary combine, DType dtype) {
        return loops.loop(new LoopSource.Fold(combine, dtype));
    }

    /** Computes each element of the result from its operands, which broadcast to its shape. */
    public void run(Expression expression, Array result, Array... operands) {
        Array[] results = {result};
        if (!result.shape().isEmpty()) {
            prepare(expression, operands, results).run(kernelThreads, operands, results);
        }
    }

    /** Prepares a computation whose results have the same, non-empty shape. */
    MapRun prepare(Expression expression, Array[] operands, Array[] results) {
        Array[] all = Arrays.copyOf(operands, operands.length + results.length);
        System.arraycopy(results, 0, all, operands.length, results.length);
        Layout[] layouts = layouts(all);
        Iteration iteration = Iteration.inAnyOrder(results[0].shape(), layouts);
        LoopSource.Map source = new LoopSource.Map(expression, iteration.accesses());
        return new MapRun(layouts, iteration, source, loops.loop(source), grain(expression));
    }

    /** Returns the code of a source as readable text. */
    String listing(LoopSource.Map source) {
        return loops.listing(source);
    }

    /** Returns the number of elements that justifies a separate thread. It is lower if the computation of each element is costly. */
    private static int grain(Expression expression) {
        int computed = expression.steps().size() - expression.operands();
        return isCostly(expression) ? COSTLY_GRAIN : Math.max(COSTLY_GRAIN, GRAIN / Math.max(1, computed / 4));
    }

    public void cast(Array from, Array to) {
        if (from.dtype() == to.dtype()) {
            copy(from, to);
        } else {
            run(Expression.cast(from.dtype(), to.dtype()), to, from);
        }
    }

    /** Copies elements unchanged. The source is broadcast to the target's shape. */
    public void copy(Array from, Array to) {
        if (to.shape().isEmpty() || from.equals(to)) {
            return;
        }
        Iteration iteration = Iteration.inAnyOrder(to.shape(), from.layout(), to.layout());
        List<Access> accesses = iteration.accesses();
        boolean inRuns = accesses.stream().allMatch(access -> access == Access.UNIT || access == Access.ALIGNED);
        ArrayLoop loop =
                inRuns ? Elementwise::copyRun : loops.loop(new LoopSource.Map(Expression.copy(to.dtype()), accesses));
        run(iteration, loop, GRAIN, arrays(from, to));
    }

    /** Returns the array itself if it is contiguous, otherwise a copy. */
    public Array contiguous(Array array, Scratch scratch) {
        if (array.layout().isContiguous()) {
            return array;
        }
        Array copy = scratch.array(array.dtype(), array.shape());
        copy(array, copy);
        return copy;
    }

    /** Returns a contiguous array in another dtype; the array itself if it already is one. */
    public Array contiguous(Array array, DType dtype, Scratch scratch) {
        if (array.dtype() == dtype) {
            return contiguous(array, scratch);
        }
        Array copy = scratch.array(dtype, array.shape());
        cast(array, copy);
        return copy;
    }

    /** Runs a special loop over a shape, in row-major order within each thread's part. */
    public void inOrder(ArrayLoop loop, int grain, Shape shape, Array result, Array... operands) {
        if (!shape.isEmpty()) {
            Array[] all = all(result, operands);
            run(Iteration.inOrder(shape, layouts(all)), loop, grain, arrays(all));
        }
    }

    /**
     * Runs a loop like {@link #inOrder}. Elements that differ only in the given dimension or in later ones are processed by one thread,
     * in order.
     */
    public void inOrderFrom(int dim, ArrayLoop loop, int grain, Shape shape, Array result, Array... operands) {
        if (shape.isEmpty()) {
            return;
        }
        int kept = 1;
        for (int inner = dim; inner < shape.rank(); inner++) {
            kept *= (int) shape.size(inner);
        }
        int unit = kept;
        Array[] all = all(result, operands);
        Iteration iteration = Iteration.inOrder(shape, layouts(all));
        Object[] arrays = arrays(all);
        kernelThreads.run(
                iteration.elements() / unit,
                Math.ceilDiv(grain, unit),
                (from, to) -> iteration.run(loop, arrays, from * unit, to * unit));
    }

    private void run(Iteration iteration, ArrayLoop loop, int grain, Object[] arrays) {
        kernelThreads.run(iteration.elements(), grain, (from, to) -> iteration.run(loop, arrays, from, to));
    }

    private static void copyRun(Object[] arrays, int[] offsets, int[] strides, int count) {
        System.arraycopy(arrays[0], offsets[0], arrays[1], offsets[1], count);
    }

    private static boolean isCostly(Expression expression) {
        return expression.steps().stream()
                .anyMatch(step -> step instanceof Step.ApplyUnary apply
                        && apply.op().isFloatingOnly()
                        && apply.op() != Unary.SQRT);
    }

    private static Array[] all(Array result, Array... operands) {
        Array[] all = Arrays.copyOf(operands, operands.length + 1);
        all[operands.length] = result;
        return all;
    }

    private static Layout[] layouts(Array[] arrays) {
        Layout[] layouts = new Layout[arrays.length];
        Arrays.setAll(layouts, position -> arrays[position].layout());
        return layouts;
    }

    private static Object[] arrays(Array... arrays) {
        Object[] javaArrays = new Object[arrays.length];
        Arrays.setAll(javaArrays, position -> javaArray(arrays[position]));
        return javaArrays;
    }

    public static HeapBuffer buffer(Array array) {
        return (HeapBuffer) array.buffer();
    }

    public static Object javaArray(Array array) {
        return buffer(array).array();
    }
}
