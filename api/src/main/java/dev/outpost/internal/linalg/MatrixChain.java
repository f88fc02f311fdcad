package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** Multiplies a chain of matrices in the order with the fewest multiplications (Cormen et al., "Introduction to Algorithms", 15.2). */
public final class MatrixChain {
    private final Tensor[] matrices;
    private final double[][] cost;
    private final int[][] split;

    private MatrixChain(Tensor... matrices) {
        this.matrices = matrices;
        cost = new double[matrices.length][matrices.length];
        split = new int[matrices.length][matrices.length];
    }

    public static Tensor product(Tensor... factors) {
        if (factors.length < 2) {
            throw new OpException("multi_dot", "at least two matrices are needed, got " + factors.length);
        }
        Tensor[] matrices = factors.clone();
        int last = matrices.length - 1;
        boolean startsWithVector = matrices[0].dim() == 1;
        boolean endsWithVector = matrices[last].dim() == 1;
        matrices[0] = startsWithVector ? matrices[0].unsqueeze(0) : matrices[0];
        matrices[last] = endsWithVector ? matrices[last].unsqueeze(1) : matrices[last];
        requireMatrices(matrices);
        MatrixChain chain = new MatrixChain(matrices);
        chain.plan();
        Tensor product = chain.product(0, last);
        Tensor withoutColumn = endsWithVector ? product.squeeze(-1) : product;
        return startsWithVector ? withoutColumn.squeeze(0) : withoutColumn;
    }

    private static void requireMatrices(Tensor... matrices) {
        for (Tensor matrix : matrices) {
            if (matrix.dim() != 2) {
                throw new OpException("multi_dot", "matrices are expected, got " + matrix.shape());
            }
        }
    }

    private void plan() {
        for (int length = 1; length < matrices.length; length++) {
            for (int first = 0; first + length < matrices.length; first++) {
                choose(first, first + length);
            }
        }
    }

    private void choose(int first, int last) {
        cost[first][last] = Double.POSITIVE_INFINITY;
        for (int at = first; at < last; at++) {
            double outer = (double) matrices[first].size(0) * matrices[at].size(1) * matrices[last].size(1);
            double total = cost[first][at] + cost[at + 1][last] + outer;
            if (total < cost[first][last]) {
                cost[first][last] = total;
                split[first][last] = at;
            }
        }
    }

    private Tensor product(int first, int last) {
        return first == last
                ? matrices[first]
                : product(first, split[first][last]).mm(product(split[first][last] + 1, last));
    }
}
