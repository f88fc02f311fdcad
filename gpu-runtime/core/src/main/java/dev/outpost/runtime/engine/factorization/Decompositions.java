package dev.outpost.runtime.engine.factorization;

import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Svd;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapAllocation;
import dev.outpost.runtime.memory.HeapBuffer;
import java.util.Arrays;

/** Computes orthogonal factors of one matrix of a batch. */
record Decompositions(Routines routines) {
    /** The faults of a matrix. */
    static final int NOT_FINITE = 1;

    static final int NOT_CONVERGED = 2;

    static String problem(int fault) {
        return fault == NOT_FINITE
                ? "has an infinity or a NaN; check the values that it was computed from"
                : "did not converge; scale it, or take float64";
    }

    // ---- QR

    void qr(Qr op, MatrixBatch operands, Array[] out, int number) {
        MatrixView a = operands.matrix(number);
        int steps = Math.min(a.rows(), a.columns());
        double[] factors = new double[steps];
        MatrixView packed = op.form() == Qr.Form.REFLECTIONS
                ? MatrixBatch.ofMatrices(out[0]).matrix(number)
                : room(a);
        boolean isFinite = a.isFinite();
        if (isFinite && steps > 0) {
            routines.reflections(a, packed, factors);
        } else {
            packed.fill(Double.NaN);
            Arrays.fill(factors, Double.NaN);
        }
        switch (op.form()) {
            case REFLECTIONS -> store(factors, out[1], number);
            case TRIANGLE ->
                storeTriangle(packed, MatrixBatch.ofMatrices(out[0]).matrix(number));
            case REDUCED, COMPLETE -> {
                storeTriangle(packed, MatrixBatch.ofMatrices(out[1]).matrix(number));
                MatrixView q = MatrixBatch.ofMatrices(out[0]).matrix(number);
                if (isFinite) {
                    product(packed, factors, q);
                } else {
                    q.fill(Double.NaN);
                }
            }
        }
    }

    private void product(MatrixView packed, double[] factors, MatrixView q) {
        if (factors.length > 0) {
            routines.product(packed, factors, q);
            return;
        }
        for (int row = 0; row < q.rows(); row++) {
            for (int column = 0; column < q.columns(); column++) {
                q.set(row, column, row == column ? 1 : 0);
            }
        }
    }

    private static MatrixView room(MatrixView like) {
        HeapBuffer buffer = HeapAllocation.allocate(like.elements().dtype(), (long) like.rows() * like.columns());
        return new MatrixView(buffer, 0, like.rows(), like.columns(), like.columns(), 1);
    }

    private static void storeTriangle(MatrixView packed, MatrixView r) {
        for (int row = 0; row < r.rows(); row++) {
            for (int column = 0; column < r.columns(); column++) {
                r.set(row, column, row <= column ? packed.get(row, column) : 0);
            }
        }
    }

    private static void store(double[] numbers, Array out, int number) {
        MatrixBatch vectors = MatrixBatch.ofVectors(out);
        for (int place = 0; place < numbers.length; place++) {
            vectors.buffer().setDouble(vectors.offset(number) + place, numbers[place]);
        }
    }

    // ---- values

    int eigh(Eigh op, MatrixBatch operands, Array[] out, int number) {
        MatrixView a = operands.matrix(number);
        if (!a.isFiniteBelow()) {
            return NOT_FINITE;
        }
        double[] values = new double[a.rows()];
        MatrixView vectors = op.vectors() ? MatrixBatch.ofMatrices(out[1]).matrix(number) : null;
        boolean isConverged = routines.eigenvalues(a, values, vectors);
        if (vectors != null) {
            Signs.choose(vectors, null);
        }
        store(values, out[0], number);
        return isConverged ? 0 : NOT_CONVERGED;
    }

    int eig(Eig op, MatrixBatch operands, Array[] out, int number) {
        MatrixView a = operands.matrix(number);
        if (!a.isFinite()) {
            return NOT_FINITE;
        }
        double[] real = new double[a.rows()];
        double[] imaginary = new double[a.rows()];
        MatrixView packed = op.vectors() ? room(a) : null;
        if (!routines.eigenvalues(a, real, imaginary, packed)) {
            return NOT_CONVERGED;
        }
        int[] order = ComplexVectors.order(real, imaginary);
        if (packed != null) {
            MatrixView reals = MatrixBatch.ofMatrices(out[2]).matrix(number);
            ComplexVectors.store(
                    packed,
                    imaginary,
                    order,
                    reals,
                    MatrixBatch.ofMatrices(out[3]).matrix(number));
        }
        store(Arrays.stream(order).mapToDouble(place -> real[place]).toArray(), out[0], number);
        store(Arrays.stream(order).mapToDouble(place -> imaginary[place]).toArray(), out[1], number);
        return 0;
    }

    int svd(Svd op, MatrixBatch operands, Array[] out, int number) {
        MatrixView a = operands.matrix(number);
        if (!a.isFinite()) {
            return NOT_FINITE;
        }
        boolean hasVectors = op.form() != Svd.Form.VALUES;
        double[] values = new double[Math.min(a.rows(), a.columns())];
        MatrixView u = hasVectors ? MatrixBatch.ofMatrices(out[0]).matrix(number) : null;
        MatrixView vh = hasVectors ? MatrixBatch.ofMatrices(out[2]).matrix(number) : null;
        boolean isConverged = routines.singularValues(a, values, u, vh);
        if (hasVectors) {
            Signs.choose(u, vh);
        }
        store(values, out[hasVectors ? 1 : 0], number);
        return isConverged ? 0 : NOT_CONVERGED;
    }
}
