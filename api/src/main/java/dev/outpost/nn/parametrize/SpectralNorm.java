package dev.outpost.nn.parametrize;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Buffer;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.Parametrization;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides a weight by its largest singular value. A power iteration estimates this value, with some steps at each use
 * while training (Miyato et al., 2018; torch.nn.utils.parametrizations.spectral_norm). The estimates of the singular
 * vectors are the buffers {@code _u} and {@code _v}.
 */
public final class SpectralNorm extends Parametrization {
    private static final int FIRST_ITERATIONS = 15;

    private final int powerIterations;
    private final double eps;
    private final int dim;
    private final @Nullable Buffer left;
    private final @Nullable Buffer right;
    private @Nullable Parameter original;

    /** Creates a parametrization for a weight of this shape; see {@link Parametrizations#spectralNorm}. */
    public SpectralNorm(Shape shape, int powerIterations, double eps, int dim) {
        if (powerIterations < 1) {
            throw new OpException("spectral_norm", "at least one iteration is needed, got " + powerIterations);
        }
        this.powerIterations = powerIterations;
        this.eps = eps;
        this.dim = shape.normalizeDim("spectral_norm", dim);
        if (shape.rank() < 2) {
            left = null;
            right = null;
            return;
        }
        long rows = shape.size(this.dim);
        long columns = rows == 0 ? 0 : shape.elements() / rows;
        left = buffer(
                "_u",
                new Buffer(
                        Shape.of(rows),
                        DType.FLOAT32,
                        (machine, size, dtype) -> first(machine, dtype).left()));
        right = buffer(
                "_v",
                new Buffer(
                        Shape.of(columns),
                        DType.FLOAT32,
                        (machine, size, dtype) -> first(machine, dtype).right()));
    }

    @Override
    protected void attached(List<Parameter> originals) {
        original = originals.getFirst();
    }

    private record Vectors(Tensor left, Tensor right) {
        List<Tensor> tensors() {
            return List.of(left, right);
        }
    }

    /** Returns random vectors, improved by the power iteration. The right vector is computed from the left vector. */
    private Vectors first(RemoteMachine machine, DType dtype) {
        return Scope.tidy(
                () -> {
                    Tensor matrix = matrix(original.tensor().detach());
                    Tensor start = left != null && left.isPlaced()
                            ? left.tensor()
                            : Functional.normalize(machine.randn(dtype, matrix.size(0)), 2, 0, eps);
                    int steps = left != null && left.isPlaced() ? 0 : FIRST_ITERATIONS;
                    Vectors vectors = iterated(matrix, start, steps);
                    return new Vectors(
                            vectors.left.to(dtype).clone(),
                            vectors.right.to(dtype).clone());
                },
                Vectors::tensors);
    }

    private Vectors iterated(Tensor matrix, Tensor start, int steps) {
        Tensor u = start;
        Tensor v = Functional.normalize(matrix.t().mv(u), 2, 0, eps);
        for (int step = 0; step < steps; step++) {
            u = Functional.normalize(matrix.mv(v), 2, 0, eps);
            v = Functional.normalize(matrix.t().mv(u), 2, 0, eps);
        }
        return new Vectors(u, v);
    }

    private Tensor matrix(Tensor weight) {
        List<Integer> order = new ArrayList<>(List.of(dim));
        for (int other = 0; other < weight.dim(); other++) {
            if (other != dim) {
                order.add(other);
            }
        }
        return weight.permute(order.stream().mapToInt(Integer::intValue).toArray())
                .reshape(weight.size(dim), -1);
    }

    @Override
    protected Tensor value(List<Tensor> originals) {
        Tensor weight = originals.getFirst();
        if (left == null) {
            return Functional.normalize(weight, 2, 0, eps);
        }
        Tensor matrix = matrix(weight);
        if (isTraining()) {
            GradMode.noGrad(() -> iterate(matrix.detach()));
        }
        // These are copies, because a later use changes the buffers before backward runs.
        Tensor u = left.tensor().clone();
        Tensor v = right.tensor().clone();
        return weight.div(u.dot(matrix.mv(v)));
    }

    private void iterate(Tensor matrix) {
        for (int step = 0; step < powerIterations; step++) {
            left.tensor().copy_(Functional.normalize(matrix.mv(right.tensor()), 2, 0, eps));
            right.tensor().copy_(Functional.normalize(matrix.t().mv(left.tensor()), 2, 0, eps));
        }
    }
}
