package dev.outpost.runtime.engine.factorization;

import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import java.util.Arrays;

/** Factors batches of matrices. */
public final class Factorizations {
    /** The work on a part of a batch. */
    @FunctionalInterface
    public interface Range {
        void run(int from, int to);
    }

    /** Divides the work on a batch among threads. */
    @FunctionalInterface
    public interface Sharing {
        /** Runs parts of the range 0 to {@code count}, each at least {@code grain} long. */
        void run(int count, int grain, Range range);
    }

    /** Processes the matrix with a number. */
    @FunctionalInterface
    private interface Each {
        void run(int number);
    }

    /** The number of multiplications that justifies a separate thread. */
    private static final double GRAIN = 64 << 10;

    private final Routines routines;
    private final Sharing sharing;
    private final Decompositions decompositions;

    public Factorizations(Routines routines, Sharing sharing) {
        this.routines = routines;
        this.sharing = sharing;
        decompositions = new Decompositions(routines);
    }

    public void run(Factorization op, Array[] in, Array[] out) {
        if (Arrays.stream(out).allMatch(result -> result.shape().isEmpty())) {
            return;
        }
        switch (op) {
            case Cholesky cholesky -> cholesky(cholesky, in[0], out[0], out[1]);
            case LuFactor lu -> lu(lu, in[0], out);
            case PivotOrder order -> PivotOrders.run(order, in[0], out[0]);
            case TriangularSolve solve -> solve(solve, in[0], in[1], out[0]);
            case Qr qr -> each(in[0], (operands, number) -> decompositions.qr(qr, operands, out, number));
            case Eigh eigh ->
                refusing(eigh, in[0], (operands, number) -> decompositions.eigh(eigh, operands, out, number));
            case Eig eig -> refusing(eig, in[0], (operands, number) -> decompositions.eig(eig, operands, out, number));
            case Ldl ldl -> ldl(in[0], out);
            case LdlSolve solve -> solve(solve, in, out[0]);
            case Svd svd -> refusing(svd, in[0], (operands, number) -> decompositions.svd(svd, operands, out, number));
        }
    }

    /** @param multiplications the approximate number for each matrix */
    private void each(int count, double multiplications, Each each) {
        int grain = (int) Math.clamp(GRAIN / Math.max(multiplications, 1), 1, Integer.MAX_VALUE);
        sharing.run(count, grain, (from, to) -> {
            for (int number = from; number < to; number++) {
                each.run(number);
            }
        });
    }

    /** The work on a matrix of a batch. */
    @FunctionalInterface
    private interface Step {
        void run(MatrixBatch operands, int number);
    }

    /** A {@link Step} that may refuse the matrix. Returns the fault, or 0. */
    @FunctionalInterface
    private interface RefusingStep {
        int run(MatrixBatch operands, int number);
    }

    private void each(Array in, Step step) {
        MatrixBatch operands = MatrixBatch.ofMatrices(in);
        double elements = (double) in.shape().elements() / Math.max(1, operands.count());
        each(operands.count(), elements * operands.length(), number -> step.run(operands, number));
    }

    private void refusing(Op op, Array in, RefusingStep step) {
        int[] faults = new int[MatrixBatch.ofMatrices(in).count()];
        each(in, (operands, number) -> faults[number] = step.run(operands, number));
        SingularMatrixErrors.refuse(op, MatrixBatch.ofMatrices(in).shape(), faults, Decompositions::problem);
    }

    private static void store(int[] numbers, Array result) {
        int first = (int) result.layout().offset();
        System.arraycopy(numbers, 0, ((HeapBuffer) result.buffer()).ints(), first, numbers.length);
    }

    // ---- Cholesky

    private void cholesky(Cholesky op, Array a, Array l, Array info) {
        MatrixBatch operands = MatrixBatch.ofMatrices(a);
        MatrixBatch results = MatrixBatch.ofMatrices(l);
        int[] minors = new int[operands.count()];
        each(minors.length, Math.pow(operands.length(), 3), number -> {
            MatrixView result = results.matrix(number);
            minors[number] = cholesky(operands.matrix(number), result);
            if (minors[number] != 0) {
                result.fill(Double.NaN);
            }
        });
        store(minors, info);
        if (op.checked()) {
            SingularMatrixErrors.refuse(
                    op,
                    operands.shape(),
                    minors,
                    minor -> "is not positive definite, its leading minor of order " + minor
                            + " is not; add a small number to its diagonal, or let choleskyEx find such matrices");
        }
    }

    private int cholesky(MatrixView a, MatrixView result) {
        int broken = a.firstNotFiniteBelow();
        return broken < a.rows() ? broken + 1 : a.rows() == 0 ? 0 : routines.cholesky(a, result);
    }

    // ---- LU

    private void lu(LuFactor op, Array a, Array[] out) {
        MatrixBatch operands = MatrixBatch.ofMatrices(a);
        MatrixBatch results = MatrixBatch.ofMatrices(out[0]);
        MatrixBatch exchanges = MatrixBatch.ofVectors(out[1]);
        int steps = exchanges.length();
        int[] zeros = new int[operands.count()];
        double elements = (double) out[0].shape().elements() / zeros.length;
        each(zeros.length, elements * steps, number -> {
            if (steps > 0) {
                int[] pivots = new int[steps];
                zeros[number] = lu(operands.matrix(number), results.matrix(number), pivots);
                System.arraycopy(pivots, 0, exchanges.buffer().ints(), exchanges.offset(number), steps);
            }
        });
        store(zeros, out[2]);
        if (op.checked()) {
            SingularMatrixErrors.refuse(
                    op,
                    operands.shape(),
                    zeros,
                    zero -> "is singular, element " + zero + " of U's diagonal is zero; pinv and lstsq accept it,"
                            + " and luFactorEx finds the singular matrices");
        }
    }

    private int lu(MatrixView a, MatrixView result, int[] pivots) {
        if (!a.isFinite()) {
            result.fill(Double.NaN);
            Arrays.setAll(pivots, step -> step + 1);
            return 0;
        }
        routines.lu(a, result, pivots);
        for (int step = 0; step < pivots.length; step++) {
            if (result.get(step, step) == 0) {
                return step + 1;
            }
        }
        return 0;
    }

    // ---- symmetric matrices

    private void ldl(Array a, Array[] out) {
        MatrixBatch operands = MatrixBatch.ofMatrices(a);
        MatrixBatch results = MatrixBatch.ofMatrices(out[0]);
        MatrixBatch exchanges = MatrixBatch.ofVectors(out[1]);
        int[] zeros = new int[operands.count()];
        each(zeros.length, Math.pow(operands.length(), 3), number -> {
            int[] chosen = new int[exchanges.length()];
            zeros[number] = ldl(operands.matrix(number), results.matrix(number), chosen);
            System.arraycopy(chosen, 0, exchanges.buffer().ints(), exchanges.offset(number), chosen.length);
        });
        store(zeros, out[2]);
    }

    private static int ldl(MatrixView a, MatrixView result, int[] exchanges) {
        if (!a.isFiniteBelow()) {
            result.fill(Double.NaN);
            Arrays.setAll(exchanges, step -> step + 1);
            return 0;
        }
        copy(a, result);
        return BunchKaufman.factor(result, exchanges);
    }

    private static void copy(MatrixView from, MatrixView to) {
        for (int row = 0; row < from.rows(); row++) {
            for (int column = 0; column < from.columns(); column++) {
                to.set(row, column, from.get(row, column));
            }
        }
    }

    private void solve(LdlSolve op, Array[] in, Array x) {
        MatrixBatch factors = MatrixBatch.ofMatrices(in[0]);
        MatrixBatch exchanges = MatrixBatch.ofVectors(in[1]);
        MatrixBatch right = MatrixBatch.ofMatrices(in[2]);
        MatrixBatch results = MatrixBatch.ofMatrices(x);
        int[] faults = new int[right.count()];
        each(right.count(), (double) factors.length() * factors.length() * right.length(), number -> {
            int[] chosen = new int[exchanges.length()];
            for (int step = 0; step < chosen.length; step++) {
                chosen[step] = exchanges.buffer().ints()[exchanges.offset(number) + step * exchanges.stride()];
            }
            copy(right.matrix(number), results.matrix(number));
            boolean isSolved = BunchKaufman.solve(factors.matrix(number), chosen, results.matrix(number));
            faults[number] = isSolved ? 0 : 1;
        });
        SingularMatrixErrors.refuse(
                op, right.shape(), faults, fault -> "has exchanges with rows that it does not have");
    }

    // ---- triangles

    private void solve(TriangularSolve op, Array a, Array b, Array x) {
        MatrixBatch triangles = MatrixBatch.ofMatrices(a);
        MatrixBatch right = MatrixBatch.ofMatrices(b);
        MatrixBatch results = MatrixBatch.ofMatrices(x);
        double multiplications = (double) triangles.length() * triangles.length() * right.length();
        each(
                right.count(),
                multiplications,
                number -> routines.solveTriangular(
                        op.upper(), op.unit(), triangles.matrix(number), right.matrix(number), results.matrix(number)));
    }
}
