package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.product.Multiplier;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes one convolution, or one gradient of a convolution, of contiguous arrays. The result array of a gradient
 * must contain zeros at first. The division of the work depends only on shapes: channels are divided into slices and
 * window positions into blocks. For the gradient of the weight, images are divided into chunks, each with a sum.
 */
final class ConvolutionRun {
    /** The number of rows in a matrix of windows. It is the length of a product's sums, and long enough for a BLAS to be fast. */
    private static final int ROWS = 512;
    /** The number of elements in a matrix of windows; about as many as a core's own cache holds. */
    private static final int ELEMENTS = 256 << 10;
    /** The number of multiplications that justifies a separate thread. */
    private static final long GRAIN = 256 << 10;
    /** The number of tasks of the weight's gradient. Each chunk has its own sum, so this also limits memory. */
    private static final int WEIGHT_TASKS = 16;

    private final Array input;
    private final Array weight;
    private final Array output;
    private final Elementwise elementwise;
    private final Multiplier multiplier;
    private final DType dtype;
    private final Im2colWindows windows;
    private final int images;
    private final int groups;
    /** The number of input channels in a group. */
    private final int channels;
    /** The number of output channels in a group. */
    private final int outputs;

    private final int sliceChannels;
    private final int slices;
    private final int blockPlaces;
    private final int blocks;

    ConvolutionRun(
            Convolution op, Array input, Array weight, Array output, Elementwise elementwise, Multiplier multiplier) {
        this.input = input;
        this.weight = weight;
        this.output = output;
        this.elementwise = elementwise;
        this.multiplier = multiplier;
        dtype = input.dtype();
        windows = Im2colWindows.of(input.shape(), weight.shape(), output.shape(), op.rows(), op.columns());
        images = (int) input.shape().size(0);
        groups = op.groups();
        channels = (int) weight.shape().size(1);
        outputs = (int) weight.shape().size(0) / groups;
        int max = Math.clamp(ROWS / windows.kernel(), 1, channels);
        sliceChannels = Math.ceilDiv(channels, Math.ceilDiv(channels, max));
        slices = Math.ceilDiv(channels, sliceChannels);
        blockPlaces = Math.clamp(ELEMENTS / (sliceChannels * windows.kernel()), 1, windows.places());
        blocks = Math.ceilDiv(windows.places(), blockPlaces);
    }

    /** Computes the convolution. A task is a block of positions of an image, and sums over slices. */
    void forward() {
        run(images * groups * blocks, (long) outputs * blockPlaces * channels * windows.kernel(), (task, columns) -> {
            int image = task / blocks / groups;
            int group = task / blocks % groups;
            Block block = block(task % blocks);
            for (Slice slice : slices()) {
                copy(image, group, slice, block, columns);
                addOutputs(image, group, slice, block, columns);
            }
        });
    }

    /** Stores the product of the first slice, and adds the others to it. */
    private void addOutputs(int image, int group, Slice slice, Block block, Object columns) {
        Matrix kernels = weights(weight, group, slice, false);
        Matrix copied = new Matrix(columns, 0, false, block.count());
        Matrix target = outputs(image, group, block);
        if (slice.channel() == 0) {
            multiplier.multiply(outputs, block.count(), slice.rows(), kernels, copied, target);
        } else {
            multiplier.add(outputs, block.count(), slice.rows(), kernels, copied, target);
        }
    }

    /**
     * Computes the gradient of the input. A task is a slice of the channels of an image. It contains all overlapping windows and sums its
     * blocks.
     */
    void input() {
        run(images * groups * slices, (long) outputs * windows.places() * rows(), (task, columns) -> {
            int image = task / slices / groups;
            int group = task / slices % groups;
            Slice slice = slice(task % slices);
            for (int number = 0; number < blocks; number++) {
                Block block = block(number);
                multiplier.multiply(
                        slice.rows(),
                        block.count(),
                        outputs,
                        weights(weight, group, slice, true),
                        outputs(image, group, block),
                        new Matrix(columns, 0, false, block.count()));
                windows.add(
                        columns,
                        slice.channels(),
                        block.from(),
                        block.to(),
                        Elementwise.javaArray(input),
                        plane(image, group, slice));
            }
        });
    }

    /** Computes the gradient of the weight. A task is a slice of the channels of a chunk of images. */
    void weight() {
        int chunks = Math.clamp(WEIGHT_TASKS / ((long) groups * slices), 1, images);
        try (Scratch scratch = elementwise.scratch()) {
            List<Array> sums = IntStream.range(0, chunks)
                    .mapToObj(chunk -> chunk == 0 ? weight : zeros(scratch))
                    .toList();
            long work = (long) outputs * windows.places() * rows() * Math.ceilDiv(images, chunks);
            run(chunks * groups * slices, work, (task, columns) -> {
                int chunk = task / slices / groups;
                int group = task / slices % groups;
                Matrix sum = weights(sums.get(chunk), group, slice(task % slices), false);
                int end = (int) ((chunk + 1L) * images / chunks);
                for (int image = (int) ((long) chunk * images / chunks); image < end; image++) {
                    addWeights(image, group, slice(task % slices), columns, sum);
                }
            });
            for (Array sum : sums.subList(1, chunks)) {
                elementwise.run(Expression.binary(Binary.ADD, dtype), weight, weight, sum);
            }
        }
    }

    private void addWeights(int image, int group, Slice slice, Object columns, Matrix sum) {
        for (int number = 0; number < blocks; number++) {
            Block block = block(number);
            copy(image, group, slice, block, columns);
            multiplier.add(
                    outputs,
                    slice.rows(),
                    block.count(),
                    outputs(image, group, block),
                    new Matrix(columns, 0, true, block.count()),
                    sum);
        }
    }

    private Array zeros(Scratch scratch) {
        Array sum = scratch.array(dtype, weight.shape());
        Fills.fill(elementwise, Scalar.of(dtype, 0L), sum);
        return sum;
    }

    /** A part of the work, with room for one block of windows. */
    @FunctionalInterface
    private interface Task {
        void run(int number, Object columns);
    }

    private void run(int tasks, long multiplications, Task task) {
        int grain = (int) Math.max(1, GRAIN / multiplications);
        elementwise.workers().run(tasks, grain, (from, to) -> {
            try (Scratch scratch = elementwise.scratch()) {
                Array columns = scratch.array(dtype, Shape.of(rows() * blockPlaces));
                for (int number = from; number < to; number++) {
                    task.run(number, Elementwise.javaArray(columns));
                }
            }
        });
    }

    private int rows() {
        return sliceChannels * windows.kernel();
    }

    /** Channels of a group: the first one, their number, and their number of rows in a matrix of windows. */
    private record Slice(int channel, int channels, int rows) {}

    private Slice slice(int number) {
        int first = number * sliceChannels;
        int count = Math.min(sliceChannels, channels - first);
        return new Slice(first, count, count * windows.kernel());
    }

    private List<Slice> slices() {
        return IntStream.range(0, slices).mapToObj(this::slice).toList();
    }

    /** Window positions from {@code from} to before {@code to}. */
    private record Block(int from, int to) {
        int count() {
            return to - from;
        }
    }

    private Block block(int number) {
        int from = number * blockPlaces;
        return new Block(from, Math.min(from + blockPlaces, windows.places()));
    }

    private void copy(int image, int group, Slice slice, Block block, Object columns) {
        windows.copy(
                Elementwise.javaArray(input),
                plane(image, group, slice),
                slice.channels(),
                block.from(),
                block.to(),
                columns);
    }

    /** Returns the index of a slice's first plane. */
    private int plane(int image, int group, Slice slice) {
        int channel = (image * groups + group) * channels + slice.channel();
        return (int) input.layout().offset() + channel * windows.plane();
    }

    /** Returns {@code [outputs, rows]} of a group's weights, or the transposed matrix. */
    private Matrix weights(Array weights, int group, Slice slice, boolean transposed) {
        int row = channels * windows.kernel();
        int offset = group * outputs * row + slice.channel() * windows.kernel();
        return new Matrix(Elementwise.javaArray(weights), (int) weights.layout().offset() + offset, transposed, row);
    }

    /** Returns the matrix {@code [outputs, places]} of a block. */
    private Matrix outputs(int image, int group, Block block) {
        int plane = (image * groups + group) * outputs;
        int offset = plane * windows.places() + block.from();
        return new Matrix(
                Elementwise.javaArray(output), (int) output.layout().offset() + offset, false, windows.places());
    }
}
