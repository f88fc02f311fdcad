package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Parts of training, as they are recorded: a layer, its gradient, an update. They work on matrices of rows and columns. */
public final class FixedPrograms {
    private final Sketch sketch = new Sketch();
    private final int rows;
    private final int columns;
    private final DType dtype;

    private FixedPrograms(DType dtype, int rows, int columns) {
        this.dtype = dtype;
        this.rows = rows;
        this.columns = columns;
    }

    /** The programs whose texts are checked, by name, each with its own dtype and shape. */
    public static Map<String, Graph> all() {
        Map<String, Graph> all = new LinkedHashMap<>();
        all.put("chain", chain(DType.FLOAT32, 32, 32));
        all.put("two_chains_that_meet", twoChainsThatMeet(DType.FLOAT16, 32, 32));
        all.put("broadcast", broadcast(DType.FLOAT32, 32, 32));
        all.put("gradient_of_gelu", gradientOfGelu(DType.BFLOAT16, 32, 32));
        all.put("update_of_sgd", updateOfSgd(DType.FLOAT64, 32, 32));
        all.put("update_of_adam", updateOfAdam(DType.FLOAT32, 32, 32));
        all.put("softmax", softmax(DType.FLOAT32, 64, 1000));
        all.put("softmax_of_ten", softmax(DType.FLOAT32, 64, 10));
        all.put("softmax_of_long_rows", wideSoftmax(DType.BFLOAT16, 32, 40_000));
        all.put("gradient_of_softmax", gradientOfSoftmax(DType.FLOAT64, 64, 100));
        all.put("cross_entropy", crossEntropy(DType.FLOAT32, 64, 50));
        all.put("layer_norm", layerNorm(DType.FLOAT32, 64, 4096));
        all.put("gradient_of_layer_norm", gradientOfLayerNorm(DType.FLOAT32, 64, 768));
        all.put("gradient_of_bias", gradientOfBias(DType.FLOAT32, 256, 48));
        all.put("masked_mean", maskedMean(DType.FLOAT16, 64, 1001));
        return all;
    }

    private int matrix() {
        return matrix(dtype);
    }

    private int matrix(DType of) {
        return sketch.input(new TensorType(of, Shape.of(rows, columns)));
    }

    private int row() {
        return sketch.input(new TensorType(dtype, Shape.of(columns)));
    }

    private int column() {
        return sketch.input(new TensorType(dtype, Shape.of(rows, 1)));
    }

    private Scalar number(double value) {
        return Scalar.of(dtype, value);
    }

    private int fold(Reduce.Fn fn, int value) {
        return sketch.op(new Reduce(fn, Axes.of(1), true), value);
    }

    private int mean(int value) {
        return sketch.op(Binary.MUL, fold(Reduce.Fn.SUM, value), number(1.0 / columns));
    }

    private int add(Object left, Object right) {
        return sketch.op(Binary.ADD, left, right);
    }

    private int sub(Object left, Object right) {
        return sketch.op(Binary.SUB, left, right);
    }

    private int mul(Object left, Object right) {
        return sketch.op(Binary.MUL, left, right);
    }

    /** Drops all values except some. */
    private Graph keeping(int... kept) {
        Graph all = sketch.graph();
        IntStream.range(all.structure().inputCount(), all.valueCount())
                .filter(value -> IntStream.of(kept).noneMatch(one -> one == value))
                .forEach(sketch::drop);
        return sketch.graph();
    }

    // ---- element by element

    public static Graph chain(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        return p.keeping(p.sketch.op(Unary.TANH, p.sketch.op(Unary.RELU, p.add(p.mul(x, p.number(2)), p.number(1)))));
    }

    public static Graph twoChainsThatMeet(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int y = p.matrix();
        int powers = p.sketch.op(Unary.EXP, p.add(x, p.number(1)));
        return p.keeping(p.mul(powers, p.sketch.op(Unary.SIGMOID, p.sketch.op(Unary.NEG, y))));
    }

    /** Adds a bias to each row, applies ReLU and multiplies by a matrix elementwise. */
    public static Graph broadcast(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int y = p.matrix();
        int row = p.row();
        return p.keeping(p.mul(p.sketch.op(Unary.RELU, p.add(x, row)), y));
    }

    /** The gradient of gelu: (Φ(x) + x · φ(x)) times the incoming gradient. */
    public static Graph gradientOfGelu(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int arriving = p.matrix();
        int error = p.sketch.op(Unary.ERF, p.mul(x, p.number(Math.sqrt(0.5))));
        int below = p.mul(p.add(error, p.number(1)), p.number(0.5));
        int power = p.sketch.op(Unary.EXP, p.mul(p.mul(x, x), p.number(-0.5)));
        int density = p.mul(power, p.number(1 / Math.sqrt(2 * Math.PI)));
        return p.keeping(p.mul(arriving, p.add(below, p.mul(x, density))));
    }

    public static Graph updateOfSgd(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int parameter = p.matrix();
        int gradient = p.matrix();
        return p.keeping(p.sub(parameter, p.mul(gradient, p.number(0.1))));
    }

    /** An update of Adam, with both moments and the parameter. */
    public static Graph updateOfAdam(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int parameter = p.matrix();
        int gradient = p.matrix();
        int first = p.matrix();
        int second = p.matrix();
        int nextFirst = p.add(p.mul(first, p.number(0.9)), p.mul(gradient, p.number(0.1)));
        int square = p.mul(gradient, gradient);
        int nextSecond = p.add(p.mul(second, p.number(0.999)), p.mul(square, p.number(0.001)));
        int deviation = p.add(p.sketch.op(Unary.SQRT, p.mul(nextSecond, p.number(1.5))), p.number(1e-8));
        int step = p.mul(p.sketch.op(Binary.DIV, nextFirst, deviation), p.number(0.002));
        return p.keeping(nextFirst, nextSecond, p.sub(parameter, step));
    }

    // ---- row by row

    public static Graph softmax(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int powers = p.sketch.op(Unary.EXP, p.sub(x, p.fold(Reduce.Fn.MAX, x)));
        return p.keeping(p.sketch.op(Binary.DIV, powers, p.fold(Reduce.Fn.SUM, powers)));
    }

    /** A softmax in float32 of values that are stored in 16 bits. */
    public static Graph wideSoftmax(DType narrow, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(DType.FLOAT32, rows, columns);
        int x = p.sketch.op(new Cast(DType.FLOAT32), p.matrix(narrow));
        int powers = p.sketch.op(Unary.EXP, p.sub(x, p.fold(Reduce.Fn.MAX, x)));
        int parts = p.sketch.op(Binary.DIV, powers, p.fold(Reduce.Fn.SUM, powers));
        return p.keeping(p.sketch.op(new Cast(narrow), parts));
    }

    /** The gradient of softmax, computed from its result. */
    public static Graph gradientOfSoftmax(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int y = p.matrix();
        int arriving = p.matrix();
        return p.keeping(p.mul(y, p.sub(arriving, p.fold(Reduce.Fn.SUM, p.mul(y, arriving)))));
    }

    /** Cross entropy with a number for each row, and its gradient, which repeats a row's number along the row. */
    public static Graph crossEntropy(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int target = p.matrix();
        int weight = p.column();
        int shifted = p.sub(x, p.fold(Reduce.Fn.MAX, x));
        int powers = p.sketch.op(Unary.EXP, shifted);
        int sum = p.fold(Reduce.Fn.SUM, powers);
        int likelihood = p.sub(shifted, p.sketch.op(Unary.LOG, sum));
        int loss = p.sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(1), false), p.mul(likelihood, target));
        int scale = p.mul(weight, p.sketch.op(Unary.RSQRT, sum));
        Layout along = Layout.of(Shape.of(rows, columns), new long[] {1, 0}, 0);
        int gradient = p.mul(p.sub(powers, target), p.sketch.op(new AsStrided(along), scale));
        return p.keeping(p.sketch.op(Unary.NEG, loss), gradient);
    }

    public static Graph layerNorm(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int weight = p.row();
        int bias = p.row();
        int centered = p.sub(x, p.mean(x));
        int deviation = p.sketch.op(Unary.RSQRT, p.add(p.mean(p.mul(centered, centered)), p.number(1e-5)));
        return p.keeping(p.add(p.mul(p.mul(centered, deviation), weight), bias));
    }

    /** The gradients of layer norm with a scale: those of its operand, its weight and its bias. */
    public static Graph gradientOfLayerNorm(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int normal = p.matrix();
        int scaledArriving = p.matrix();
        int deviation = p.column();
        int weight = p.row();
        int arriving = p.mul(scaledArriving, p.number(0.5));
        int scaled = p.mul(arriving, weight);
        int along = p.mul(normal, p.mean(p.mul(scaled, normal)));
        int gradient = p.mul(p.sub(p.sub(scaled, p.mean(scaled)), along), deviation);
        Reduce columnSums = new Reduce(Reduce.Fn.SUM, Axes.of(0), false);
        int ofWeight = p.sketch.op(columnSums, p.mul(arriving, normal));
        return p.keeping(gradient, ofWeight, p.sketch.op(columnSums, arriving));
    }

    /** The gradient of a ReLU, and its sum over the rows, which is the gradient of a bias. */
    public static Graph gradientOfBias(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int arriving = p.matrix();
        int isThrough = p.sketch.op(Binary.GT, x, p.number(0));
        int through = p.sketch.op(Ternary.WHERE, isThrough, arriving, p.number(0));
        return p.keeping(through, p.sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), through));
    }

    /** Where a mask is, the rest of the row does without; what a row has left is told for each of its columns. */
    public static Graph maskedMean(DType dtype, int rows, int columns) {
        FixedPrograms p = new FixedPrograms(dtype, rows, columns);
        int x = p.matrix();
        int mask = p.matrix(DType.BOOL);
        int seen = p.sketch.op(Ternary.WHERE, mask, x, p.number(0));
        int mean = p.mean(seen);
        return p.keeping(mean, p.sketch.op(Binary.GT, seen, mean));
    }
}
