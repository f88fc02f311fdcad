package dev.outpost.linalg;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Computes low-rank factors from a random basis of the range. */
public final class LowRankFactors {
    private LowRankFactors() {}

    public static Linalg.LowRank svd(Tensor matrices, int q, int iterations, @Nullable Tensor subtrahend) {
        if (matrices.dim() < 2 || q < 0 || q > Math.min(matrices.size(-2), matrices.size(-1))) {
            throw new OpException(
                    "svd_lowrank",
                    "the rank must be from 0 to the smaller size of matrices, got " + q + " for " + matrices.shape());
        }
        Tensor a = subtrahend == null ? matrices : matrices.sub(subtrahend);
        if (a.size(-2) < a.size(-1)) {
            Linalg.LowRank turned = tall(a.mT(), q, iterations);
            return new Linalg.LowRank(turned.v(), turned.values(), turned.u());
        }
        return tall(a, q, iterations);
    }

    private static Linalg.LowRank tall(Tensor a, int q, int iterations) {
        Tensor basis = basis(a, q, iterations);
        Linalg.Svd small = Linalg.svd(basis.mT().matmul(a), false);
        return new Linalg.LowRank(basis.matmul(small.u()), small.s(), small.vh().mT());
    }

    private static Tensor basis(Tensor a, int q, int iterations) {
        Tensor random = a.machine().randn(a.dtype(), a.size(-1), q);
        Tensor basis = Linalg.qr(a.matmul(random)).q();
        for (int iteration = 0; iteration < iterations; iteration++) {
            Tensor rows = Linalg.qr(a.mT().matmul(basis)).q();
            basis = Linalg.qr(a.matmul(rows)).q();
        }
        return basis;
    }
}
