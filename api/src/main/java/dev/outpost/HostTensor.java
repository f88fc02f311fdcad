package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.HostShapes;
import dev.outpost.internal.ops.ElementBytes;
import dev.outpost.internal.ops.HostElements;
import dev.outpost.internal.text.TensorFormat;
import dev.outpost.internal.transfer.NestedValues;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * A tensor in the memory of the client: the source of an upload or the result of a read. Row-major, immutable, at most 2 GiB. {@link
 * #toString} prints it as PyTorch does.
 *
 * <p>The factories without a shape create a tensor of one dimension; an empty shape creates a scalar. Java types map to the dtype of
 * the same width: {@code float[]} is float32, {@code byte[]} int8, and so on; other dtypes come from {@link #ofBytes} and {@link #to}.
 */
public final class HostTensor {

    private final DType dtype;
    private final Shape shape;
    private final byte[] bytes;

    private HostTensor(DType dtype, Shape shape, byte[] bytes) {
        this.dtype = dtype;
        this.shape = shape;
        this.bytes = bytes;
    }

    /** Makes a tensor of one dimension from floats. */
    public static HostTensor of(float[] values) {
        return of(values, values.length);
    }

    /**
     * Copies elements in row-major order as float32. An empty shape creates a scalar.
     *
     * {@snippet file="MachineExamplesTest.java" region="hostTensor"}
     *
     * @param shape the sizes; one may be -1, and is then computed from the others
     * @throws OpException if the shape has another number of elements
     */
    public static HostTensor of(float[] values, long... shape) {
        return of(FloatBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from doubles. */
    public static HostTensor of(double[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates float64. */
    public static HostTensor of(double[] values, long... shape) {
        return of(DoubleBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from longs. */
    public static HostTensor of(long[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates int64. */
    public static HostTensor of(long[] values, long... shape) {
        return of(LongBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from ints. */
    public static HostTensor of(int[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates int32. */
    public static HostTensor of(int[] values, long... shape) {
        return of(IntBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from shorts. */
    public static HostTensor of(short[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates int16. */
    public static HostTensor of(short[] values, long... shape) {
        return of(ShortBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from bytes. */
    public static HostTensor of(byte[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates int8. */
    public static HostTensor of(byte[] values, long... shape) {
        return of(DType.INT8, ByteBuffer.wrap(values), shape);
    }

    /** Makes a tensor of one dimension from booleans. */
    public static HostTensor of(boolean[] values) {
        return of(values, values.length);
    }

    /** Like {@link #of(float[], long...)}, but creates bool. */
    public static HostTensor of(boolean[] values, long... shape) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) (values[i] ? 1 : 0);
        }
        return new HostTensor(DType.BOOL, HostShapes.shapeFor(values.length, shape), bytes);
    }

    /**
     * Copies nested arrays, such as {@code float[][]} or {@code long[][][]}: one dimension for each level, and the dtype of the
     * innermost arrays. Arrays of boxed numbers are read as lists: whole numbers int64, others float32.
     *
     * {@snippet file="MachineExamplesTest.java" region="nestedArrays"}
     *
     * @throws OpException if the arrays of one level differ in length, or hold something else than numbers or booleans; the message
     *     has the index
     */
    public static HostTensor of(Object[] nested) {
        return ofNested(nested);
    }

    /**
     * Copies a list of numbers, booleans, primitive arrays or further lists, as {@code torch.tensor} does: whole numbers are int64,
     * other numbers float32.
     *
     * @throws OpException as for {@link #of(Object[])}
     */
    public static HostTensor of(List<?> nested) {
        return ofNested(nested);
    }

    private static HostTensor ofNested(Object nested) {
        HostElements elements = NestedValues.read(ArgumentChecks.required(nested, "the values"));
        return new HostTensor(elements.dtype(), elements.shape(), elements.bytes());
    }

    /** Like {@link #of(FloatBuffer, long...)}, but creates a vector. */
    public static HostTensor of(FloatBuffer values) {
        return of(values, values.remaining());
    }

    /** Copies the buffer's remaining values. Does not change the buffer's position; this holds for all methods that take a buffer. */
    public static HostTensor of(FloatBuffer values, long... shape) {
        HostTensor tensor = blank(DType.FLOAT32, HostShapes.shapeFor(values.remaining(), shape));
        tensor.littleEndian().asFloatBuffer().put(values.duplicate());
        return tensor;
    }

    /** Like {@link #of(DoubleBuffer, long...)}, but creates a vector. */
    public static HostTensor of(DoubleBuffer values) {
        return of(values, values.remaining());
    }

    public static HostTensor of(DoubleBuffer values, long... shape) {
        HostTensor tensor = blank(DType.FLOAT64, HostShapes.shapeFor(values.remaining(), shape));
        tensor.littleEndian().asDoubleBuffer().put(values.duplicate());
        return tensor;
    }

    /** Like {@link #of(LongBuffer, long...)}, but creates a vector. */
    public static HostTensor of(LongBuffer values) {
        return of(values, values.remaining());
    }

    public static HostTensor of(LongBuffer values, long... shape) {
        HostTensor tensor = blank(DType.INT64, HostShapes.shapeFor(values.remaining(), shape));
        tensor.littleEndian().asLongBuffer().put(values.duplicate());
        return tensor;
    }

    /** Like {@link #of(IntBuffer, long...)}, but creates a vector. */
    public static HostTensor of(IntBuffer values) {
        return of(values, values.remaining());
    }

    public static HostTensor of(IntBuffer values, long... shape) {
        HostTensor tensor = blank(DType.INT32, HostShapes.shapeFor(values.remaining(), shape));
        tensor.littleEndian().asIntBuffer().put(values.duplicate());
        return tensor;
    }

    /** Like {@link #of(ShortBuffer, long...)}, but creates a vector. */
    public static HostTensor of(ShortBuffer values) {
        return of(values, values.remaining());
    }

    public static HostTensor of(ShortBuffer values, long... shape) {
        HostTensor tensor = blank(DType.INT16, HostShapes.shapeFor(values.remaining(), shape));
        tensor.littleEndian().asShortBuffer().put(values.duplicate());
        return tensor;
    }

    /** Copies the buffer's remaining bytes as little-endian elements of the dtype. Ignores the buffer's byte order. */
    public static HostTensor of(DType dtype, ByteBuffer values, long... shape) {
        return of(dtype, values, HostShapes.shapeFor(wholeElements(dtype, values), shape));
    }

    /** Like {@link #of(DType, ByteBuffer, long...)}, but creates a vector. */
    public static HostTensor of(DType dtype, ByteBuffer values) {
        return of(dtype, values, Shape.of(wholeElements(dtype, values)));
    }

    private static HostTensor of(DType dtype, ByteBuffer values, Shape shape) {
        HostTensor tensor = blank(dtype, shape);
        values.duplicate().get(tensor.bytes);
        return tensor;
    }

    private static int wholeElements(DType dtype, ByteBuffer values) {
        if (values.remaining() % dtype.bytes() != 0) {
            throw problem("of", "the bytes are no whole number of " + dtype + ", got " + values.remaining());
        }
        return values.remaining() / dtype.bytes();
    }

    /** Wraps little-endian elements in row-major order. Does not copy the array, so the caller must not change it afterwards. */
    public static HostTensor ofBytes(DType dtype, Shape shape, byte[] bytes) {
        if (bytes.length != HostShapes.bytesOf(dtype, shape)) {
            throw problem(
                    "ofBytes",
                    dtype + " " + shape + " takes " + HostShapes.bytesOf(dtype, shape) + " bytes, got " + bytes.length);
        }
        return new HostTensor(dtype, shape, bytes);
    }

    public static HostTensor scalar(float value) {
        return of(new float[] {value}).reshape();
    }

    public static HostTensor scalar(double value) {
        return of(new double[] {value}).reshape();
    }

    public static HostTensor scalar(long value) {
        return of(new long[] {value}).reshape();
    }

    public static HostTensor scalar(int value) {
        return of(new int[] {value}).reshape();
    }

    public static HostTensor scalar(boolean value) {
        return of(new boolean[] {value}).reshape();
    }

    public DType dtype() {
        return dtype;
    }

    public Shape shape() {
        return shape;
    }

    /** Returns the little-endian elements without a copy. The caller must not write to the array. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Returns a read-only view of the elements, row-major and little-endian. {@code asFloatBuffer()} and similar methods read them as
     * numbers.
     */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the element at a row-major index, counted over all dimensions. */
    public double getDouble(long index) {
        return ElementBytes.readDouble(dtype, bytes, checkedIndex(index));
    }

    /** Returns the element at a row-major index. Throws if the element is not a whole number; bool gives 0 and 1. */
    public long getLong(long index) {
        requireWhole("getLong", index, index + 1, Long.MIN_VALUE);
        return ElementBytes.readLong(dtype, bytes, checkedIndex(index));
    }

    public boolean getBoolean(long index) {
        return getDouble(index) != 0;
    }

    /** Returns the only element: a Double, or a Long if integral; bool gives 0 and 1. */
    public Number item() {
        if (shape.elements() != 1) {
            throw problem("item", "only a tensor of one element is one number, got shape " + shape);
        }
        return dtype.isFloating() ? (Number) getDouble(0) : (Number) getLong(0);
    }

    /** Returns all elements in row-major order, rounded to the nearest float. */
    public float[] toFloatArray() {
        float[] values = new float[elements()];
        littleEndianOf(DType.FLOAT32).asFloatBuffer().get(values);
        return values;
    }

    /**
     * Returns all elements in row-major order. Integers with more bits than a double holds are rounded to the nearest
     * double.
     */
    public double[] toDoubleArray() {
        double[] values = new double[elements()];
        littleEndianOf(DType.FLOAT64).asDoubleBuffer().get(values);
        return values;
    }

    /** Returns all elements in row-major order. Throws if an element is not a whole number. */
    public long[] toLongArray() {
        requireWhole("toLongArray", 0, shape.elements(), Long.MIN_VALUE);
        long[] values = new long[elements()];
        littleEndianOf(DType.INT64).asLongBuffer().get(values);
        return values;
    }

    /** Returns all elements in row-major order. Throws if an element is not a whole number or does not fit into an int. */
    public int[] toIntArray() {
        requireWhole("toIntArray", 0, shape.elements(), Integer.MIN_VALUE);
        int[] values = new int[elements()];
        littleEndianOf(DType.INT32).asIntBuffer().get(values);
        return values;
    }

    /**
     * Returns the rows of a matrix, rounded to the nearest float.
     *
     * @throws OpException if the tensor has not two dimensions
     */
    public float[][] toFloatArray2d() {
        requireMatrix("toFloatArray2d");
        return rows(float[][]::new, toFloatArray(), Arrays::copyOfRange);
    }

    /** Like {@link #toFloatArray2d}, but as doubles. */
    public double[][] toDoubleArray2d() {
        requireMatrix("toDoubleArray2d");
        return rows(double[][]::new, toDoubleArray(), Arrays::copyOfRange);
    }

    /** Like {@link #toFloatArray2d}, but as longs. Throws if an element is not a whole number. */
    public long[][] toLongArray2d() {
        requireMatrix("toLongArray2d");
        return rows(long[][]::new, toLongArray(), Arrays::copyOfRange);
    }

    private <T> T[] rows(IntFunction<T[]> array, T all, Range<T> range) {
        int columns = (int) shape.size(1);
        T[] rows = array.apply((int) shape.size(0));
        for (int row = 0; row < rows.length; row++) {
            rows[row] = range.copy(all, row * columns, (row + 1) * columns);
        }
        return rows;
    }

    private void requireMatrix(String method) {
        if (shape.rank() != 2) {
            throw problem(method, "expected two dimensions, got shape " + shape + "; reshape first, or read one array");
        }
    }

    /** Copies a part of an array. */
    private interface Range<T> {
        T copy(T array, int from, int to);
    }

    /** Returns for each element, in row-major order, true if it is nonzero. */
    public boolean[] toBooleanArray() {
        boolean[] values = new boolean[elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = getBoolean(i);
        }
        return values;
    }

    /**
     * Uploads a copy to a machine. Does not wait.
     *
     * {@snippet file="MachineExamplesTest.java" region="hostTensor"}
     */
    public Tensor to(RemoteMachine machine) {
        return machine.tensor(this);
    }

    /** Converts the values to another dtype, with the rounding and wrapping of a cast. */
    public HostTensor to(DType target) {
        if (target == dtype) {
            return this;
        }
        HostTensor result = blank(target, shape);
        for (int i = 0; i < elements(); i++) {
            ElementBytes.convert(dtype, bytes, target, result.bytes, i);
        }
        return result;
    }

    /** Returns the same elements in another shape. One size may be -1; it is then computed from the others. */
    public HostTensor reshape(long... sizes) {
        Shape target = Shape.of(completed(sizes));
        if (target.elements() != shape.elements()) {
            throw problem("reshape", "the number of elements differs, got " + shape + " and " + target);
        }
        return new HostTensor(dtype, target, bytes);
    }

    private long[] completed(long[] sizes) {
        long known = Arrays.stream(sizes).filter(size -> size != -1).reduce(1, Math::multiplyExact);
        boolean isInferable = known != 0 && shape.elements() % known == 0;
        return Arrays.stream(sizes)
                .map(size -> size == -1 && isInferable ? shape.elements() / known : size)
                .toArray();
    }

    /**
     * Returns the rows (indices of the first dimension) in the given order. A row may occur more than once.
     *
     * {@snippet file="MachineExamplesTest.java" region="rows"}
     */
    public HostTensor rows(int... indices) {
        requireRows("rows");
        HostElements taken =
                hostElements().take(0, Arrays.stream(indices).asLongStream().toArray());
        return new HostTensor(taken.dtype(), taken.shape(), taken.bytes());
    }

    /** Returns the rows from {@code from} up to but not including {@code to}. */
    public HostTensor slice(long from, long to) {
        requireRows("slice");
        if (from < 0 || from > to || to > shape.size(0)) {
            throw problem("slice", "expected 0 <= from <= to <= " + shape.size(0) + ", got " + from + " and " + to);
        }
        long[] sizes = shape.toArray();
        int rowBytes = sizes[0] == 0 ? 0 : (int) (bytes.length / sizes[0]);
        sizes[0] = to - from;
        byte[] covered = Arrays.copyOfRange(bytes, (int) from * rowBytes, (int) to * rowBytes);
        return new HostTensor(dtype, Shape.of(sizes), covered);
    }

    /**
     * Stacks tensors of one dtype and shape along a new first dimension.
     *
     * {@snippet file="MachineExamplesTest.java" region="hostStack"}
     */
    public static HostTensor stack(List<HostTensor> tensors) {
        if (tensors.isEmpty()) {
            throw problem("stack", "expected at least 1 tensor, got 0");
        }
        HostTensor first = tensors.getFirst();
        long[] sizes = new long[first.shape.rank() + 1];
        sizes[0] = tensors.size();
        System.arraycopy(first.shape.toArray(), 0, sizes, 1, first.shape.rank());
        HostTensor stacked = blank(first.dtype, Shape.of(sizes));
        ByteBuffer target = ByteBuffer.wrap(stacked.bytes);
        for (HostTensor tensor : tensors) {
            if (tensor.dtype != first.dtype || !tensor.shape.equals(first.shape)) {
                throw problem(
                        "stack",
                        "the tensors differ, got " + first.dtype + " " + first.shape + " and " + tensor.dtype + " "
                                + tensor.shape);
            }
            target.put(tensor.bytes);
        }
        return stacked;
    }

    /** Returns the rows from {@code from} on. */
    public HostTensor slice(long from) {
        requireRows("slice");
        return slice(from, shape.size(0));
    }

    private void requireRows(String method) {
        if (shape.rank() == 0) {
            throw problem(method, "a tensor without dimensions has no rows");
        }
    }

    /** Returns zeros. The caller fills them before it hands the tensor out, since tensors are immutable. */
    private static HostTensor blank(DType dtype, Shape shape) {
        return new HostTensor(dtype, shape, new byte[HostShapes.requireHeld(dtype, shape)]);
    }

    private HostElements hostElements() {
        return new HostElements(dtype, shape, bytes);
    }

    private int elements() {
        return (int) shape.elements();
    }

    private int checkedIndex(long index) {
        return (int) Objects.checkIndex(index, shape.elements());
    }

    /** @param lowest the smallest value of the target type, in two's complement; so the largest is {@code -lowest - 1} */
    private void requireWhole(String method, long from, long to, long lowest) {
        if (!dtype.isFloating() && (dtype.bytes() < Long.BYTES || lowest == Long.MIN_VALUE)) {
            return;
        }
        for (long index = from; index < to; index++) {
            double element = getDouble(index);
            boolean isHeld = element >= lowest && element < -(double) lowest;
            if (!isHeld || element != Math.rint(element)) {
                throw problem(
                        method,
                        "element " + index + " is " + (isHeld ? "no whole number" : "too large") + ", got " + element
                                + "; read doubles, or cast with to(DType.INT64)");
            }
        }
    }

    private ByteBuffer littleEndianOf(DType target) {
        return to(target).littleEndian();
    }

    private ByteBuffer littleEndian() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static OpException problem(String method, String sentence) {
        return new OpException("HostTensor." + method, sentence);
    }

    /** Compares dtype, shape and every bit of the elements, so a NaN equals itself and 0.0 differs from -0.0. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof HostTensor tensor
                        && dtype == tensor.dtype
                        && shape.equals(tensor.shape)
                        && Arrays.equals(bytes, tensor.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * dtype.hashCode() + shape.hashCode()) + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return TensorFormat.format(shape, TensorFormat.edges(hostElements()), List.of());
    }
}
