package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.linalg.Linalg;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The product of factors equals the matrix, and solutions satisfy their equations. */
@Tag("quick")
class LinalgTest extends OpsOnAMachine {
    /** All elements differ, and rows have to be exchanged. */
    private static Tensor matrices(DType dtype, long... shape) {
        Tensor positions = machine.arange(Shape.of(shape).elements()).float64().reshape(shape);
        return positions.square().mul(1.3).add(0.4).sin().to(dtype);
    }

    private static Tensor positive(DType dtype, long... shape) {
        Tensor matrices = matrices(dtype, shape);
        long side = shape[shape.length - 1];
        return matrices.matmul(matrices.mT()).add(machine.eye(side).to(dtype).mul(0.5));
    }

    private static void assertNear(Tensor expected, Tensor actual) {
        assertIs(expected.dtype(), expected.shape(), actual);
        Closeness.assertClose(expected.toDoubleArray(), actual);
    }

    private static void assertFault(String message, Executable look) {
        RemoteException fault = assertThrows(RemoteException.class, look);
        assertEquals(FaultKind.USER, fault.kind());
        assertTrue(fault.getMessage().startsWith(message), fault.getMessage());
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void choleskysTriangles(DType dtype) {
        Tensor a = positive(dtype, 2, 3, 4, 4);
        Tensor lower = Linalg.cholesky(a);
        assertNear(a, lower.matmul(lower.mT()));
        assertNear(lower, lower.tril());
        Tensor upper = Linalg.cholesky(a.triu(), true);
        assertNear(lower.mT(), upper);
        Tensor b = matrices(dtype, 3, 4, 2);
        Tensor x = Linalg.choleskySolve(b, lower, false);
        assertNear(b.expand(2, 3, 4, 2), a.matmul(x));
        assertNear(x, Linalg.choleskySolve(b, upper, true));
        assertNear(machine.eye(4).to(dtype).expand(2, 3, 4, 4), a.matmul(Linalg.choleskyInverse(lower, false)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 4", "2 5 3", "3 5", "1 1", "2 1 4", "70 50"})
    void lowerAndUpper(String sizes) {
        long[] shape = java.util.Arrays.stream(sizes.split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        Tensor a = matrices(DType.FLOAT64, shape);
        Linalg.Lu lu = Linalg.lu(a);
        assertNear(a, lu.p().matmul(lu.l()).matmul(lu.u()));
        Linalg.LuFactors factors = Linalg.luFactor(a);
        assertNear(lu.u(), Linalg.luUnpack(factors.lu(), factors.pivots()).u());
        assertTrue(lu.l().abs().max().itemDouble() <= 1, "a pivot is the largest of its column");
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void systems(DType dtype) {
        Tensor a = matrices(dtype, 2, 1, 4, 4);
        Tensor b = matrices(dtype, 3, 4, 2);
        assertNear(b.expand(2, 3, 4, 2), a.matmul(Linalg.solve(a, b)));
        Tensor rows = matrices(dtype, 3, 2, 4);
        assertNear(rows.expand(2, 3, 2, 4), Linalg.solve(a, rows, false).matmul(a));
        Tensor vectors = matrices(dtype, 2, 1, 4);
        assertNear(vectors, a.matmul(Linalg.solve(a, vectors).unsqueeze(-1)).squeeze(-1));
        assertNear(machine.eye(4).to(dtype).expand(2, 1, 4, 4), a.matmul(Linalg.inv(a)));
        Linalg.LuFactors factors = Linalg.luFactor(a);
        assertNear(Linalg.solve(a.mT(), b), Linalg.luSolve(factors.lu(), factors.pivots(), b, true, true));
        assertNear(Linalg.solve(a, rows, false), Linalg.luSolve(factors.lu(), factors.pivots(), rows, false, false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void triangles(boolean upper) {
        Tensor a = positive(DType.FLOAT64, 2, 4, 4);
        Tensor triangle = upper ? a.triu() : a.tril();
        Tensor b = matrices(DType.FLOAT64, 4, 3);
        assertNear(b.expand(2, 4, 3), triangle.matmul(Linalg.solveTriangular(a, b, upper)));
        Tensor rows = matrices(DType.FLOAT64, 2, 3, 4);
        assertNear(rows, Linalg.solveTriangular(a, rows, upper, false, false).matmul(triangle));
        Tensor unit = (upper ? a.triu(1) : a.tril(-1)).add(machine.eye(4).float64());
        assertNear(b.expand(2, 4, 3), unit.matmul(Linalg.solveTriangular(a, b, upper, true, true)));
    }

    @Test
    void determinants() {
        Tensor a = doubles(0, 2, 3, 4, 5, 6, 7, 8, 10).view(3, 3);
        assertValues(Linalg.det(a), -5);
        assertValues(Linalg.slogdet(a).sign(), -1);
        assertValues(Linalg.slogdet(a).logabsdet(), Math.log(5));
        assertValues(Linalg.logdet(a), NAN);
        assertValues(Linalg.det(doubles(1, 2, 2, 4).view(2, 2)), 0);
        assertValues(Linalg.slogdet(doubles(1, 2, 2, 4).view(2, 2)).logabsdet(), -INF);
        assertValues(Linalg.det(machine.zeros(DType.FLOAT64, 2, 0, 0)), 1, 1);
        assertValues(machine.eye(2).float64().mul(2).matrixPower(-3).diagonal(), 0.125, 0.125);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void exponentials(DType dtype) {
        Tensor turn = doubles(0, -1, 1, 0).view(2, 2).to(dtype);
        Tensor angles = doubles(0.5, 30, 1000).view(3, 1, 1).to(dtype);
        for (int number = 0; number < 3; number++) {
            Tensor angle = angles.select(0, number);
            Tensor expected = Tensors.cat(angle.cos(), angle.sin().neg(), angle.sin(), angle.cos());
            double steps = dtype == DType.FLOAT32 ? 1e-3 : 1e-10;
            Tensor error = Linalg.matrixExp(turn.mul(angle))
                    .sub(expected.view(2, 2))
                    .abs()
                    .max();
            assertTrue(error.itemDouble() < steps, "turned by " + angle);
        }
        assertNear(machine.eye(2).to(dtype), Linalg.matrixExp(machine.zeros(dtype, 2, 2)));
        assertValues(Linalg.matrixExp(doubles(-1e6).view(1, 1).to(dtype)), 0);
        assertValues(Linalg.matrixExp(doubles(NAN).view(1, 1).to(dtype)), NAN);
        assertIs(dtype, Shape.of(2, 0, 0), Linalg.matrixExp(machine.zeros(dtype, 2, 0, 0)));
    }

    /** The cofactors, of a matrix without an inverse. */
    @Test
    void aSingularMatrixHasAGradient() {
        assertValues(slope(x -> Linalg.det(x.view(2, 2)), 1, 2, 2, 4), 4, -2, -2, 1);
        assertValues(slope(x -> Linalg.det(x.view(2, 2)), 0, 0, 0, 3), 3, 0, 0, 0);
        assertValues(slope(x -> Linalg.det(x.view(3, 3)), 1, 0, 0, 0, 0, 0, 0, 0, 0), new double[9]);
    }

    @Test
    void emptyMatricesAreAccepted() {
        assertIs(DType.FLOAT32, Shape.of(0, 3, 3), Linalg.cholesky(machine.zeros(0, 3, 3)));
        assertEquals(
                "[0, 0]",
                java.util.Arrays.toString(
                        Linalg.choleskyEx(machine.zeros(2, 0, 0), false).info().toIntArray()));
        assertIs(DType.FLOAT32, Shape.of(3, 0), Linalg.lu(machine.zeros(3, 0)).l());
        assertArrayEquals(
                new float[] {1, 0, 0, 1}, Linalg.lu(machine.zeros(2, 0)).p().toFloatArray());
        assertIs(DType.FLOAT32, Shape.of(2, 0, 4), Linalg.solve(machine.zeros(2, 0, 0), machine.zeros(2, 0, 4)));
        assertIs(DType.FLOAT32, Shape.of(3, 0), Linalg.solveTriangular(machine.eye(3), machine.zeros(3, 0), true));
        assertEquals(0, Linalg.inv(machine.zeros(0, 2, 2)).toFloatArray().length);
    }

    @Test
    void mismatchedShapesAreRefusedAtTheCall() {
        assertRefused("cholesky: matrices must be square, got float32[2,3]", () -> Linalg.cholesky(machine.ones(2, 3)));
        assertRefused("inv: needs at least 2 dimensions, got float32[3]", () -> Linalg.inv(machine.ones(3)));
        assertRefused(
                "det: needs float32 or float64, got int64[2,2]; cast it first, as with to(DType.FLOAT32)",
                () -> Linalg.det(longs(1, 2, 3, 4).view(2, 2)));
        assertRefused(
                "lu_factor: needs float32 or float64, got float16[2,2]; cast it first, as with to(DType.FLOAT32)",
                () -> Linalg.luFactor(machine.ones(2, 2).to(DType.FLOAT16)));
        assertRefused(
                "solve: inner dimensions differ, got [2, 2] and [3, 1]",
                () -> Linalg.solve(machine.ones(2, 2), machine.ones(3, 1)));
        assertRefused(
                "solve: dtypes differ, got float32 and float64; cast the float32 one with to(DType.FLOAT64)",
                () -> Linalg.solve(machine.ones(2, 2), doubles(1, 2)));
        assertRefused(
                "solve: shapes do not broadcast, got [2] and [3]",
                () -> Linalg.solve(machine.ones(2, 2, 2), machine.ones(3, 2, 1)));
        assertRefused(
                "solve: vectors stand on the right only, got [2, 2] and [2]",
                () -> Linalg.solve(machine.ones(2, 2), machine.ones(2), false));
        assertRefused(
                "lu_solve: the pivots must be int32, got int64; cast with to(DType.INT32)",
                () -> Linalg.luSolve(machine.ones(2, 2), longs(1, 2), machine.ones(2, 1)));
    }

    @Test
    void aMatrixThatCannotBeFactoredIsNamed() {
        Tensor a = positive(DType.FLOAT64, 2, 3, 2, 2);
        a.select(0, 1).select(0, 2).select(0, 1).select(0, 1).fill_(-1);
        Tensor before = a.add(1);
        assertFault(
                "cholesky: matrix [1, 2] of the batch is not positive definite, its leading minor of order 2 is not",
                () -> Linalg.cholesky(a).toDoubleArray());
        assertEquals(24, before.toDoubleArray().length);
        Linalg.Checked checked = Linalg.choleskyEx(a, false);
        assertArrayEquals(new int[] {0, 0, 0, 0, 0, 2}, checked.info().toIntArray());
        assertValues(checked.result().select(0, 1).select(0, 2), NAN, NAN, NAN, NAN);
        assertFault(
                "cholesky: the matrix is not positive definite, its leading minor of order 1 is not",
                () -> Linalg.cholesky(doubles(NAN).view(1, 1)).toDoubleArray());
    }

    @Test
    void aSingularMatrixIsNamed() {
        Tensor singular = doubles(1, 2, 2, 4).view(2, 2);
        String message = "lu_factor: the matrix is singular, element 2 of U's diagonal is zero";
        assertFault(message, () -> Linalg.inv(singular).toDoubleArray());
        assertFault(message, () -> Linalg.solve(singular, doubles(1, 2)).toDoubleArray());
        assertFault(message, () -> Linalg.luFactor(singular).lu().toDoubleArray());
        assertEquals(2, Linalg.luFactorEx(singular).info().itemLong());
        assertEquals(2, Linalg.invEx(singular).info().itemLong());
        assertEquals(2, Linalg.solveEx(singular, doubles(1, 2)).info().itemLong());
        assertFault(
                "lu_factor: matrix [1] of the batch is singular",
                () -> Linalg.inv(machine.zeros(DType.FLOAT64, 2, 3, 3)
                                .add(doubles(1, 0).view(2, 1, 1).mul(machine.eye(3))))
                        .toDoubleArray());
    }

    @Test
    void pivotsThatAreNoRowsAreRefused() {
        Tensor lu = machine.eye(2);
        assertFault(
                "pivot_order: pivots are numbers of rows, from 1 to 2, got 3 in step 1",
                () -> Linalg.luSolve(lu, longs(1, 3).int32(), machine.ones(2, 1))
                        .toFloatArray());
        assertFault(
                "pivot_order: pivots are numbers of rows, from 1 to 2, got 0 in step 0",
                () -> Linalg.luUnpack(lu, longs(0, 1).int32()).p().toFloatArray());
    }

    @Test
    void nonFiniteElementsPropagate() {
        Tensor broken = doubles(1, NAN, 3, 4).view(2, 2);
        assertValues(Linalg.inv(broken), NAN, NAN, NAN, NAN);
        assertValues(Linalg.det(broken), NAN);
        assertValues(Linalg.lu(doubles(1, INF, 3, 4).view(2, 2)).u().diagonal(), NAN, NAN);
        assertEquals(0, Linalg.luFactorEx(broken).info().itemLong());
    }

    @Test
    void aFaultNamesTheLine() {
        try (RemoteMachine traced = RemoteMachine.of("mock", "A100", new MachineOptions().traces(true))) {
            Tensor bad = Linalg.cholesky(traced.zeros(2, 2));
            RemoteException fault = assertThrows(RemoteException.class, bad::toFloatArray);
            assertTrue(fault.getMessage().contains("recorded at LinalgTest.java:"), fault.getMessage());
            Tensor good = Linalg.cholesky(traced.eye(2));
            assertArrayEquals(new float[] {1, 0, 0, 1}, good.toFloatArray());
        }
    }

    @Test
    void programsAndScans() {
        Tensor a = positive(DType.FLOAT64, 3, 3);
        Program program = machine.program(in -> List.of(Linalg.solve(a, in.getFirst()), Linalg.det(a)));
        for (int call = 1; call < 4; call++) {
            Tensor b = matrices(DType.FLOAT64, 3, 2).mul(call);
            List<Tensor> results = program.call(b);
            assertNear(Linalg.solve(a, b), results.get(0));
            assertNear(Linalg.det(a), results.get(1));
        }
        Program refusing = machine.program(in -> List.of(Linalg.cholesky(in.getFirst())));
        assertFault(
                "cholesky: the matrix is not",
                () -> refusing.call(machine.zeros(2, 2)).getFirst().toFloatArray());
        assertArrayEquals(
                new float[] {1, 0, 0, 1},
                refusing.call(machine.eye(2)).getFirst().toFloatArray());
    }
}
