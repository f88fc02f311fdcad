package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Program;
import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orthogonal factors are orthogonal, their product equals the matrix, and functions that use them are right. */
@Tag("quick")
class OrthogonalFactorsTest extends OpsOnAMachine {
    private static Tensor matrices(DType dtype, long... shape) {
        Tensor positions = machine.arange(Shape.of(shape).elements()).float64().reshape(shape);
        return positions.square().mul(1.3).add(0.4).sin().to(dtype);
    }

    private static void assertNear(Tensor expected, Tensor actual) {
        assertIs(expected.dtype(), expected.shape(), actual);
        Closeness.assertClose(expected.toDoubleArray(), actual);
    }

    private static void assertOrthonormal(Tensor columns) {
        Tensor products = columns.mT().matmul(columns);
        assertNear(machine.eye(columns.size(-1)).to(columns.dtype()).expand(products.shape()), products);
    }

    private static long[] sizes(String text) {
        return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    private static void assertFault(FaultKind kind, String message, Executable look) {
        RemoteException fault = assertThrows(RemoteException.class, look);
        assertEquals(kind, fault.kind());
        assertTrue(fault.getMessage().startsWith(message), fault.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 4", "2 5 3", "3 5", "1 1", "2 1 4", "60 50", "4 1"})
    void qr(String sizes) {
        Tensor a = matrices(DType.FLOAT64, sizes(sizes));
        for (boolean complete : new boolean[] {false, true}) {
            Linalg.Qr factors = Linalg.qr(a, complete);
            assertNear(a, factors.q().matmul(factors.r()));
            assertNear(factors.r().triu(), factors.r());
            assertOrthonormal(factors.q());
        }
        assertNear(Linalg.qr(a).r(), Linalg.qrTriangle(a));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void reflections(DType dtype) {
        Tensor a = matrices(dtype, 2, 5, 3);
        Linalg.Reflections reflections = Linalg.geqrf(a);
        assertNear(Linalg.qr(a).q(), Linalg.householderProduct(reflections.a(), reflections.tau()));
        Tensor q = Linalg.qr(a, true).q();
        Tensor other = matrices(dtype, 2, 5, 2);
        assertNear(q.matmul(other), Linalg.ormqr(reflections.a(), reflections.tau(), other, true, false));
        assertNear(q.mT().matmul(other), Linalg.ormqr(reflections.a(), reflections.tau(), other, true, true));
        assertNear(other.mT().matmul(q), Linalg.ormqr(reflections.a(), reflections.tau(), other.mT(), false, false));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void eigenvalues(DType dtype) {
        Tensor half = matrices(dtype, 2, 3, 6, 6);
        Tensor a = half.add(half.mT());
        Linalg.Eigh result = Linalg.eigh(a.tril());
        Tensor vectors = result.eigenvectors();
        assertNear(a, vectors.mul(result.eigenvalues().unsqueeze(-2)).matmul(vectors.mT()));
        assertOrthonormal(vectors);
        assertTrue(result.eigenvalues().diff().ge(0).all().toBooleanArray()[0]);
        assertNear(result.eigenvalues(), Linalg.eigvalsh(a.triu(), true));
        assertNear(vectors, Linalg.eigh(a.triu(), true).eigenvectors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 4", "2 5 3", "3 5", "1 1", "2 1 4", "60 50", "4 1"})
    void singularValues(String sizes) {
        Tensor a = matrices(DType.FLOAT64, sizes(sizes));
        for (boolean full : new boolean[] {false, true}) {
            Linalg.Svd result = Linalg.svd(a, full);
            long min = result.s().size(-1);
            assertNear(
                    a,
                    result.u()
                            .narrow(-1, 0, min)
                            .mul(result.s().unsqueeze(-2))
                            .matmul(result.vh().narrow(-2, 0, min)));
            assertOrthonormal(result.u());
            assertOrthonormal(result.vh().mT());
        }
        assertNear(Linalg.svd(a).s(), Linalg.svdvals(a));
    }

    /** The first large element is positive, whatever signs a library chooses. */
    @Test
    void signsAreChosen() {
        Linalg.Eigh result = Linalg.eigh(doubles(2, -1, -1, 2).view(2, 2));
        double half = Math.sqrt(0.5);
        assertValues(result.eigenvectors(), half, half, half, -half);
        Linalg.Svd svd = Linalg.svd(doubles(0, -3, 2, 0).view(2, 2));
        assertValues(svd.u(), 1, 0, 0, 1);
        assertValues(svd.vh(), 0, -1, 1, 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void singularMatricesToo(DType dtype) {
        Tensor a = matrices(dtype, 5, 2).matmul(matrices(dtype, 2, 4));
        Linalg.Svd result = Linalg.svd(a, true);
        assertOrthonormal(result.u());
        assertEquals(2, Linalg.matrixRank(a).itemLong());
        Tensor inverse = Linalg.pinv(a);
        assertNear(a, a.matmul(inverse).matmul(a));
        assertNear(inverse, inverse.matmul(a).matmul(inverse));
        Tensor symmetric = a.matmul(a.mT());
        assertEquals(
                2,
                Linalg.matrixRank(symmetric, null, machine.scalar(1e-4).to(dtype), true)
                        .itemLong());
        assertEquals(
                0,
                Linalg.matrixRank(a, machine.scalar(100.0).to(dtype), null, false)
                        .itemLong());
        assertOrthonormal(Linalg.svd(machine.zeros(dtype, 3, 2)).u());
    }

    @Test
    void leastSquares() {
        Tensor a = matrices(DType.FLOAT64, 2, 6, 3);
        Tensor x = matrices(DType.FLOAT64, 2, 3, 2);
        Tensor beside = Linalg.qr(a, true).q().narrow(-1, 3, 2);
        Linalg.LeastSquares result = Linalg.lstsq(a, a.matmul(x).add(beside.mul(2)));
        assertNear(x, result.solution());
        assertValues(result.residuals(), 4, 4, 4, 4);
        assertValues(result.rank().float64(), 3, 3);
        assertNear(Linalg.svdvals(a), result.singularValues());
        Tensor vectors = Linalg.lstsq(a, a.matmul(x).select(-1, 0)).solution();
        assertNear(x.select(-1, 0), vectors);
    }

    @Test
    void norms() {
        Tensor a = doubles(1, -2, 3, 4, 0, -6).view(2, 3);
        assertValues(Linalg.matrixNorm(a, INF), 10);
        assertValues(Linalg.matrixNorm(a, -INF), 6);
        assertValues(Linalg.matrixNorm(a, 1), 9);
        assertValues(Linalg.matrixNorm(a, -1), 2);
        Tensor diagonal = doubles(3, 0, 0, -5).view(2, 2);
        assertValues(Linalg.matrixNorm(diagonal, 2), 5);
        assertValues(Linalg.matrixNorm(diagonal, -2), 3);
        assertValues(Linalg.nuclearNorm(diagonal), 8);
        assertValues(Linalg.cond(diagonal), 5.0 / 3);
        assertValues(Linalg.cond(diagonal, -2), 0.6);
        assertValues(Linalg.cond(diagonal, INF), 5.0 / 3);
        assertIs(DType.FLOAT64, Shape.of(1, 4, 1), Linalg.matrixNorm(matrices(DType.FLOAT64, 2, 4, 3), 2, 2, 0, true));
        assertRefused(
                "matrix_norm: order must be 1, 2 or infinity, or less than 0 for the smallest, got 3.0",
                () -> Linalg.matrixNorm(a, 3));
        assertRefused(
                "matrix_norm: two dimensions are needed, got 0 and -2", () -> Linalg.matrixNorm(a, 2, 0, -2, false));
    }

    @Test
    void tensorsAsMatrices() {
        Tensor a = matrices(DType.FLOAT64, 2, 3, 6);
        Tensor b = matrices(DType.FLOAT64, 2, 3);
        Tensor x = Linalg.tensorsolve(a, b);
        assertNear(b, a.tensordot(x, 1));
        assertNear(x, Linalg.tensorinv(a, 2).tensordot(b, 2));
        assertNear(x, Linalg.tensorsolve(a.movedim(2, 0), b, 0));
        assertRefused(
                "tensorinv: must be a square matrix, got [2] by [3, 6] of [2, 3, 6]", () -> Linalg.tensorinv(a, 1));
        assertRefused(
                "tensorinv: must keep a dimension on each side, got 3 of [2, 3, 6]", () -> Linalg.tensorinv(a, 3));
    }

    @Test
    void emptyMatricesAreAccepted() {
        assertIs(DType.FLOAT32, Shape.of(3, 0), Linalg.qr(machine.zeros(3, 0)).q());
        assertNear(machine.eye(3), Linalg.qr(machine.zeros(3, 0), true).q());
        assertNear(machine.eye(3), Linalg.svd(machine.zeros(0, 3), true).vh());
        assertIs(DType.FLOAT32, Shape.of(2, 0), Linalg.eigvalsh(machine.zeros(2, 0, 0)));
        assertIs(DType.FLOAT32, Shape.of(0, 3), Linalg.pinv(machine.zeros(3, 0)));
        assertEquals(0, Linalg.matrixRank(machine.zeros(3, 0)).itemLong());
    }

    @Test
    void nonFiniteMatrixIsRefusedOrStaysNonFinite() {
        Tensor broken = doubles(1, 2, 3, NAN, 5, 6, 7, 8).view(2, 2, 2);
        assertFault(
                FaultKind.USER,
                "svd: matrix [0] of the batch has an infinity or a NaN; check the values that it was computed from",
                () -> Linalg.svdvals(broken).toDoubleArray());
        assertFault(
                FaultKind.USER,
                "eigh: the matrix has an infinity or a NaN",
                () -> Linalg.eigh(doubles(1, 0, INF, 1).view(2, 2))
                        .eigenvectors()
                        .toDoubleArray());
        assertValues(Linalg.eigvalsh(doubles(1, INF, 0, 1).view(2, 2)), 1, 1);
        assertTrue(Linalg.qr(broken).q().select(0, 0).isnan().all().toBooleanArray()[0]);
        assertTrue(Linalg.qr(broken).q().select(0, 1).isfinite().all().toBooleanArray()[0]);
    }

    @Test
    void missingGradientIsRefused() {
        Tensor tall = matrices(DType.FLOAT64, 3, 2).requiresGrad(true);
        assertRefused(
                "backward: qr has no gradient where a complete Q has columns that A does not give; take the reduced one",
                () -> Linalg.qr(tall, true).r().sum().backward());
        assertRefused(
                "backward: geqrf has no gradient; qr has",
                () -> Linalg.geqrf(tall).tau().sum().backward());
    }

    @Test
    void programs() {
        Program program = machine.program(in -> List.of(
                Linalg.pinv(in.getFirst()),
                Linalg.svdvals(in.getFirst()),
                Linalg.qr(in.getFirst()).r()));
        for (int call = 1; call < 4; call++) {
            Tensor a = matrices(DType.FLOAT64, 4, 3).mul(call);
            List<Tensor> results = program.call(a);
            assertNear(Linalg.pinv(a), results.get(0));
            assertNear(Linalg.svdvals(a), results.get(1));
            assertNear(Linalg.qrTriangle(a), results.get(2));
        }
    }
}
