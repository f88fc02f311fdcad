package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Random elements: Philox 4x32-10 with the seed as key and (element index, call) as counter, so that the bits do not
 * depend on the engine or the order of computation (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * 2011).
 *
 * @param fn the distribution
 * @param type (structure) dtype and shape
 * @param seed (data) the stream's seed
 * @param call (data) the number of the draw in the stream
 * @param low (data) the smallest integer, for {@link Fn#INTEGER}
 * @param high (data) one past the largest integer, for {@link Fn#INTEGER}
 * @param part (data) the elements of a larger tensor that these are; {@link Part#WHOLE}, which is part of the
 *     structure, for all
 */
public record Random(Fn fn, TensorType type, long seed, long call, long low, long high, Part part) implements Op {
    /** The difference between the code of a draw of a part and the code of the draw of a whole tensor. */
    private static final int PART_DISTANCE = 49;

    /**
     * The elements of one dimension's cut: element {@code i} of the part is element {@code first + i / run * stride + i % run} of the
     * larger tensor.
     *
     * @param first the first element
     * @param run the number of consecutive elements in a run, at least 1
     * @param stride the distance between two runs
     */
    public record Part(long first, long run, long stride) {
        /** All elements in their order. */
        public static final Part WHOLE = new Part(0, 1, 1);

        public Part {
            if (first < 0 || run < 1 || stride < 0) {
                throw new MalformedException(
                        "a part of random draws from " + first + " by runs of " + run + " and strides of " + stride);
            }
        }

        /** Returns the part of a tensor of that shape that has some of the indices of one dimension. */
        public static Part of(Shape whole, int dim, long start, long length) {
            long inner = 1;
            for (int next = dim + 1; next < whole.rank(); next++) {
                inner *= whole.size(next);
            }
            return new Part(start * inner, Math.max(1, length * inner), whole.size(dim) * inner);
        }

        /** Returns the index in the larger tensor of an element of the part. */
        public long element(long index) {
            return first + index / run * stride + index % run;
        }
    }

    /** Creates a draw of all elements of a tensor. */
    public Random(Fn fn, TensorType type, long seed, long call, long low, long high) {
        this(fn, type, seed, call, low, high, Part.WHOLE);
    }

    /** The ops with wire codes 174 to 176, and 223 to 225 for parts. */
    public enum Fn {
        /**
         * Numbers in [0, 1) with as many random bits as the significand has: 53 for float64, 24 for float32, 11 for float16, 8 for
         * bfloat16.
         */
        UNIFORM(174, "rand"),
        /** Normally distributed numbers of mean 0 and variance 1, by the method of Box and Muller. */
        NORMAL(175, "randn"),
        /** Integers in [low, high). */
        INTEGER(176, "randint");

        final OpSignature signature;
        final OpSignature part;

        Fn(int code, String label) {
            signature = new OpSignature(code, label, 0);
            part = new OpSignature(code + PART_DISTANCE, label + "_part", 0);
        }
    }

    /** Returns the same distribution of another stream, or at another position in it. */
    public Random at(long newSeed, long newCall) {
        return new Random(fn, type, newSeed, newCall, low, high, part);
    }

    /** Returns a draw of a part of a larger tensor, with the same seed, call and bounds as this one. */
    public Random part(TensorType ofPart, Part newPart) {
        return new Random(fn, ofPart, seed, call, low, high, newPart);
    }

    /** True if the elements are a part of a larger tensor. */
    public boolean isPart() {
        return !part.equals(Part.WHOLE);
    }

    static Random readPart(Fn fn, AttributeReader in) {
        Random whole = read(fn, in);
        Part part = new Part(in.data().varint(), in.data().varint(), in.data().varint());
        if (part.equals(Part.WHOLE)) {
            throw new MalformedException("a part of random draws that is all of them");
        }
        return whole.part(whole.type, part);
    }

    static Random read(Fn fn, AttributeReader in) {
        TensorType type = in.type();
        long seed = in.data().fixed64();
        long call = in.data().varint();
        boolean bounded = fn == Fn.INTEGER;
        return new Random(
                fn,
                type,
                seed,
                call,
                bounded ? in.data().zigzag() : 0,
                bounded ? in.data().zigzag() : 0);
    }

    @Override
    public OpSignature signature() {
        return isPart() ? fn.part : fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.type(type);
        out.data().fixed64(seed);
        out.data().varint(call);
        if (fn == Fn.INTEGER) {
            out.data().zigzag(low);
            out.data().zigzag(high);
        }
        if (isPart()) {
            out.data().varint(part.first);
            out.data().varint(part.run);
            out.data().varint(part.stride);
        }
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        DType dtype = type.dtype();
        if (fn != Fn.INTEGER && !dtype.isFloating()) {
            throw new OpException(label(), "needs a floating dtype, got " + dtype);
        }
        if (fn == Fn.INTEGER && low >= high) {
            throw new OpException(label(), "low must be below high, got " + low + " and " + high);
        }
        requireCountable();
        return new TensorType[] {type};
    }

    /** Fails unless the number of each element fits 63 bits. */
    private void requireCountable() {
        long last = Math.max(0, type.shape().elements() - 1);
        try {
            Math.addExact(Math.addExact(part.first, Math.multiplyExact(last / part.run, part.stride)), part.run);
        } catch (ArithmeticException ignored) {
            throw new OpException(label(), "the part has elements beyond 2^63, got " + part + " of " + type);
        }
    }

    /** Returns the shape of the result. */
    public Shape shape() {
        return type.shape();
    }
}
