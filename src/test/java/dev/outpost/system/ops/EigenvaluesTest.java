package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.complex.Eigenvalues;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.vocabulary.Ops;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eigenvalues and eigenvectors of any square matrix. */
class EigenvaluesTest {
    private static RemoteMachine machine(String engine) {
        return RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", engine));
    }

    private static double largest(Tensor tensor) {
        return tensor.numel() == 0 ? 0 : tensor.abs().max().itemDouble();
    }

    /** Checks {@code A v = v l} for each vector. */
    private static double residual(Tensor matrices, Eigenvalues.Eig found) {
        ComplexTensor products = ComplexTensor.of(matrices).matmul(found.eigenvectors());
        ComplexTensor scaled = found.eigenvectors().mul(found.eigenvalues().unsqueeze(-2));
        return largest(products.sub(scaled).abs());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void vectorsAreMultipliedByTheirValues(String engine) {
        try (RemoteMachine machine = machine(engine)) {
            for (long n : new long[] {0, 1, 2, 3, 8, 40}) {
                Tensor matrices = machine.randn(new Generator(n), 2, n, n).to(DType.FLOAT64);
                Eigenvalues.Eig found = Eigenvalues.eig(matrices);
                assertEquals(Shape.of(2, n), found.eigenvalues().shape());
                assertEquals(Shape.of(2, n, n), found.eigenvectors().shape());
                assertTrue(residual(matrices, found) < 1e-11 * (n + 1), "residual for " + n);
                Tensor lengths = found.eigenvectors().abs().square().sum(-2);
                assertTrue(largest(lengths.sub(1)) < 1e-12, "lengths for " + n);
                assertArrayEquals(
                        found.eigenvalues().viewAsReal().toDoubleArray(),
                        Eigenvalues.eigvals(matrices).viewAsReal().toDoubleArray(),
                        1e-10);
            }
        }
    }

    @Test
    void enginesFindTheSameVectors() {
        try (RemoteMachine cpu = machine("cpu");
                RemoteMachine reference = machine("reference")) {
            Function<RemoteMachine, Eigenvalues.Eig> find = machine ->
                    Eigenvalues.eig(machine.randn(new Generator(5), 3, 7, 7).to(DType.FLOAT64));
            Eigenvalues.Eig one = find.apply(cpu);
            Eigenvalues.Eig other = find.apply(reference);
            assertArrayEquals(
                    one.eigenvalues().viewAsReal().toDoubleArray(),
                    other.eigenvalues().viewAsReal().toDoubleArray(),
                    1e-11);
            assertArrayEquals(
                    one.eigenvectors().viewAsReal().toDoubleArray(),
                    other.eigenvectors().viewAsReal().toDoubleArray(),
                    1e-10);
        }
    }

    /** A rotation, a Jordan block, a nilpotent matrix, zeros, a matrix whose elements have very different sizes, a cycle. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void specialMatricesHaveTheirValues(String engine) {
        try (RemoteMachine machine = machine(engine)) {
            assertValues(machine, new double[] {0, -1, 1, 0}, 0, -1, 0, 1);
            assertValues(machine, new double[] {2, 1, 0, 2}, 2, 0, 2, 0);
            assertValues(machine, new double[] {0, 0, 0, 0}, 0, 0, 0, 0);
            assertValues(machine, new double[] {0, 1, 0, 0, 0, 1, 0, 0, 0}, 0, 0, 0, 0, 0, 0);
            double root = Math.sqrt(3) / 2;
            assertValues(machine, new double[] {0, 0, 1, 1, 0, 0, 0, 1, 0}, -0.5, -root, -0.5, root, 1, 0);
            assertValues(machine, new double[] {1e-200, 0, 0, 3e200}, 1e-200, 0, 3e200, 0);
        }
    }

    private static void assertValues(RemoteMachine machine, double[] elements, double... pairs) {
        long n = pairs.length / 2;
        double[] found =
                Eigenvalues.eigvals(machine.tensor(elements, n, n)).viewAsReal().toDoubleArray();
        for (int place = 0; place < pairs.length; place++) {
            assertEquals(pairs[place], found[place], 1e-14 * Math.max(1, Math.abs(pairs[place])));
        }
    }

    @Test
    void gradientsAreThoseOfFiniteDifferences() {
        try (RemoteMachine machine = machine("cpu")) {
            double[] elements =
                    machine.randn(new Generator(11), 4, 4).to(DType.FLOAT64).toDoubleArray();
            Function<Tensor, Tensor> ofValues = matrix -> {
                ComplexTensor values = Eigenvalues.eigvals(matrix);
                return values.real().square().sum().add(values.imag().pow(4).sum());
            };
            // The magnitudes of elements, which do not depend on the phase of vectors.
            Function<Tensor, Tensor> ofVectors = matrix -> {
                Tensor sizes = Eigenvalues.eig(matrix).eigenvectors().abs();
                return sizes.pow(3)
                        .mul(machine.arange(16).view(4, 4).to(DType.FLOAT64).cos())
                        .sum();
            };
            for (Function<Tensor, Tensor> function : List.of(ofValues, ofVectors)) {
                Tensor matrix = machine.tensor(elements, 4, 4).requiresGrad(true);
                function.apply(matrix).backward();
                double[] gradient = matrix.grad().toDoubleArray();
                for (int place = 0; place < elements.length; place++) {
                    double[] up = elements.clone();
                    double[] down = elements.clone();
                    up[place] += 1e-6;
                    down[place] -= 1e-6;
                    double slope = (function.apply(machine.tensor(up, 4, 4)).itemDouble()
                                    - function.apply(machine.tensor(down, 4, 4)).itemDouble())
                            / 2e-6;
                    assertEquals(slope, gradient[place], 1e-6 * Math.max(1, Math.abs(slope)));
                }
            }
        }
    }

    @Test
    void theTableAnswersPairs() {
        try (RemoteMachine machine = machine("cpu")) {
            Tensor matrix = machine.tensor(new float[] {0, -2, 2, 0}, 2, 2);
            List<Tensor> found = Ops.call("linalg.eig", List.of(matrix), Map.of());
            assertArrayEquals(new double[] {0, -2, 0, 2}, found.get(0).toDoubleArray(), 1e-6);
            assertEquals(Shape.of(2, 2, 2), found.get(1).shape());
            assertArrayEquals(
                    new double[] {0, -2, 0, 2},
                    Ops.call("linalg.eigvals", List.of(matrix), Map.of())
                            .getFirst()
                            .toDoubleArray(),
                    1e-6);
        }
    }

    @Test
    void aMatrixThatIsNotFiniteIsRefused() {
        try (RemoteMachine machine = machine("cpu")) {
            Tensor values = Eigenvalues.eigvals(machine.tensor(new float[] {1, Float.NaN, 0, 1}, 2, 2))
                    .viewAsReal();
            OutpostException refusal = assertThrows(OutpostException.class, values::toDoubleArray);
            assertTrue(
                    refusal.getMessage().startsWith("eig: the matrix has an infinity or a NaN"), refusal.getMessage());
            OpException shape = assertThrows(OpException.class, () -> Eigenvalues.eig(machine.zeros(2, 3)));
            assertTrue(shape.getMessage().startsWith("eig: "), shape.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void zeroAndTinyMatricesHaveVectors(String engine) {
        try (RemoteMachine machine = machine(engine)) {
            Tensor some = machine.randn(new Generator(3), 4, 4).to(DType.FLOAT64);
            for (double scale : new double[] {0, 1e-300, 1e-200, 1e200}) {
                Tensor matrices = some.mul(scale);
                Eigenvalues.Eig found = Eigenvalues.eig(matrices);
                Tensor lengths = found.eigenvectors().abs().square().sum(-2);
                assertTrue(largest(lengths.sub(1)) < 1e-12, "lengths at " + scale);
                assertTrue(residual(matrices, found) <= 1e-12 * scale, "residual at " + scale);
                Linalg.Eigh symmetric = Linalg.eigh(matrices.add(matrices.mT()), false);
                Tensor vectors = symmetric.eigenvectors();
                assertTrue(
                        largest(vectors.mT().matmul(vectors).sub(machine.eye(4).float64())) < 1e-12);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void complexMatrices(String engine) {
        try (RemoteMachine machine = machine(engine)) {
            for (long n : new long[] {1, 2, 3, 8}) {
                ComplexTensor matrices = ComplexTensor.complex(
                        machine.randn(new Generator(n), 2, n, n).to(DType.FLOAT64),
                        machine.randn(new Generator(n + 9), 2, n, n).to(DType.FLOAT64));
                Eigenvalues.Eig found = Eigenvalues.eig(matrices);
                assertEquals(Shape.of(2, n), found.eigenvalues().shape());
                ComplexTensor products = matrices.matmul(found.eigenvectors());
                ComplexTensor scaled =
                        found.eigenvectors().mul(found.eigenvalues().unsqueeze(-2));
                assertTrue(largest(products.sub(scaled).abs()) < 1e-10 * n, "residual for " + n);
                assertTrue(largest(found.eigenvectors().abs().square().sum(-2).sub(1)) < 1e-11);
                assertArrayEquals(
                        found.eigenvalues().viewAsReal().toDoubleArray(),
                        Eigenvalues.eigvals(matrices).viewAsReal().toDoubleArray(),
                        1e-10);
            }
        }
    }

    /** By PyTorch 2.7. */
    @Test
    void valuesOfOneComplexMatrix() {
        try (RemoteMachine machine = machine("cpu")) {
            Tensor pairs = machine.tensor(new double[] {1, 0.3, 2, -1, 0.5, 0.7, -1, 0.2}, 2, 2, 2);
            ComplexTensor matrix = ComplexTensor.viewAsComplex(pairs);
            assertArrayEquals(
                    new double[] {-1.66948971, -0.04949271, 1.66948971, 0.54949271},
                    Ops.call("linalg.eigvals", List.of(matrix), Map.of())
                            .getFirst()
                            .toDoubleArray(),
                    1e-8);
            assertArrayEquals(
                    new double[] {
                        3.7329271721491613,
                        2.03336842622792,
                        3.389411863757049,
                        -0.24125094882825468,
                        0.2950400723801598,
                        1.2735014512979832,
                        0.9830355009342306,
                        0.7302029462608566
                    },
                    Ops.call("matrix_exp", List.of(matrix), Map.of()).getFirst().toDoubleArray(),
                    1e-12);
        }
    }
}
