package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Random elements: Philox 4x32-10 with the seed as key and (element index, call) as counter, so that every engine and
 * every order of computation gives the same bits (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
 *
 * @param fn the distribution
 * @param type (structure) dtype and shape
 * @param seed (data) the stream's seed
 * @param call (data) which draw of the stream this is
 * @param low (data) the smallest integer, for {@link Fn#INTEGER}
 * @param high (data) one past the largest integer, for {@link Fn#INTEGER}
 */
public record Random(Fn fn, TensorType type, long seed, long call, long low, long high) implements Op {

    /** Codes 174 to 176. */
    public enum Fn {
        /** In [0, 1), with as many bits as the significand: 53, 24, 11 for float16, 8 for bfloat16. */
        UNIFORM(174, "rand"),
        /** Mean 0 and variance 1, by Box and Muller. */
        NORMAL(175, "randn"),
        /** Integers in [low, high). */
        INTEGER(176, "randint");

        final int code;
        final String label;

        Fn(int code, String label) {
            this.code = code;
            this.label = label;
        }
    }

    /** The same numbers of another stream, or of another place in it. */
    public Random at(long newSeed, long newCall) {
        return new Random(fn, type, newSeed, newCall, low, high);
    }

    static Random read(Fn fn, AttributeReader in) {
        TensorType type = new TensorType(in.dtype(), in.shape());
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
    public int code() {
        return fn.code;
    }

    @Override
    public String label() {
        return fn.label;
    }

    @Override
    public int arity() {
        return 0;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.dtype(type.dtype());
        out.shape(type.shape());
        out.data().fixed64(seed);
        out.data().varint(call);
        if (fn == Fn.INTEGER) {
            out.data().zigzag(low);
            out.data().zigzag(high);
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
        return new TensorType[] {type};
    }

    /** The shape of the result. */
    public Shape shape() {
        return type.shape();
    }
}
