package dev.outpost;

import dev.outpost.protocol.op.Matmul;

/** The rules of products of matrices. */
final class MatrixGradients {
    private MatrixGradients() {}

    static Tensor left(OpNode node, Tensor g) {
        return Dispatch.apply(new Matmul(), g, transposed(node.input(1)));
    }

    static Tensor right(OpNode node, Tensor g) {
        return Dispatch.apply(new Matmul(), transposed(node.input(0)), g);
    }

    private static Tensor transposed(Operand matrices) {
        return ((Tensor) matrices).transpose(1, 2);
    }
}
