package dev.outpost.internal.gradients;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.types.Layout;

/**
 * The rules of matrix products. The gradient of a transposed view is computed transposed. For the weight of a linear layer, the
 * gradient then has the layout of the weight and need not be copied before it is added.
 */
public final class MatrixGradients {
    private MatrixGradients() {}

    public static TensorState left(OpNode node, TensorState g) {
        TensorState right = (TensorState) node.input(1);
        return liesTransposed(node.inputLayout(0))
                ? transposed(product(right, transposed(g)))
                : product(g, transposed(right));
    }

    public static TensorState right(OpNode node, TensorState g) {
        TensorState left = (TensorState) node.input(0);
        return liesTransposed(node.inputLayout(1))
                ? transposed(product(transposed(g), left))
                : product(transposed(left), g);
    }

    private static TensorState product(TensorState left, TensorState right) {
        return OpRecording.apply(new Matmul(), left, right);
    }

    private static TensorState transposed(TensorState matrices) {
        Layout layout = States.layout(matrices);
        return States.view(matrices, layout.transpose(layout.rank() - 2, layout.rank() - 1));
    }

    /** True if matrices are stored column by column. False for a single row or column, for which both orders are the same. */
    private static boolean liesTransposed(Layout matrices) {
        int rows = matrices.rank() - 2;
        int columns = matrices.rank() - 1;
        return matrices.shape().size(rows) > 1
                && matrices.shape().size(columns) > 1
                && matrices.stride(rows) == 1
                && matrices.stride(columns) > 1;
    }
}
