package dev.outpost.ops;

import dev.outpost.Generator;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Creation;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/**
 * Random tensors, from the machine's seeded stream ({@link RemoteMachine#manualSeed}) or from a {@link Generator}. The default dtype is
 * float32, or int64 for whole numbers.
 */
public interface RandomMachineOps {
    RemoteMachine self();

    /**
     * Draws float32 numbers that are uniform in [0, 1), from the machine's random stream.
     *
     * {@snippet file="OpExamplesTest.java" region="rand"}
     */
    default Tensor rand(long... shape) {
        return rand(DType.FLOAT32, shape);
    }

    /** Draws numbers that are uniform in [0, 1). Floating dtypes only. */
    default Tensor rand(DType dtype, long... shape) {
        return Creation.random(self(), Random.Fn.UNIFORM, dtype, ArgumentChecks.shape(shape), 0, 0);
    }

    /** Like {@link #rand(long...)}, but with numbers from a generator. */
    default Tensor rand(Generator generator, long... shape) {
        return rand(generator, DType.FLOAT32, shape);
    }

    /** Like {@link #rand(DType, long...)}, but with numbers from a generator. */
    default Tensor rand(Generator generator, DType dtype, long... shape) {
        return Creation.random(
                self(),
                Random.Fn.UNIFORM,
                dtype,
                ArgumentChecks.shape(shape),
                0,
                0,
                ArgumentChecks.required(generator, "the generator"));
    }

    /**
     * Draws float32 numbers from the standard normal distribution, by the machine's random stream.
     *
     * {@snippet file="OpExamplesTest.java" region="randn"}
     */
    default Tensor randn(long... shape) {
        return randn(DType.FLOAT32, shape);
    }

    /** Draws standard normal numbers. Floating dtypes only. */
    default Tensor randn(DType dtype, long... shape) {
        return Creation.random(self(), Random.Fn.NORMAL, dtype, ArgumentChecks.shape(shape), 0, 0);
    }

    /** Like {@link #randn(long...)}, but with numbers from a generator. */
    default Tensor randn(Generator generator, long... shape) {
        return randn(generator, DType.FLOAT32, shape);
    }

    /** Like {@link #randn(DType, long...)}, but with numbers from a generator. */
    default Tensor randn(Generator generator, DType dtype, long... shape) {
        return Creation.random(
                self(),
                Random.Fn.NORMAL,
                dtype,
                ArgumentChecks.shape(shape),
                0,
                0,
                ArgumentChecks.required(generator, "the generator"));
    }

    /**
     * Draws whole numbers in [low, high), each with equal probability, as int64.
     *
     * {@snippet file="OpExamplesTest.java" region="randint"}
     *
     * @throws OpException if the range is empty
     */
    default Tensor randint(long low, long high, long... shape) {
        return randint(low, high, DType.INT64, shape);
    }

    /** Draws whole numbers in [low, high). */
    default Tensor randint(long low, long high, DType dtype, long... shape) {
        return Creation.random(self(), Random.Fn.INTEGER, dtype, ArgumentChecks.shape(shape), low, high);
    }

    /** Like {@link #randint(long, long, long...)}, but with numbers from a generator. */
    default Tensor randint(Generator generator, long low, long high, long... shape) {
        return randint(generator, low, high, DType.INT64, shape);
    }

    /** Like {@link #randint(long, long, DType, long...)}, but with numbers from a generator. */
    default Tensor randint(Generator generator, long low, long high, DType dtype, long... shape) {
        return Creation.random(
                self(),
                Random.Fn.INTEGER,
                dtype,
                ArgumentChecks.shape(shape),
                low,
                high,
                ArgumentChecks.required(generator, "the generator"));
    }

    /**
     * Returns 0 to {@code length - 1} in random order, as int64, of shape {@code [length]}.
     *
     * {@snippet file="OpExamplesTest.java" region="randperm"}
     *
     * @throws OpException if the length is negative
     */
    default Tensor randperm(long length) {
        return Scope.tidy(() -> rand(DType.FLOAT64, length).argsort(0, false));
    }

    /** Like {@link #randperm(long)}, but with numbers from a generator. */
    default Tensor randperm(Generator generator, long length) {
        return Scope.tidy(() -> rand(generator, DType.FLOAT64, length).argsort(0, false));
    }
}
