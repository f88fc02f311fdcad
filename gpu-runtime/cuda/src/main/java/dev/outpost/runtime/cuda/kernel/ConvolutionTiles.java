package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Shape;

/**
 * A convolution, or one of its gradients, as a matrix product in tiles. The kernel's file describes the dimensions down, across and
 * inner. If sums are long and tiles few, sums are cut into slices, which depend only on the shapes.
 *
 * @param left the operand over which the kernel slides
 * @param right the other operand
 * @param planesDown images, or channels for the gradient of the weight
 * @param planesInner channels, or images for the gradient of the weight
 * @param across the number of channels in a group
 */
record ConvolutionTiles(
        Convolution op, Array left, Array right, Array result, long planesDown, long planesInner, long across) {
    private static final int TILE = 64;

    /** The minimum size of a dimension. A smaller dimension leaves most of a tile empty. */
    private static final long MIN = 8;

    /** The number of tiles that fills a device. */
    private static final long ENOUGH_TILES = 512;

    private static final long SHORTEST_SLICE = 256;

    /**
     * @param first the op's first operand
     * @param second the op's second operand
     * @param result the op's result
     */
    static ConvolutionTiles of(Convolution op, Array first, Array second, Array result) {
        return switch (op.fn()) {
            case FORWARD ->
                new ConvolutionTiles(
                        op,
                        first,
                        second,
                        result,
                        result.shape().size(0),
                        second.shape().size(1),
                        second.shape().size(0) / op.groups());
            case INPUT ->
                new ConvolutionTiles(
                        op,
                        second,
                        first,
                        result,
                        result.shape().size(0),
                        first.shape().size(0) / op.groups(),
                        first.shape().size(1));
            case WEIGHT ->
                new ConvolutionTiles(
                        op,
                        first,
                        second,
                        result,
                        result.shape().size(1),
                        first.shape().size(0),
                        result.shape().size(0) / op.groups());
        };
    }

    /** Returns true if tiles are full enough to be faster than one thread for each element. */
    boolean areWorthIt() {
        return down() >= MIN && across >= MIN && inner() >= MIN;
    }

    private boolean isOfWeight() {
        return op.fn() == Convolution.Fn.WEIGHT;
    }

    private Shape shapeInner() {
        return right.shape();
    }

    private long down() {
        return planesDown * result.shape().size(2) * result.shape().size(3);
    }

    private long inner() {
        return planesInner * shapeInner().size(2) * shapeInner().size(3);
    }

    private long tiles() {
        return op.groups() * Math.ceilDiv(down(), TILE) * Math.ceilDiv(across, TILE);
    }

    private long slices() {
        return Math.max(1, Math.min(inner() / SHORTEST_SLICE, ENOUGH_TILES / tiles()));
    }

    void run(CudaLauncher launcher, Folds folds) {
        CudaType type = CudaType.of(result.dtype());
        long slices = slices();
        if (slices == 1) {
            launch(launcher, type, slices, CudaLauncher.address(result));
            return;
        }
        long count = result.shape().elements();
        DeviceAllocation parts = launcher.scratch(slices * count * type.sum().bytes());
        try {
            launch(launcher, type, slices, parts.address());
            folds.parts(Reduce.Fn.SUM, type.sum(), type, parts.address(), slices, count, CudaLauncher.address(result));
        } finally {
            launcher.release(parts);
        }
    }

    private void launch(CudaLauncher launcher, CudaType type, long slices, long target) {
        Template template = Template.of(Part.CONVOLUTION_TILES, isWide())
                .arithmetic(type.sum())
                .define("STORED", type.stored())
                .define("THREADS", CudaLauncher.THREADS)
                .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(type.sum()))
                .define("RESULT_IS", op.fn().ordinal());
        // Slices are summed in the accumulator's type.
        Template whole = slices == 1
                ? template.define("RESULT", type.stored()).sums(type)
                : template.define("RESULT", type.sum().value()).partsOf(type);
        launcher.runBlocks(
                whole.source(), "convolution_tiles", slices * tiles(), CudaLauncher.THREADS, arguments(slices, target));
    }

    private KernelArguments arguments(long slices, long target) {
        return new KernelArguments()
                .add(target, CudaLauncher.address(left), CudaLauncher.address(right))
                .add(down(), across, inner())
                .add(Math.ceilDiv(down(), TILE), Math.ceilDiv(across, TILE), op.groups())
                .add(Math.ceilDiv(inner(), slices), result.shape().elements())
                .add(result.shape().size(2), result.shape().size(3))
                .add(shapeInner().size(2), shapeInner().size(3))
                .add(left.shape().size(2), left.shape().size(3))
                .add(leftStrides())
                .add(rightStrides())
                .add(resultStrides())
                .add(op.rows().stride(), op.columns().stride())
                .add(op.rows().padding(), op.columns().padding())
                .add(op.rows().dilation(), op.columns().dilation());
    }

    /**
     * Returns the strides of the left operand in the order of the kernel: group, image or channel of the result's rows (down), channel or
     * image that is summed over (inner), row, column.
     */
    private long[] leftStrides() {
        long[] strides = left.layout().strides();
        long group = left.shape().size(1) / op.groups() * strides[1];
        return isOfWeight()
                ? new long[] {group, strides[1], strides[0], strides[2], strides[3]}
                : new long[] {group, strides[0], strides[1], strides[2], strides[3]};
    }

    /**
     * Returns the strides of the right operand in the order of the kernel: group, channel of the result's columns (across), channel or
     * image that is summed over (inner), row, column.
     */
    private long[] rightStrides() {
        long[] strides = right.layout().strides();
        int channel = op.fn() == Convolution.Fn.FORWARD ? 0 : 1;
        int grouped = isOfWeight() ? 1 : 0;
        return new long[] {
            right.shape().size(grouped) / op.groups() * strides[grouped],
            strides[channel],
            strides[1 - channel],
            strides[2],
            strides[3]
        };
    }

    /**
     * Returns the strides of the result in the order of the kernel: group, image or channel of its rows (down), channel of its columns
     * (across), row, column.
     */
    private long[] resultStrides() {
        long[] strides = result.shape().contiguousStrides();
        int channel = isOfWeight() ? 0 : 1;
        return new long[] {across * strides[channel], strides[1 - channel], strides[channel], strides[2], strides[3]};
    }

    /** Returns true if a position, or a distance to one, needs more than 31 bits. */
    private boolean isWide() {
        long farthest = Math.max(
                op.rows().padding() + result.shape().size(2),
                op.columns().padding() + result.shape().size(3));
        return Math.max(Math.max(down(), inner()) + TILE, farthest) > Integer.MAX_VALUE;
    }
}
