package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A sample of every row of {@link OpTable}. Families that are enums are iterated over, so new members need no extra line. */
public final class OpSamples {
    private static final Shape MATRIX = Shape.of(2, 3);
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, MATRIX);
    private static final TensorType INTS = new TensorType(DType.INT32, MATRIX);
    private static final TensorType BOOLS = new TensorType(DType.BOOL, MATRIX);
    private static final TensorType INDICES = new TensorType(DType.INT64, MATRIX);
    private static final TensorType ROW = new TensorType(DType.INT64, Shape.of(3));

    private static final Split OTHER_ROWS = new Split(0, List.of(0L, 1L, 3L));

    private OpSamples() {}

    public static List<OpSample> all() {
        List<OpSample> samples = new ArrayList<>();
        addElementwise(samples);
        addReductions(samples);
        addViews(samples);
        addCreation(samples);
        addIndexing(samples);
        addWindows(samples);
        addAttention(samples);
        addFactorizations(samples);
        addCollectives(samples);
        return List.copyOf(samples);
    }

    private static void addCollectives(List<OpSample> samples) {
        Optional<Split> rows = Optional.of(new Split(0, List.of(0L, 2L, 3L)));
        Optional<Split> columns = Optional.of(new Split(1, List.of(0L, 1L, 3L)));
        TensorType whole = new TensorType(DType.FLOAT32, Shape.of(3, 3));
        TensorType column = new TensorType(DType.FLOAT32, Shape.of(3, 1));
        TensorType nothing = new TensorType(DType.FLOAT32, Shape.of(0));
        Optional<Split> none = Optional.empty();
        samples.add(collective(Collective.Fn.ALL_REDUCE, FLOATS, none, none, FLOATS));
        samples.add(collective(Collective.Fn.ALL_GATHER, whole, rows, none, FLOATS));
        samples.add(collective(Collective.Fn.REDUCE_SCATTER, FLOATS, none, rows, whole));
        samples.add(collective(Collective.Fn.ALL_TO_ALL, column, rows, columns, FLOATS));
        samples.add(collective(Collective.Fn.SEND, nothing, none, none, FLOATS));
        samples.add(collective(Collective.Fn.RECEIVE, FLOATS, none, none));
        samples.add(OpSample.of(Collective.rounded(FLOATS, List.of(0, 1), WireFormat.INT8, 5, 6), FLOATS)
                .data(
                        Collective.rounded(FLOATS, List.of(0, 1), WireFormat.INT8, 7, 6),
                        Collective.rounded(FLOATS, List.of(0, 1), WireFormat.INT8, 5, -6))
                .structure(
                        Collective.rounded(FLOATS, List.of(0, 1), WireFormat.INT4, 5, 6),
                        Collective.rounded(FLOATS, List.of(1, 0), WireFormat.INT8, 5, 6),
                        Collective.rounded(INDICES, List.of(0, 1), WireFormat.INT8, 5, 6),
                        rounded(Optional.of(OTHER_ROWS), none),
                        rounded(none, Optional.of(OTHER_ROWS))));
    }

    private static Collective rounded(Optional<Split> from, Optional<Split> to) {
        return new Collective(Collective.Fn.ALL_REDUCE_ROUNDED, FLOATS, List.of(0, 1), from, to, 5, 6, WireFormat.INT8);
    }

    private static OpSample collective(
            Collective.Fn fn, TensorType type, Optional<Split> from, Optional<Split> to, TensorType... operands) {
        return OpSample.of(new Collective(fn, type, List.of(0, 1), from, to, 5, 6), operands)
                .data(
                        new Collective(fn, type, List.of(0, 1), from, to, 7, 6),
                        new Collective(fn, type, List.of(0, 1), from, to, 5, -6))
                .structure(
                        new Collective(fn, INDICES, List.of(0, 1), from, to, 5, 6),
                        new Collective(fn, type, List.of(1, 0), from, to, 5, 6),
                        new Collective(fn, type, List.of(0, 1), Optional.of(OTHER_ROWS), to, 5, 6),
                        new Collective(fn, type, List.of(0, 1), from, Optional.of(OTHER_ROWS), 5, 6));
    }

    private static void addElementwise(List<OpSample> samples) {
        for (Unary op : Unary.values()) {
            samples.add(OpSample.of(op, op == Unary.NOT ? INTS : FLOATS));
        }
        for (Binary op : Binary.values()) {
            samples.add(takesFloats(op) ? OpSample.of(op, FLOATS, FLOATS) : OpSample.of(op, INTS, INTS));
        }
        samples.add(OpSample.of(Ternary.WHERE, BOOLS, FLOATS, FLOATS));
        samples.add(OpSample.of(new Cast(DType.FLOAT32), INTS).structure(new Cast(DType.INT8)));
    }

    private static boolean takesFloats(Binary op) {
        return switch (op) {
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT, GCD -> false;
            default -> true;
        };
    }

    private static void addReductions(List<OpSample> samples) {
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            samples.add(OpSample.of(new Reduce(fn, Axes.of(1), false), FLOATS)
                    .structure(new Reduce(fn, Axes.of(0), false), new Reduce(fn, Axes.of(1), true)));
            samples.add(OpSample.of(new Cumulative(fn, 1), FLOATS).structure(new Cumulative(fn, 0)));
        }
        for (ArgReduce.Fn fn : ArgReduce.Fn.values()) {
            samples.add(OpSample.of(new ArgReduce(fn, 1, false), FLOATS)
                    .structure(new ArgReduce(fn, 0, false), new ArgReduce(fn, 1, true)));
        }
        samples.add(OpSample.of(new Sort(1, false), FLOATS).structure(new Sort(0, false), new Sort(1, true)));
    }

    private static void addViews(List<OpSample> samples) {
        samples.add(OpSample.of(new AsStrided(layout(MATRIX, 1, 2, 0)), FLOATS)
                .data(new AsStrided(layout(MATRIX, 1, 2, 300)))
                .structure(new AsStrided(layout(MATRIX, 3, 1, 0)), new AsStrided(layout(Shape.of(3, 2), 1, 2, 0))));
        samples.add(OpSample.of(new StridedWrite(layout(MATRIX, 1, 2, 0)), FLOATS, FLOATS)
                .data(new StridedWrite(layout(MATRIX, 1, 2, 300)))
                .structure(new StridedWrite(layout(MATRIX, 3, 1, 0)), new StridedWrite(layout(Shape.of(3), 3, 0))));
    }

    private static Layout layout(Shape shape, long... stridesAndOffset) {
        long[] strides = java.util.Arrays.copyOf(stridesAndOffset, shape.rank());
        return Layout.of(shape, strides, stridesAndOffset[shape.rank()]);
    }

    private static void addCreation(List<OpSample> samples) {
        samples.add(OpSample.of(new Fill(MATRIX, real(DType.FLOAT32, 1)))
                .data(new Fill(MATRIX, real(DType.FLOAT32, 2)))
                .structure(new Fill(Shape.of(6), real(DType.FLOAT32, 1)), new Fill(MATRIX, real(DType.FLOAT16, 1))));
        samples.add(arange());
        samples.add(literal());
        samples.add(load());
        samples.add(OpSample.of(new Upload(FLOATS, 7))
                .data(new Upload(FLOATS, 8))
                .structure(new Upload(INTS, 7), new Upload(new TensorType(DType.FLOAT32, Shape.of(6)), 7)));
        for (Random.Fn fn : Random.Fn.values()) {
            samples.add(random(fn));
            samples.add(randomPart(fn));
        }
    }

    private static OpSample load() {
        return OpSample.of(load(FLOATS, "file:/m", "1", "a", "x", 0))
                .data(
                        load(FLOATS, "file:/other", "1", "a", "x", 0),
                        load(FLOATS, "file:/m", "2", "a", "x", 0),
                        load(FLOATS, "file:/m", "1", "b", "x", 0),
                        load(FLOATS, "file:/m", "1", "a", "y", 0),
                        load(FLOATS, "file:/m", "1", "a", "x", 3))
                .structure(load(INTS, "file:/m", "1", "a", "x", 0));
    }

    private static Load load(TensorType type, String uri, String version, String file, String tensor, long start) {
        return new Load(type, uri, version, file, tensor, List.of(start, 0L));
    }

    private static Scalar real(DType dtype, double value) {
        return Scalar.of(dtype, value);
    }

    private static OpSample arange() {
        Scalar zero = real(DType.FLOAT64, 0);
        Scalar one = real(DType.FLOAT64, 1);
        Scalar whole = Scalar.of(DType.INT64, 1L);
        return OpSample.of(new Arange(DType.FLOAT32, 4, zero, one))
                .data(new Arange(DType.FLOAT32, 4, one, one), new Arange(DType.FLOAT32, 4, zero, zero))
                .structure(
                        new Arange(DType.FLOAT64, 4, zero, one),
                        new Arange(DType.FLOAT32, 5, zero, one),
                        new Arange(DType.FLOAT32, 4, whole, one),
                        new Arange(DType.FLOAT32, 4, zero, whole));
    }

    private static OpSample literal() {
        TensorType type = new TensorType(DType.INT16, Shape.of(2));
        byte[] elements = {1, 0, 2, 0};
        return OpSample.of(new Literal(type, elements))
                .data(new Literal(type, new byte[] {1, 0, 3, 0}))
                .structure(
                        new Literal(new TensorType(DType.FLOAT16, Shape.of(2)), elements),
                        new Literal(new TensorType(DType.INT16, Shape.of(2, 1)), elements));
    }

    /** Bounds are written for integers only; the others have none. */
    private static OpSample random(Random.Fn fn) {
        boolean bounded = fn == Random.Fn.INTEGER;
        TensorType type = bounded ? INDICES : FLOATS;
        long low = bounded ? -5 : 0;
        long high = bounded ? 5 : 0;
        TensorType other = new TensorType(DType.FLOAT64, Shape.of(6));
        List<Op> data = new ArrayList<>(
                List.of(new Random(fn, type, -8, 9, low, high), new Random(fn, type, -7, 10, low, high)));
        if (bounded) {
            data.add(new Random(fn, type, -7, 9, -4, high));
            data.add(new Random(fn, type, -7, 9, low, 1L << 40));
        }
        return OpSample.of(new Random(fn, type, -7, 9, low, high))
                .data(data.toArray(Op[]::new))
                .structure(new Random(fn, other, -7, 9, low, high));
    }

    /** As {@link #random}, of some elements of a larger tensor. */
    private static OpSample randomPart(Random.Fn fn) {
        Random whole = (Random) random(fn).op();
        Random.Part part = new Random.Part(3, 2, 5);
        TensorType other = new TensorType(DType.FLOAT64, Shape.of(6));
        Stream<Op> otherDraws = random(fn).otherData().stream().map(draw -> ((Random) draw).part(whole.type(), part));
        Stream<Op> otherParts = Stream.of(new Random.Part(4, 2, 5), new Random.Part(3, 1, 5), new Random.Part(3, 2, 6))
                .map(elements -> whole.part(whole.type(), elements));
        return OpSample.of(whole.part(whole.type(), part))
                .data(Stream.concat(otherDraws, otherParts).toArray(Op[]::new))
                .structure(whole.part(other, part));
    }

    private static void addIndexing(List<OpSample> samples) {
        TensorType batch = new TensorType(DType.FLOAT32, Shape.of(4, 2, 3));
        TensorType otherBatch = new TensorType(DType.FLOAT32, Shape.of(4, 3, 5));
        samples.add(OpSample.of(new Matmul(), batch, otherBatch));
        samples.add(OpSample.of(new IndexCheck(3), INDICES).structure(new IndexCheck(4)));
        IndexNames names = new IndexNames("cross_entropy", "label", "classes", "head");
        samples.add(OpSample.of(new Gather(1), FLOATS, INDICES).structure(new Gather(0), new Gather(1, names)));
        samples.add(
                OpSample.of(new IndexSelect(1), FLOATS, ROW).structure(new IndexSelect(0), new IndexSelect(1, names)));
        samples.add(OpSample.of(new UpdateGuard(1, 7), FLOATS, FLOATS, INTS)
                .data(new UpdateGuard(1, 8))
                .structure(new UpdateGuard(2, 7)));
        samples.add(OpSample.of(new UpdateCommit(), FLOATS, FLOATS));
        samples.add(OpSample.of(new ModelOpen(List.of("w"), false), new TensorType(DType.UINT8, Shape.of(5)), FLOATS)
                .structure(new ModelOpen(List.of("v"), false), new ModelOpen(List.of("w"), true)));
        samples.add(OpSample.of(new ModelCall(List.of(FLOATS, INTS)), ModelOpen.HANDLE, FLOATS)
                .structure(new ModelCall(List.of(FLOATS)), new ModelCall(List.of(INTS, FLOATS))));
        for (Scatter.Fn fn : Scatter.Fn.values()) {
            samples.add(OpSample.of(new Scatter(fn, 1), FLOATS, INDICES, FLOATS)
                    .structure(new Scatter(fn, 0), new Scatter(fn, 1, names)));
            samples.add(OpSample.of(new IndexWrite(fn, 1), FLOATS, ROW, FLOATS)
                    .structure(new IndexWrite(fn, 0), new IndexWrite(fn, 1, names)));
        }
        samples.add(OpSample.of(new Concat(1), FLOATS, FLOATS).structure(new Concat(0)));
        samples.add(OpSample.of(new Nonzero(2), FLOATS).structure(new Nonzero(3)));
    }

    private static void addWindows(List<OpSample> samples) {
        Slide rows = new Slide(1, 0, 1);
        Slide columns = new Slide(2, 1, 1);
        Shape input = Shape.of(2, 4, 5, 6);
        Shape weight = Shape.of(6, 2, 3, 2);
        Shape output = Shape.of(2, 6, 3, 4);
        Convolution forward = Convolution.forward(rows, columns, 2);
        samples.add(convolution(forward, input, weight));
        samples.add(convolution(forward.to(Convolution.Fn.INPUT, input), weight, output));
        samples.add(convolution(forward.to(Convolution.Fn.WEIGHT, weight), input, output));
        Shape window = Shape.of(3, 2);
        samples.add(
                OpSample.of(new MaxPool(window, rows, columns, true), new TensorType(DType.FLOAT32, Shape.of(4, 5, 6)))
                        .structure(
                                new MaxPool(Shape.of(2, 3), rows, columns, true),
                                new MaxPool(window, columns, columns, true),
                                new MaxPool(window, rows, rows, true),
                                new MaxPool(window, rows, columns, false)));
    }

    private static OpSample convolution(Convolution op, Shape first, Shape second) {
        Shape plane = op.plane().rank() == 0 ? Shape.of(1, 1) : Shape.of(7, 7);
        return OpSample.of(op, new TensorType(DType.FLOAT32, first), new TensorType(DType.FLOAT32, second))
                .structure(
                        new Convolution(op.fn(), op.columns(), op.columns(), 2, op.plane()),
                        new Convolution(op.fn(), op.rows(), new Slide(2, 1, 2), 2, op.plane()),
                        new Convolution(op.fn(), op.rows(), op.columns(), 1, op.plane()),
                        new Convolution(op.fn(), op.rows(), op.columns(), 2, plane));
    }

    private static OpSample quantizedMatmul() {
        TensorType groups = new TensorType(DType.UINT8, Shape.of(2, 1));
        return OpSample.of(
                        new QuantizedMatmul(4, 8),
                        new TensorType(DType.FLOAT32, Shape.of(3, 8)),
                        new TensorType(DType.UINT8, Shape.of(2, 4)),
                        new TensorType(DType.FLOAT16, Shape.of(2, 1)),
                        groups)
                .structure(new QuantizedMatmul(8, 8), new QuantizedMatmul(4, 4));
    }

    private static OpSample quantizedMatmulInput() {
        TensorType groups = new TensorType(DType.UINT8, Shape.of(2, 1));
        return OpSample.of(
                        new QuantizedMatmulInput(4, 8),
                        new TensorType(DType.FLOAT32, Shape.of(3, 2)),
                        new TensorType(DType.UINT8, Shape.of(2, 4)),
                        new TensorType(DType.FLOAT16, Shape.of(2, 1)),
                        groups)
                .structure(new QuantizedMatmulInput(8, 8), new QuantizedMatmulInput(4, 4));
    }

    private static OpSample pagedAttention() {
        TensorType query = new TensorType(DType.FLOAT32, Shape.of(1, 4, 2, 3));
        TensorType pool = new TensorType(DType.FLOAT32, Shape.of(5, 4, 2, 3));
        TensorType table = new TensorType(DType.INT64, Shape.of(1, 2));
        return OpSample.of(new PagedAttention(3, true, 0.5, 2), query, pool, pool, table, table)
                .data(new PagedAttention(3, true, 0.25, 2), new PagedAttention(3, true, 0.5, 3))
                .structure(new PagedAttention(0, true, 0.5, 2), new PagedAttention(3, false, 0.5, 2));
    }

    private static void addAttention(List<OpSample> samples) {
        samples.add(pagedAttention());
        samples.add(quantizedMatmul());
        samples.add(quantizedMatmulInput());
        TensorType query = new TensorType(DType.FLOAT32, Shape.of(2, 6, 5, 4));
        TensorType key = new TensorType(DType.FLOAT32, Shape.of(2, 3, 7, 4));
        TensorType value = new TensorType(DType.FLOAT32, Shape.of(2, 3, 7, 8));
        TensorType output = new TensorType(DType.FLOAT32, Shape.of(2, 6, 5, 8));
        TensorType rows = new TensorType(DType.FLOAT32, Shape.of(2, 6, 5));
        TensorType mask = new TensorType(DType.BOOL, Shape.of(2, 6, 5, 7));
        samples.add(OpSample.of(new Attention(false, 0.5), query, key, value, mask)
                .data(new Attention(false, 0.25))
                .structure(new Attention(true, 0.5)));
        samples.add(OpSample.of(new AttentionGradient(true, 0.5), query, key, value, output, rows, rows)
                .data(new AttentionGradient(true, 0.25))
                .structure(new AttentionGradient(false, 0.5)));
    }

    private static void addFactorizations(List<OpSample> samples) {
        TensorType square = new TensorType(DType.FLOAT64, Shape.of(2, 3, 3));
        TensorType wide = new TensorType(DType.FLOAT32, Shape.of(3, 4));
        samples.add(OpSample.of(new Cholesky(true), square).structure(new Cholesky(false)));
        samples.add(OpSample.of(new LuFactor(true), wide).structure(new LuFactor(false)));
        samples.add(OpSample.of(new PivotOrder(4), new TensorType(DType.INT32, Shape.of(2, 3)))
                .structure(new PivotOrder(3)));
        samples.add(
                OpSample.of(new TriangularSolve(true, false), square, new TensorType(DType.FLOAT64, Shape.of(2, 3, 5)))
                        .structure(new TriangularSolve(false, false), new TriangularSolve(true, true)));
        samples.add(OpSample.of(new Qr(Qr.Form.REDUCED), wide)
                .structure(new Qr(Qr.Form.COMPLETE), new Qr(Qr.Form.REFLECTIONS), new Qr(Qr.Form.TRIANGLE)));
        samples.add(OpSample.of(new Ldl(), square));
        samples.add(OpSample.of(new LdlSolve(), square, new TensorType(DType.INT32, Shape.of(2, 3)), square));
        samples.add(OpSample.of(new Eigh(true), square).structure(new Eigh(false)));
        samples.add(OpSample.of(new Eig(true), square).structure(new Eig(false)));
        samples.add(OpSample.of(new Svd(Svd.Form.REDUCED), wide)
                .structure(new Svd(Svd.Form.VALUES), new Svd(Svd.Form.FULL)));
    }
}
