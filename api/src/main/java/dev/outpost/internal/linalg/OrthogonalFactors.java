package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Svd;

/** Calls the ops of the orthogonal factorizations. */
public final class OrthogonalFactors {
    private OrthogonalFactors() {}

    public static Tensor[] qr(Tensor matrices, boolean complete) {
        Qr op = new Qr(complete ? Qr.Form.COMPLETE : Qr.Form.REDUCED);
        return Dispatch.applyAll(op, LinearSystems.requireMatrices("qr", matrices));
    }

    public static Tensor triangle(Tensor matrices) {
        LinearSystems.requireMatrices("qr", matrices);
        return isRecorded(matrices) ? qr(matrices, false)[1] : Dispatch.apply(new Qr(Qr.Form.TRIANGLE), matrices);
    }

    public static Tensor[] eigh(Tensor matrices, boolean upper) {
        LinearSystems.requireSquare("eigh", matrices);
        return Dispatch.applyAll(new Eigh(true), upper ? matrices.mT() : matrices);
    }

    public static Tensor eigvalsh(Tensor matrices, boolean upper) {
        LinearSystems.requireSquare("eigvalsh", matrices);
        return isRecorded(matrices)
                ? eigh(matrices, upper)[0]
                : Dispatch.apply(new Eigh(false), upper ? matrices.mT() : matrices);
    }

    /** Returns the real and imaginary parts of the values and of the vectors. */
    public static Tensor[] eig(Tensor matrices) {
        LinearSystems.requireSquare("eig", matrices);
        return Dispatch.applyAll(new Eig(true), matrices);
    }

    /** Returns the real and imaginary parts of the values. */
    public static Tensor[] eigvals(Tensor matrices) {
        LinearSystems.requireSquare("eigvals", matrices);
        if (isRecorded(matrices)) {
            Tensor[] all = eig(matrices);
            return new Tensor[] {all[0], all[1]};
        }
        return Dispatch.applyAll(new Eig(false), matrices);
    }

    public static Tensor[] svd(Tensor matrices, boolean full) {
        LinearSystems.requireMatrices("svd", matrices);
        return Dispatch.applyAll(new Svd(full ? Svd.Form.FULL : Svd.Form.REDUCED), matrices);
    }

    public static Tensor svdvals(Tensor matrices) {
        LinearSystems.requireMatrices("svdvals", matrices);
        return isRecorded(matrices) ? svd(matrices, false)[1] : Dispatch.apply(new Svd(Svd.Form.VALUES), matrices);
    }

    /** True if autograd records the op. Gradients need the vectors, which a computation of values alone skips. */
    private static boolean isRecorded(Tensor matrices) {
        return Numerics.isRecorded(matrices);
    }
}
