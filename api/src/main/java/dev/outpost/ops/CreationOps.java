package dev.outpost.ops;

import dev.outpost.Generator;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Placing;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/**
 * Creates tensors on the machine of an existing one, usually with its shape and dtype. On a group, a new tensor of
 * the same shape gets the same placement.
 */
public interface CreationOps {
    Tensor self();

    /**
     * Returns zeros of this tensor's shape and dtype, on its machine.
     *
     * {@snippet file="OpExamplesTest.java" region="zerosLike"}
     */
    default Tensor zerosLike() {
        return fullLike(0);
    }

    /** Returns zeros of this shape and another dtype. */
    default Tensor zerosLike(DType dtype) {
        return fullLike(0, dtype);
    }

    /** Returns ones of this tensor's shape and dtype, on its machine. */
    default Tensor onesLike() {
        return fullLike(1);
    }

    /** Returns ones of this shape and another dtype. */
    default Tensor onesLike(DType dtype) {
        return fullLike(1, dtype);
    }

    /**
     * Returns a tensor of this shape and dtype in which each element is the number.
     *
     * @throws OpException if the dtype cannot hold the number
     */
    default Tensor fullLike(Number value) {
        return fullLike(value, self().dtype());
    }

    /** Returns a tensor filled with a number, of this shape and another dtype. */
    default Tensor fullLike(Number value, DType dtype) {
        return Placing.as(self(), Creation.full(States.home(self()), self().shape(), "full_like", value, dtype));
    }

    /** Draws numbers that are uniform in [0, 1), from the machine's random stream. Floating dtypes only. */
    default Tensor randLike() {
        return Placing.as(
                self(), Creation.random(self().machine(), Random.Fn.UNIFORM, self().dtype(), self().shape(), 0, 0));
    }

    /** Draws standard normal numbers from the machine's random stream. Floating dtypes only. */
    default Tensor randnLike() {
        return Placing.as(
                self(), Creation.random(self().machine(), Random.Fn.NORMAL, self().dtype(), self().shape(), 0, 0));
    }

    /** Like {@link #randLike()}, but with numbers from a generator. */
    default Tensor randLike(Generator generator) {
        return Placing.as(
                self(),
                self().machine().rand(generator, self().dtype(), self().shape().toArray()));
    }

    /** Like {@link #randnLike()}, but with numbers from a generator. */
    default Tensor randnLike(Generator generator) {
        return Placing.as(
                self(),
                self().machine().randn(generator, self().dtype(), self().shape().toArray()));
    }

    /** Draws whole numbers in [low, high) from the machine's random stream. */
    default Tensor randintLike(long low, long high) {
        return Placing.as(
                self(),
                Creation.random(self().machine(), Random.Fn.INTEGER, self().dtype(), self().shape(), low, high));
    }

    /** Like {@link #randintLike(long, long)}, but with numbers from a generator. */
    default Tensor randintLike(Generator generator, long low, long high) {
        return Placing.as(
                self(),
                self().machine()
                        .randint(
                                generator,
                                low,
                                high,
                                self().dtype(),
                                self().shape().toArray()));
    }

    /** Returns zeros of this dtype and another shape. */
    default Tensor newZeros(long... shape) {
        return newFull(0, shape);
    }

    /** Returns zeros of another dtype and another shape. */
    default Tensor newZeros(DType dtype, long... shape) {
        return newFull(0, dtype, shape);
    }

    /** Returns ones of this dtype and another shape. */
    default Tensor newOnes(long... shape) {
        return newFull(1, shape);
    }

    /** Returns ones of another dtype and another shape. */
    default Tensor newOnes(DType dtype, long... shape) {
        return newFull(1, dtype, shape);
    }

    /** Returns a tensor filled with a number, of this dtype and another shape. */
    default Tensor newFull(Number value, long... shape) {
        return newFull(value, self().dtype(), shape);
    }

    /** Returns a tensor filled with a number, of another dtype and another shape. */
    default Tensor newFull(Number value, DType dtype, long... shape) {
        return Creation.full(States.home(self()), Shape.of(shape), "new_full", value, dtype);
    }
}
