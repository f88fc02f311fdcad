package dev.outpost.protocol.op;

import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the inference rule of every family: its result types, and its errors for unsuitable operands. */
@Tag("quick")
class InferTest {

    @Test
    void everySampleIsAccepted() {
        for (OpSample sample : OpSamples.all()) {
            assertEquals(
                    results(sample.op()), sample.infer().length, sample.op().label());
        }
    }

    private static int results(Op op) {
        return switch (op) {
            case Sort two -> 2;
            case MaxPool two -> 2;
            case UpdateGuard five -> 5;
            case Attention two -> 2;
            case AttentionGradient three -> 3;
            case Cholesky two -> 2;
            case Ldl three -> 3;
            case LdlSolve one -> 1;
            case LuFactor three -> 3;
            case Qr two -> 2;
            case Eigh two -> 2;
            case Eig four -> 4;
            case Svd three -> 3;
            case ModelCall two -> two.results().size();
            default -> 1;
        };
    }

    @Test
    void unary() {
        gives("float32[2]", Unary.EXP, floats(2));
        gives("bool[2]", Unary.IS_NAN, ints(2));
        refuses("exp: not defined for int32, got int32[2]", Unary.EXP, ints(2));
        refuses("neg: not defined for bool, got bool[2]", Unary.NEG, bools(2));
        refuses("bitwise_not: not defined for float32, got float32[2]", Unary.NOT, floats(2));
    }

    @Test
    void binary() {
        gives("float32[2,3]", Binary.ADD, floats(2, 1), floats(3));
        gives("bool[2,3]", Binary.LT, ints(2, 3), ints());
        gives("bool[2]", Binary.ADD, bools(2), bools(2));
        refuses(
                "add: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                Binary.ADD,
                floats(2),
                ints(2));
        refuses("add: shapes do not broadcast, got [2] and [3]", Binary.ADD, floats(2), floats(3));
        refuses("div: not defined for int32, got int32[2] and int32[2]", Binary.DIV, ints(2), ints(2));
        refuses("sub: not defined for bool, got bool[2] and bool[3]", Binary.SUB, bools(2), bools(3));
        refuses("bitwise_and: not defined for float32, got float32[] and float32[]", Binary.AND, floats(), floats());
        refuses(
                "bitwise_left_shift: not defined for bool, got bool[2] and bool[2]",
                Binary.SHIFT_LEFT,
                bools(2),
                bools(2));
    }

    @Test
    void where() {
        gives("float32[4,2,3]", Ternary.WHERE, bools(4, 1, 1), floats(2, 1), floats(3));
        refuses(
                "where: the condition must be bool, got int32; cast with to(DType.BOOL)",
                Ternary.WHERE,
                ints(2),
                ints(2),
                ints(2));
        refuses(
                "where: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                Ternary.WHERE,
                bools(2),
                floats(2),
                ints(2));
        refuses("where: shapes do not broadcast, got [3] and [2]", Ternary.WHERE, bools(3), floats(2), floats(2));
    }

    @Test
    void cast() {
        gives("int8[2,3]", new Cast(DType.INT8), floats(2, 3));
    }

    @Test
    void reduce() {
        gives("float32[3]", new Reduce(Reduce.Fn.SUM, Axes.of(0), false), floats(2, 3));
        gives("float32[1,1]", new Reduce(Reduce.Fn.PROD, Axes.of(0, 1), true), floats(2, 3));
        gives("bool[]", new Reduce(Reduce.Fn.MAX, Axes.all(2), false), bools(2, 3));
        gives("float32[3]", new Reduce(Reduce.Fn.SUM, Axes.of(0), false), floats(0, 3));
        gives("float32[0]", new Reduce(Reduce.Fn.MAX, Axes.of(1), false), floats(0, 3));
        refuses("sum: not defined for bool, got bool[2]", new Reduce(Reduce.Fn.SUM, Axes.of(0), false), bools(2));
        refuses(
                "amax: nothing to choose from in dimension 0 of size 0, got [0, 3]",
                new Reduce(Reduce.Fn.MAX, Axes.of(0), false),
                floats(0, 3));
        refuses(
                "sum: dimension out of range, got [0, 2] for rank 2",
                new Reduce(Reduce.Fn.SUM, Axes.of(0, 2), false),
                floats(2, 3));
    }

    @Test
    void axesReachTheHighestRank() {
        assertEquals(Shape.MAX_RANK, Axes.all(Shape.MAX_RANK).size());
        assertEquals(0, Axes.all(0).size());
        assertEquals("[0, 63]", Axes.of(63, 0).toString());
    }

    @Test
    void argReduce() {
        gives("int64[2,1]", new ArgReduce(ArgReduce.Fn.ARGMAX, 1, true), floats(2, 3));
        refuses(
                "argmin: dimension out of range, got 2 for shape [2, 3]",
                new ArgReduce(ArgReduce.Fn.ARGMIN, 2, false),
                floats(2, 3));
        refuses(
                "argmax: nothing to choose from in dimension 1 of size 0, got [2, 0]",
                new ArgReduce(ArgReduce.Fn.ARGMAX, 1, false),
                floats(2, 0));
    }

    @Test
    void cumulative() {
        gives("int32[2,3]", new Cumulative(Reduce.Fn.MAX, 0), ints(2, 3));
        refuses("cumsum: not defined for bool, got bool[2]", new Cumulative(Reduce.Fn.SUM, 0), bools(2));
        refuses("cumprod: dimension out of range, got 0 for shape []", new Cumulative(Reduce.Fn.PROD, 0), floats());
    }

    @Test
    void asStrided() {
        gives("float32[3,2]", new AsStrided(layout(Shape.of(3, 2), 1, 3, 0)), floats(2, 3));
        gives("float32[0,9]", new AsStrided(layout(Shape.of(0, 9), 9, 9, 9)), floats(2, 3));
        refuses(
                "as_strided: the view reaches beyond its base, got [3, 2] strides [1, 3] offset 1 over [2, 3]",
                new AsStrided(layout(Shape.of(3, 2), 1, 3, 1)),
                floats(2, 3));
    }

    @Test
    void stridedWrite() {
        Layout columns = layout(Shape.of(2, 2), 3, 1, 1);
        gives("float32[2,3]", new StridedWrite(columns), floats(2, 3), floats(2, 2));
        refuses(
                "as_strided_scatter: the source must have the view's shape, got [4] and [2, 2]",
                new StridedWrite(columns),
                floats(2, 3),
                floats(4));
        refuses(
                "as_strided_scatter: a view whose elements share memory cannot be written, got "
                        + "[2, 2] strides [0, 1] offset 0",
                new StridedWrite(layout(Shape.of(2, 2), 0, 1, 0)),
                floats(2, 3),
                floats(2, 2));
        refuses(
                "as_strided_scatter: the view reaches beyond its base, got [2, 2] strides [3, 1] offset 1 over [4]",
                new StridedWrite(columns),
                floats(4),
                floats(2, 2));
        refuses(
                "as_strided_scatter: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                new StridedWrite(columns),
                floats(2, 3),
                ints(2, 2));
    }

    @Test
    void matmul() {
        gives("float32[4,2,5]", new Matmul(), floats(4, 2, 3), floats(4, 3, 5));
        gives("float32[2,5]", new Matmul(), floats(2, 3), floats(3, 5));
        refuses("matmul: inner dimensions differ, got [2, 3] and [4, 5]", new Matmul(), floats(2, 3), floats(4, 5));
        refuses(
                "matmul: inner dimensions differ, got [1, 2, 3] and [1, 4, 5]",
                new Matmul(),
                floats(1, 2, 3),
                floats(1, 4, 5));
        refuses(
                "matmul: two matrices or batches of as many are needed, got [2, 2, 3] and [1, 3, 5]",
                new Matmul(),
                floats(2, 2, 3),
                floats(1, 3, 5));
        refuses(
                "matmul: two matrices or batches of as many are needed, got [1, 2, 3] and [3, 5]",
                new Matmul(),
                floats(1, 2, 3),
                floats(3, 5));
        refuses(
                "matmul: two matrices or batches of as many are needed, got [3] and [3]",
                new Matmul(),
                floats(3),
                floats(3));
        refuses(
                "matmul: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                new Matmul(),
                floats(1, 1, 1),
                ints(1, 1, 1));
    }

    @Test
    void convolution() {
        Slide plain = new Slide(1, 0, 1);
        Convolution op = Convolution.forward(new Slide(2, 1, 1), new Slide(1, 0, 2), 2);
        gives("float32[7,6,3,2]", op, floats(7, 4, 5, 6), floats(6, 2, 3, 3));
        gives("float32[0,6,3,2]", op, floats(0, 4, 5, 6), floats(6, 2, 3, 3));
        gives("float32[7,4,5,6]", input(op, 5, 6), floats(6, 2, 3, 3), floats(7, 6, 3, 2));
        gives("float32[7,4,6,6]", input(op, 6, 6), floats(6, 2, 3, 3), floats(7, 6, 3, 2));
        gives("float32[6,2,3,3]", weight(op, 3, 3), floats(7, 4, 5, 6), floats(7, 6, 3, 2));
        refuses(
                "conv2d: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                op,
                floats(7, 4, 5, 6),
                ints(6, 2, 3, 3));
        refuses(
                "conv2d: not defined for bool, got bool[1,1,1,1] and bool[1,1,1,1]",
                op,
                bools(1, 1, 1, 1),
                bools(1, 1, 1, 1));
        refuses(
                "conv2d: four dimensions are needed, all but the first of them below 2^31, got [4, 5, 6]",
                op,
                floats(4, 5, 6),
                floats(6, 2, 3, 3));
        refuses(
                "conv2d: the weight must have the channels of a group, got [6, 4, 3, 3] for [7, 4, 5, 6] in 2 groups",
                op,
                floats(7, 4, 5, 6),
                floats(6, 4, 3, 3));
        refuses("conv2d: channels must divide into groups, got 5 and 2", op, floats(7, 5, 5, 6), floats(6, 2, 3, 3));
        refuses("conv2d: outputs must divide into groups, got 5 and 2", op, floats(7, 4, 5, 6), floats(5, 2, 3, 3));
        refuses(
                "conv2d: there must be at least one group, got 0",
                Convolution.forward(plain, plain, 0),
                floats(7, 4, 5, 6),
                floats(6, 2, 3, 3));
        refuses(
                "conv2d: the window is larger than the padded input, got 8 and 7",
                op,
                floats(7, 4, 5, 6),
                floats(6, 2, 8, 3));
        refuses("conv2d: the window must hold an element, got 0", op, floats(7, 4, 5, 6), floats(6, 2, 3, 0));
        refuses(
                "conv2d_input: the output must have the shape [7, 6, 4, 2], got [7, 6, 3, 2]",
                input(op, 7, 6),
                floats(6, 2, 3, 3),
                floats(7, 6, 3, 2));
        refuses(
                "conv2d_weight: the output must have the shape [7, 6, 3, 4], got [7, 6, 3, 2]",
                weight(op, 3, 2),
                floats(7, 4, 5, 6),
                floats(7, 6, 3, 2));
    }

    @Test
    void slides() {
        refusesSlide("stride and dilation must be at least 1 and the padding 0, got 0, 1 and 0", new Slide(0, 0, 1));
        refusesSlide("stride and dilation must be at least 1 and the padding 0, got 1, 1 and -1", new Slide(1, -1, 1));
        refusesSlide("stride and dilation must be at least 1 and the padding 0, got 1, 0 and 0", new Slide(1, 0, 0));
    }

    private static void refusesSlide(String message, Slide slide) {
        Slide plain = new Slide(1, 0, 1);
        refuses("conv2d: " + message, Convolution.forward(plain, slide, 1), floats(1, 1, 4, 4), floats(1, 1, 2, 2));
        refuses("max_pool2d: " + message, new MaxPool(Shape.of(2, 2), slide, plain, false), floats(1, 4, 4));
    }

    private static Convolution input(Convolution op, long height, long width) {
        return op.to(Convolution.Fn.INPUT, Shape.of(0, 0, height, width));
    }

    private static Convolution weight(Convolution op, long height, long width) {
        return op.to(Convolution.Fn.WEIGHT, Shape.of(0, 0, height, width));
    }

    @Test
    void maxPool() {
        Slide halving = new Slide(2, 0, 1);
        Slide padded = new Slide(2, 1, 1);
        TensorType[] results = new MaxPool(Shape.of(2, 3), halving, padded, false).infer(floats(4, 5, 6));
        assertArrayEquals(new TensorType[] {floats(4, 2, 3), indices(4, 2, 3)}, results);
        results = new MaxPool(Shape.of(2, 3), halving, padded, true).infer(floats(4, 5, 6));
        assertArrayEquals(new TensorType[] {floats(4, 3, 4), indices(4, 3, 4)}, results);
        Op pool = new MaxPool(Shape.of(2, 2), padded, padded, true);
        refuses(
                "max_pool2d: needs a floating dtype, got int32[1,4,4]; cast it first, as with to(DType.FLOAT32)",
                pool,
                ints(1, 4, 4));
        refuses("max_pool2d: planes and a window of two sizes are needed, got [4, 4] and [2, 2]", pool, floats(4, 4));
        refuses(
                "max_pool2d: the padding must be at most half of the window, got 1 and 1",
                new MaxPool(Shape.of(1, 2), padded, padded, true),
                floats(1, 4, 4));
        refuses(
                "max_pool2d: a window may hold nothing but padding, got dilation 3 and size 2",
                new MaxPool(Shape.of(2, 2), new Slide(1, 1, 3), padded, true),
                floats(1, 2, 4));
        refuses(
                "max_pool2d: the window is larger than the padded input, got 3 and 1",
                new MaxPool(Shape.of(3, 3), halving, halving, false),
                floats(1, 1, 4));
    }

    @Test
    void attention() {
        TensorType query = floats(2, 6, 5, 4);
        TensorType key = floats(2, 3, 7, 4);
        TensorType value = floats(2, 3, 7, 8);
        TensorType mask = bools(2, 6, 5, 7);
        Op op = new Attention(false, 1);
        TensorType[] results = {floats(2, 6, 5, 8), floats(2, 6, 5)};
        assertArrayEquals(results, op.infer(query, key, value));
        assertArrayEquals(results, op.infer(query, key, value, mask));
        assertArrayEquals(results, op.infer(query, key, value, bools(1, 1, 5, 1)));
        TensorType half = new TensorType(DType.FLOAT16, Shape.of(1, 1, 2, 3));
        assertEquals(floats(1, 1, 2), op.infer(half, half, half)[1]);
        String name = "scaled_dot_product_attention: ";
        refuses(name + "3 operands are needed, and perhaps a mask, got 2", op, query, key);
        refuses(
                name + "needs a floating dtype, got int32[1,4,4]; cast it first, as with to(DType.FLOAT32)",
                op,
                ints(1, 4, 4),
                key,
                value);
        refuses(
                name + "dtypes differ, got float32 and float16; cast the float16 one with to(DType.FLOAT32)",
                op,
                query,
                half,
                value);
        refuses(
                name + "four dimensions are needed, all but the first of them below 2^31, got [2, 3]",
                op,
                query,
                key,
                floats(2, 3));
        refuses(
                name + "query, key and value do not fit, got [2, 6, 5, 4], [2, 3, 7, 4] and [2, 3, 6, 8]",
                op,
                query,
                key,
                floats(2, 3, 6, 8));
        refuses(
                name + "at least one key and one feature are needed, got [2, 3, 0, 4] and [2, 3, 0, 8]",
                op,
                query,
                floats(2, 3, 0, 4),
                floats(2, 3, 0, 8));
        refuses(name + "heads must divide into groups, got 6 and 4", op, query, floats(2, 4, 7, 4), floats(2, 4, 7, 8));
        refuses(
                name + "the mask must have four dimensions that broadcast to [2, 6, 5, 7], got [5, 7]",
                op,
                query,
                key,
                value,
                bools(5, 7));
        refuses(
                name + "the mask must be bool or of the query's dtype, got int32 and float32",
                op,
                query,
                key,
                value,
                ints(2, 6, 5, 7));
    }

    @Test
    void gradientOfAttention() {
        TensorType query = floats(2, 6, 5, 4);
        TensorType key = floats(2, 3, 7, 4);
        TensorType value = floats(2, 3, 7, 8);
        TensorType output = floats(2, 6, 5, 8);
        TensorType rows = floats(2, 6, 5);
        Op op = new AttentionGradient(true, 1);
        assertArrayEquals(
                new TensorType[] {query, key, value},
                op.infer(query, key, value, output, rows, rows, bools(2, 6, 5, 7)));
        String name = "scaled_dot_product_attention_gradient: ";
        refuses(name + "6 operands are needed, and perhaps a mask, got 3", op, query, key, value);
        refuses(
                name + "the gradient must be float32[2,6,5,8], got float32[2,6,5]",
                op,
                query,
                key,
                value,
                rows,
                rows,
                rows);
        refuses(
                name + "the sums must be float32[2,6,5], got float32[2,6]",
                op,
                query,
                key,
                value,
                output,
                rows,
                floats(2, 6));
    }

    /** The last window may extend beyond the end only if it begins before the end. */
    @Test
    void aWindowBehindTheEndIsNoPlace() {
        assertEquals(2, new Slide(2, 1, 1).places("pool", 2, 2, true));
        assertEquals(2, new Slide(3, 0, 1).places("pool", 4, 2, true));
        assertEquals(1, new Slide(3, 0, 1).places("pool", 3, 2, true));
    }

    @Test
    void arange() {
        Scalar real = Scalar.of(DType.FLOAT64, 1.0);
        gives("int8[5]", new Arange(DType.INT8, 5, real, real));
        refuses("arange: not defined for bool from float64 by float64", new Arange(DType.BOOL, 5, real, real));
        refuses(
                "arange: not defined for float32 from float64 by int64",
                new Arange(DType.FLOAT32, 5, real, Scalar.of(DType.INT64, 1L)));
        refuses("shape: sizes must not be negative, got [-1]", new Arange(DType.INT8, -1, real, real));
    }

    @Test
    void literal() {
        gives("int16[2]", new Literal(new TensorType(DType.INT16, Shape.of(2)), new byte[4]));
        refuses(
                "tensor: the bytes must fit the type and be at most 4096, got 3 for int16[2]",
                new Literal(new TensorType(DType.INT16, Shape.of(2)), new byte[3]));
        refuses(
                "tensor: the bytes must fit the type and be at most 4096, got 4097 for int8[4097]",
                new Literal(new TensorType(DType.INT8, Shape.of(4097)), new byte[4097]));
    }

    @Test
    void random() {
        TensorType whole = new TensorType(DType.INT64, Shape.of(2));
        gives("int64[2]", new Random(Random.Fn.INTEGER, whole, 0, 0, -1, 1));
        refuses("rand: needs a floating dtype, got int64", new Random(Random.Fn.UNIFORM, whole, 0, 0, 0, 0));
        Random.Part far = new Random.Part(1, 1, Long.MAX_VALUE);
        refuses(
                "randint_part: the part has elements beyond 2^63, got Part[first=1, run=1, stride=9223372036854775807] of"
                        + " int64[2]",
                new Random(Random.Fn.INTEGER, whole, 0, 0, -1, 1).part(whole, far));
        refuses("randint: low must be below high, got 3 and 3", new Random(Random.Fn.INTEGER, whole, 0, 0, 3, 3));
    }

    @Test
    void gather() {
        gives("float32[2,1]", new Gather(1), floats(2, 3), indices(2, 1));
        gives("float32[1,9]", new Gather(1), floats(2, 3), indices(1, 9));
        refuses(
                "gather: the index must be int64, got int32; cast with to(DType.INT64)",
                new Gather(1),
                floats(2, 3),
                ints(2, 3));
        refuses(
                "gather: the index must not be larger than the input outside dimension 1, got [3, 3] and [2, 3]",
                new Gather(1),
                floats(2, 3),
                indices(3, 3));
    }

    @Test
    void indexSelect() {
        gives("float32[2,7]", new IndexSelect(1), floats(2, 3), indices(7));
        refuses(
                "index_select: the index must have one dimension, got [7, 1]",
                new IndexSelect(1),
                floats(2, 3),
                indices(7, 1));
        refuses(
                "index_select: dimension out of range, got 2 for shape [2, 3]",
                new IndexSelect(2),
                floats(2, 3),
                indices(7));
    }

    @Test
    void indexCheck() {
        gives("int64[2]", new IndexCheck(3), indices(2));
        refuses("index: the index must be int64, got float32; cast with to(DType.INT64)", new IndexCheck(3), floats(2));
    }

    @Test
    void scatter() {
        Op scatter = new Scatter(Scatter.Fn.ADD, 1);
        gives("float32[2,3]", scatter, floats(2, 3), indices(1, 9), floats(2, 9));
        refuses(
                "scatter_add: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                scatter,
                floats(2, 3),
                indices(1, 2),
                ints(1, 2));
        refuses(
                "scatter_add: the index must not be larger than the base outside dimension 1, got [3, 1] and [2, 3]",
                scatter,
                floats(2, 3),
                indices(3, 1),
                floats(3, 1));
        refuses(
                "scatter_add: the index must not be larger than the source, got [1, 9] and [1, 8]",
                scatter,
                floats(2, 3),
                indices(1, 9),
                floats(1, 8));
    }

    @Test
    void indexWrite() {
        Op write = new IndexWrite(Scatter.Fn.SET, 1);
        gives("float32[2,3]", write, floats(2, 3), indices(4), floats(2, 4));
        refuses(
                "index_copy: the source must have a slice for each index, "
                        + "got base [2, 3], index [4] and source [2, 3]",
                write,
                floats(2, 3),
                indices(4),
                floats(2, 3));
        refuses(
                "index_copy: the index must be int64, got int32; cast with to(DType.INT64)",
                write,
                floats(2, 3),
                ints(4),
                floats(2, 4));
    }

    @Test
    void sort() {
        TensorType[] results = new Sort(1, true).infer(ints(2, 3));
        assertArrayEquals(new TensorType[] {ints(2, 3), indices(2, 3)}, results);
        refuses("sort: dimension out of range, got 0 for shape []", new Sort(0, true), ints());
    }

    @Test
    void concat() {
        gives("float32[2,7]", new Concat(1), floats(2, 3), floats(2, 0), floats(2, 4));
        refuses("cat: at least one tensor is needed, got none", new Concat(0));
        refuses(
                "cat: dtypes differ, got float32 and int32; cast the int32 one with to(DType.FLOAT32)",
                new Concat(0),
                floats(2),
                ints(2));
        refuses(
                "cat: sizes must match except in dimension 1, got [2, 3] and [3, 3]",
                new Concat(1),
                floats(2, 3),
                floats(3, 3));
        refuses(
                "cat: sizes must match except in dimension 0, got [2] and [2, 1]",
                new Concat(0),
                floats(2),
                floats(2, 1));
    }

    @Test
    void concatOfMoreThanCanBeCounted() {
        refuses(
                "cat: the size of dimension 0 overflows, got [9223372036854775807] and [1]",
                new Concat(0),
                floats(Long.MAX_VALUE),
                floats(1));
    }

    @Test
    void nonzero() {
        gives("int64[5,2]", new Nonzero(5), floats(2, 3));
        gives("int64[1,0]", new Nonzero(1), floats());
    }

    private static void gives(String expected, Op op, TensorType... operands) {
        TensorType[] results = op.infer(operands);
        assertEquals(1, results.length);
        assertEquals(expected, results[0].toString());
    }

    private static void refuses(String message, Op op, TensorType... operands) {
        assertRefused(message, () -> op.infer(operands));
    }

    private static TensorType floats(long... sizes) {
        return new TensorType(DType.FLOAT32, Shape.of(sizes));
    }

    private static TensorType ints(long... sizes) {
        return new TensorType(DType.INT32, Shape.of(sizes));
    }

    private static TensorType indices(long... sizes) {
        return new TensorType(DType.INT64, Shape.of(sizes));
    }

    private static TensorType bools(long... sizes) {
        return new TensorType(DType.BOOL, Shape.of(sizes));
    }

    private static Layout layout(Shape shape, long... stridesAndOffset) {
        long[] strides = java.util.Arrays.copyOf(stridesAndOffset, shape.rank());
        return Layout.of(shape, strides, stridesAndOffset[shape.rank()]);
    }
}
