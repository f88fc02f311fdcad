package dev.outpost.runtime.session;

import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Slide;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws ops with attributes that may not fit any operand. Attributes that no record can hold throw. */
final class HostileOps {
    private final HostileNumbers numbers;
    private final List<Upload> uploads = new ArrayList<>();

    HostileOps(HostileNumbers numbers) {
        this.numbers = numbers;
    }

    /** An op without operands. */
    Op source() {
        return switch (numbers.below(numbers.oneIn(12) ? 6 : 5)) {
            case 0, 1 -> new Fill(Shape.of(numbers.sizes()), Scalar.of(numbers.dtype(), numbers.real()));
            case 2 -> literal();
            case 3 -> arange();
            case 4 -> random();
            default -> upload();
        };
    }

    /** The uploads that were drawn, in the order of their numbers from 1 on. */
    List<Upload> uploads() {
        return uploads;
    }

    private Upload upload() {
        TensorType type = type();
        // Throws if the number of bytes cannot be computed.
        type.bytes();
        Upload upload = new Upload(type, uploads.size() + 1);
        uploads.add(upload);
        return upload;
    }

    /** Draws an op for an operand of that type and perhaps others. */
    Op of(TensorType first) {
        int axis = axis(first);
        return switch (numbers.below(28)) {
            case 0, 1 -> pick(Unary.values());
            case 2, 3, 4 -> pick(Binary.values());
            case 5 -> pick(Ternary.values());
            case 6 -> new Cast(numbers.dtype());
            case 7, 8 -> new Reduce(pick(Reduce.Fn.values()), axes(first), numbers.oneIn(2));
            case 9 -> new ArgReduce(pick(ArgReduce.Fn.values()), axis, numbers.oneIn(2));
            case 10 -> new Cumulative(pick(Reduce.Fn.values()), axis);
            case 11 -> new Sort(axis, numbers.oneIn(2));
            case 12, 13, 14 -> new AsStrided(layout());
            case 15 -> new StridedWrite(layout());
            case 16, 17 -> new Matmul();
            case 18 -> new Concat(axis);
            case 19 -> numbers.oneIn(2) ? new Gather(axis) : new IndexSelect(axis);
            case 20 -> new Scatter(pick(Scatter.Fn.values()), axis);
            case 21 -> new IndexWrite(pick(Scatter.Fn.values()), axis);
            case 22 -> update();
            case 23 -> convolution();
            case 24 ->
                numbers.oneIn(2)
                        ? new Attention(numbers.oneIn(2), numbers.real())
                        : new AttentionGradient(numbers.oneIn(2), numbers.real());
            case 25 -> new MaxPool(plane(), slide(), slide(), numbers.oneIn(2));
            case 26 -> factorization();
            default -> new Nonzero(numbers.size());
        };
    }

    private Op update() {
        return switch (numbers.below(6)) {
            case 3 -> new ModelOpen(numbers.oneIn(2) ? List.of() : List.of("w"), numbers.oneIn(2));
            case 4 -> new ModelCall(List.of(type()));
            case 5 -> collective();
            case 0 -> new UpdateGuard(numbers.below(3), numbers.below(3));
            case 1 -> new UpdateCommit();
            default -> new IndexCheck(numbers.size());
        };
    }

    private Collective collective() {
        TensorType type = new TensorType(numbers.dtype(), Shape.of(numbers.size()));
        Optional<Split> split = numbers.oneIn(2)
                ? Optional.empty()
                : Optional.of(new Split(numbers.below(2), List.of(0L, 1L, numbers.size())));
        return new Collective(
                pick(Collective.Fn.values()),
                type,
                numbers.oneIn(2) ? List.of(0) : List.of(0, 1 + numbers.below(3)),
                split,
                split,
                numbers.below(4),
                0);
    }

    private Factorization factorization() {
        return switch (numbers.below(8)) {
            case 0 -> new Cholesky(numbers.oneIn(2));
            case 1 -> new LuFactor(numbers.oneIn(2));
            case 2 -> new PivotOrder(numbers.size());
            case 3 -> new Qr(pick(Qr.Form.values()));
            case 4 -> new Eigh(numbers.oneIn(2));
            case 5 -> new Eig(numbers.oneIn(2));
            case 6 -> new Svd(pick(Svd.Form.values()));
            default -> new TriangularSolve(numbers.oneIn(2), numbers.oneIn(2));
        };
    }

    private Convolution convolution() {
        Convolution.Fn fn = pick(Convolution.Fn.values());
        Shape plane = fn == Convolution.Fn.FORWARD && !numbers.oneIn(20) ? Shape.SCALAR : plane();
        return new Convolution(fn, slide(), slide(), numbers.below(3), plane);
    }

    private Shape plane() {
        return Shape.of(numbers.size(), numbers.size());
    }

    private Slide slide() {
        return new Slide(length(), length(), length());
    }

    private int length() {
        return numbers.oneIn(20) ? (int) numbers.bits() : numbers.below(3);
    }

    private Literal literal() {
        TensorType type = numbers.oneIn(3) ? new TensorType(DType.INT64, Shape.of(numbers.below(4))) : type();
        long bytes = numbers.oneIn(20) ? numbers.below(5000) : type.bytes();
        byte[] elements = numbers.bytes((int) Math.min(bytes, 5000));
        // Indices close to the bounds of a tensor find more than others.
        for (int high = 0; type.dtype() == DType.INT64 && high < elements.length; high++) {
            elements[high] = (byte) (high % 8 == 0 ? numbers.below(3) : 0);
        }
        return new Literal(type, elements);
    }

    private Arange arange() {
        DType wide = numbers.oneIn(2) ? DType.FLOAT64 : DType.INT64;
        return new Arange(numbers.dtype(), numbers.size(), new Scalar(wide, numbers.bits()), new Scalar(wide, 1));
    }

    private Random random() {
        return new Random(
                pick(Random.Fn.values()), type(), numbers.bits(), numbers.below(9), -numbers.below(3), numbers.size());
    }

    private TensorType type() {
        return new TensorType(numbers.dtype(), Shape.of(numbers.sizes()));
    }

    private Layout layout() {
        Shape shape = Shape.of(numbers.sizes());
        return Layout.of(shape, numbers.strides(shape.rank()), numbers.oneIn(20) ? numbers.any() : numbers.below(3));
    }

    private int axis(TensorType type) {
        return numbers.oneIn(30)
                ? numbers.below(70)
                : numbers.below(Math.max(type.shape().rank(), 1));
    }

    private Axes axes(TensorType type) {
        int rank = type.shape().rank();
        return new Axes(
                numbers.oneIn(30)
                        ? numbers.bits()
                        : numbers.bits() & Axes.all(rank).bits());
    }

    private <T> T pick(T[] values) {
        return values[numbers.below(values.length)];
    }
}
