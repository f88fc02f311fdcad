package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.engine.cpu.chain.Chain;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.List;
import java.util.Optional;

/**
 * An operation whose left operand is a row and whose right operand is one number, which therefore need not be
 * repeated along a row.
 */
public interface NumberOp {
    NumberOp ADD = rising(ScalarNumbers::add, Vectors.PRESENT ? VectorNumbers::add : null, VectorStep.ADD);
    NumberOp SUB = rising(ScalarNumbers::sub, Vectors.PRESENT ? VectorNumbers::sub : null, VectorStep.SUB);
    NumberOp MUL = rising(ScalarNumbers::mul, Vectors.PRESENT ? VectorNumbers::mul : null, VectorStep.MUL);
    NumberOp DIV = rising(ScalarNumbers::div, Vectors.PRESENT ? VectorNumbers::div : null, VectorStep.DIV);

    /** The exponential of the result of {@link #SUB}, in one loop. */
    NumberOp EXP_OF_SUB = rising(
            ScalarNumbers::expOfSub, Vectors.PRESENT ? VectorNumbers::expOfSub : null, VectorStep.SUB, VectorStep.EXP);

    /** Computes {@link #EXP_OF_SUB} for a number that is not less than the row's elements. Every softmax begins with this operation. */
    NumberOp EXP_OF_FALL = rising(
            ScalarNumbers::expOfFall,
            Vectors.PRESENT ? VectorNumbers::expOfFall : null,
            VectorStep.SUB,
            VectorStep.EXP_OF_NEGATIVE);

    /** Computes {@code count} elements of the result, which may be the array itself at the same place. */
    void run(float[] a, int atA, float number, float[] r, int at, int count);

    /**
     * Returns the same operation as steps of a {@link Chain}. The first step takes the row and the number. Each later step takes the result
     * of the previous one.
     */
    List<VectorStep> steps();

    /** Returns the operation for an op; empty if it has none. */
    static Optional<NumberOp> of(Binary op) {
        return Optional.ofNullable(
                switch (op) {
                    case ADD -> ADD;
                    case SUB -> SUB;
                    case MUL -> MUL;
                    case DIV -> DIV;
                    default -> null;
                });
    }

    /** Returns true if the number may also be the left operand. */
    static boolean commutes(Binary op) {
        return op == Binary.ADD || op == Binary.MUL;
    }

    /**
     * Returns an operation that uses plain code until vectors are faster, always if no vectors exist. Rows that do not fill a register also
     * use plain code.
     */
    private static NumberOp rising(Code plain, Code vectors, VectorStep... steps) {
        return new WarmupScalarOp(plain, vectors, List.of(steps));
    }

    /** A loop of the operation. */
    @FunctionalInterface
    interface Code {
        void run(float[] a, int atA, float number, float[] r, int at, int count);
    }
}
