package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.outpost.autograd.Autograd;
import dev.outpost.linalg.Linalg;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the functions that are composed of factorizations with central differences in float64: the gradient, and the gradient of that.
 */
class LinalgGradientTest {
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-5;
    private static final int SIDE = 3;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    /** Functions of two square matrices. */
    private static Map<String, UnaryOperator<Tensor>> functions() {
        Map<String, UnaryOperator<Tensor>> functions = new TreeMap<>();
        functions.put("solve", x -> Linalg.solve(x, right(2)));
        functions.put("solve on the right", x -> Linalg.solve(heavy(), x.square()));
        functions.put("solve from the other side", x -> Linalg.solve(x, right(SIDE), false));
        functions.put("solve for vectors", x -> Linalg.solve(x, right(1).squeeze(-1)));
        functions.put("solve, one matrix for all", x -> Linalg.solve(x.select(0, 0), right(2)));
        functions.put("inv", Linalg::inv);
        functions.put("det", Linalg::det);
        functions.put("slogdet", x -> Linalg.slogdet(x).logabsdet());
        functions.put("logdet", x -> Linalg.logdet(x.matmul(x.mT())));
        functions.put("matrix_power", x -> x.matrixPower(-3));
        functions.put("lu_solve", x -> luSolve(x, true, false));
        functions.put("lu_solve adjoint", x -> luSolve(x, true, true));
        functions.put("lu_solve from the other side", x -> luSolve(x, false, false));
        functions.put("lu", x -> {
            Linalg.Lu factors = Linalg.lu(x.narrow(-1, 0, 2));
            return factors.l().sum().add(factors.u().square().sum());
        });
        functions.put("cholesky", x -> Linalg.cholesky(x.matmul(x.mT()), true));
        functions.put("cholesky_solve", x -> Linalg.choleskySolve(right(2), Linalg.cholesky(x.matmul(x.mT())), false));
        functions.put("cholesky_inverse", x -> Linalg.choleskyInverse(Linalg.cholesky(x.matmul(x.mT()), true), true));
        functions.put("solve_triangular", x -> Linalg.solveTriangular(x, x.mT(), true, false, true));
        functions.put("qr", x -> Linalg.qr(x).q().add(Linalg.qrTriangle(x)));
        functions.put(
                "householder_product",
                x -> Linalg.householderProduct(
                        x.narrow(-1, 0, 2), x.select(-1, 2).narrow(-1, 0, 2)));
        functions.put("ormqr", x -> Linalg.ormqr(x, x.select(-1, 1), right(2), true, true));
        functions.put("eigvalsh", x -> Linalg.eigvalsh(x.add(x.mT())));
        functions.put("eigh", x -> Linalg.eigh(x.add(x.mT()), true).eigenvectors());
        functions.put("svdvals", Linalg::svdvals);
        functions.put("full svd", x -> Linalg.svd(x, true).vh());
        functions.put("pinv", x -> Linalg.pinv(x.narrow(-1, 0, 2)));
        functions.put("pinv, wide", x -> Linalg.pinv(x.narrow(-2, 0, 2)));
        functions.put("lstsq", x -> Linalg.lstsq(x.narrow(-1, 0, 2), x).solution());
        functions.put(
                "lstsq, residuals", x -> Linalg.lstsq(x.narrow(-1, 0, 2), x).residuals());
        functions.put("cond", Linalg::cond);
        functions.put("cond by sums", x -> Linalg.cond(x, 1));
        functions.put("matrix_norm", x -> Linalg.matrixNorm(x, 2, 0, 2, true));
        functions.put("nuclear_norm", x -> Linalg.nuclearNorm(x, 2, 1, true));
        functions.put("matrix_exp", x -> Linalg.matrixExp(x.mul(3)));
        functions.put("tensorinv", x -> Linalg.tensorinv(x.select(0, 0).unsqueeze(1), 2));
        functions.put(
                "tensorsolve",
                x -> Linalg.tensorsolve(x.select(0, 0), x.select(0, 1).select(0, 1)));
        return functions;
    }

    private static Tensor luSolve(Tensor x, boolean left, boolean adjoint) {
        Linalg.LuFactors factors = Linalg.luFactor(x);
        return Linalg.luSolve(factors.lu(), factors.pivots(), right(SIDE), left, adjoint);
    }

    static Stream<String> names() {
        return functions().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void firstOrder(String name) {
        check(name, x -> weighted(functions().get(name).apply(x), 0));
    }

    @ParameterizedTest
    @MethodSource("names")
    void secondOrder(String name) {
        check(name, x -> {
            Tensor value = weighted(functions().get(name).apply(x), 0);
            return weighted(Autograd.grad(value, List.of(x), null, true, true).getFirst(), 3);
        });
    }

    private static void check(String name, UnaryOperator<Tensor> function) {
        double[] values = values(2 * SIDE * SIDE, 1);
        Tensor x = leaf(values);
        double[] computed = Autograd.grad(function.apply(x), List.of(x), null, false, false)
                .getFirst()
                .toDoubleArray();
        double[] expected = new double[values.length];
        for (int element = 0; element < values.length; element++) {
            double above = function.apply(leaf(moved(values, element, STEP))).itemDouble();
            double below = function.apply(leaf(moved(values, element, -STEP))).itemDouble();
            expected[element] = (above - below) / (2 * STEP);
        }
        double scale = Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElse(0));
        assertArrayEquals(expected, computed, TOLERANCE * scale, name);
    }

    private static double[] moved(double[] values, int element, double by) {
        double[] moved = values.clone();
        moved[element] += by;
        return moved;
    }

    private static Tensor leaf(double[] values) {
        return machine.tensor(values, 2, SIDE, SIDE).requiresGrad(true);
    }

    /** No two of them alike, and rows have to be exchanged. */
    private static double[] values(int count, int salt) {
        double[] values = new double[count];
        Arrays.setAll(values, index -> Math.sin(1.3 * index * index + salt) + (index % 4 == 1 ? 1.5 : 0.1));
        return values;
    }

    private static Tensor right(int columns) {
        return machine.tensor(values(2 * SIDE * columns, 5), 2, SIDE, columns);
    }

    private static Tensor heavy() {
        return machine.tensor(values(2 * SIDE * SIDE, 9), 2, SIDE, SIDE)
                .add(machine.eye(SIDE).float64().mul(4));
    }

    private static Tensor weighted(Tensor result, int salt) {
        double[] weights = new double[(int) result.numel()];
        Arrays.setAll(weights, index -> 0.5 + Math.sin(1.7 * index + salt + 1));
        return result.mul(machine.tensor(weights, result.shape().toArray())).sum();
    }
}
