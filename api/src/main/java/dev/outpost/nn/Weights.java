package dev.outpost.nn;

import dev.outpost.Generator;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** The fillings of {@link Init} that need more than a formula. All are called without autograd. */
final class Weights {
    private Weights() {}

    /**
     * Fills like PyTorch: maps uniform numbers between the probabilities of the bounds, through the inverse of the
     * error function.
     */
    static void truncNormal(
            Tensor tensor, double mean, double deviation, double low, double high, @Nullable Generator generator) {
        if (!(deviation > 0) || !(low <= high)) {
            throw new OpException(
                    "trunc_normal_",
                    "a positive deviation and ordered bounds are needed, got " + deviation + " and " + low + " to "
                            + high);
        }
        Scope.tidy(() -> {
            DType dtype = tensor.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
            Tensor bounds = tensor.machine()
                    .tensor(new double[] {(low - mean) / deviation, (high - mean) / deviation})
                    .mul(Math.sqrt(0.5))
                    .erf();
            Tensor first = bounds.select(0, 0).to(dtype);
            Tensor last = bounds.select(0, 1).to(dtype);
            Tensor even = tensor.zerosLike(dtype).uniform_(0, 1, generator);
            Tensor shares = first.add(even.mul(last.sub(first)));
            Tensor normal = shares.erfinv().mul(deviation * Math.sqrt(2)).add(mean);
            return tensor.copy_(normal.clamp(low, high));
        });
    }

    static void eye(Tensor matrix) {
        requireMatrix("eye_", matrix);
        Scope.tidy(() -> matrix.copy_(matrix.machine().eye(matrix.size(0), matrix.size(1), matrix.dtype())));
    }

    static void dirac(Tensor kernels, int groups) {
        if (kernels.dim() < 3 || kernels.dim() > 5) {
            throw new OpException("dirac_", "three to five dimensions are needed, got " + kernels.shape());
        }
        if (groups < 1 || kernels.size(0) % groups != 0) {
            throw new OpException(
                    "dirac_", "the outputs must divide into groups, got " + groups + " and " + kernels.shape());
        }
        Scope.tidy(() -> {
            kernels.zero_();
            Tensor middle = kernels;
            while (middle.dim() > 2) {
                middle = middle.select(2, middle.size(2) / 2);
            }
            Tensor group = kernels.machine().eye(kernels.size(0) / groups, kernels.size(1), kernels.dtype());
            return middle.copy_(group.repeat(groups, 1));
        });
    }

    /**
     * Fills with the orthogonal factor of normal numbers. The signs of the other factor make it unique, and therefore uniformly
     * distributed.
     */
    static void orthogonal(Tensor tensor, double gain, @Nullable Generator generator) {
        if (tensor.dim() < 2) {
            throw new OpException("orthogonal_", "two dimensions or more are needed, got " + tensor.shape());
        }
        if (tensor.numel() == 0) {
            return;
        }
        long rows = tensor.size(0);
        long columns = tensor.numel() / rows;
        Scope.tidy(() -> {
            Tensor normal = tensor.newZeros(rows, columns).normal_(0, 1, generator);
            Linalg.Qr factors = Linalg.qr(rows < columns ? normal.t() : normal);
            Tensor signs = factors.r().diagonal().sign();
            Tensor orthogonal = factors.q().mul(signs);
            Tensor fitting = rows < columns ? orthogonal.t() : orthogonal;
            return tensor.copy_(fitting.reshape(tensor.shape().toArray()).mul(gain));
        });
    }

    static void sparse(Tensor matrix, double sparsity, double deviation, @Nullable Generator generator) {
        requireMatrix("sparse_", matrix);
        if (!(sparsity >= 0 && sparsity <= 1)) {
            throw new OpException("sparse_", "the share of zeros must be between 0 and 1, got " + sparsity);
        }
        long zeros = (long) Math.ceil(sparsity * matrix.size(0));
        Scope.tidy(() -> {
            Tensor normal = matrix.zerosLike().normal_(0, deviation, generator);
            Tensor order =
                    matrix.zerosLike(DType.FLOAT64).uniform_(0, 1, generator).argsort(0, false);
            return matrix.copy_(normal.scatter(0, order.narrow(0, 0, zeros), 0));
        });
    }

    private static void requireMatrix(String op, Tensor tensor) {
        if (tensor.dim() != 2) {
            throw new OpException(op, "two dimensions are needed, got " + tensor.shape());
        }
    }
}
