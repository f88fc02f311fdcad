package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Contractions;
import dev.outpost.internal.ops.Dims;
import dev.outpost.internal.ops.Einsum;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Products that sum over a dimension of both operands. Both must have one dtype, other than bool; 16-bit floats
 * accumulate in float32.
 */
public interface ContractOps extends ProductOps {
    @Override
    Tensor self();

    /**
     * Returns the matrix product over the last two dimensions, {@code [..., m, k] x [..., k, n] -> [..., m, n]}. Leading dimensions
     * broadcast. A vector on the left is a row, a vector on the right is a column; the result lacks this dimension. Both operands
     * must have one dtype; inside of {@code Autocast.with}, float32 operands are cast.
     *
     * {@snippet file="OpExamplesTest.java" region="matmul"}
     *
     * <p>A bad call names both shapes:
     *
     * {@snippet file="OpExamplesTest.java" region="matmulErrors"}
     *
     * @throws OpException if an operand has no dimensions, the inner dimensions or the dtypes differ, or leading dimensions do not
     *     broadcast
     */
    default Tensor matmul(Tensor other) {
        return Contractions.matmul("matmul", self(), other);
    }

    /**
     * Returns the product of two matrices, {@code [m, k] x [k, n] -> [m, n]}.
     *
     * {@snippet file="OpExamplesTest.java" region="mm"}
     *
     * @throws OpException if an operand is not a matrix, or the inner dimensions or the dtypes differ
     */
    default Tensor mm(Tensor other) {
        requireRanks("mm", self(), 2, other, 2);
        return Contractions.matmul("mm", self(), other);
    }

    /**
     * Returns the products of a batch of matrices, {@code [b, m, k] x [b, k, n] -> [b, m, n]}; nothing broadcasts.
     *
     * {@snippet file="OpExamplesTest.java" region="bmm"}
     *
     * @throws OpException if an operand has not three dimensions, or batch sizes, inner dimensions or dtypes differ
     */
    default Tensor bmm(Tensor other) {
        return batched("bmm", self(), other);
    }

    /** Returns {@code [m, k] x [k] -> [m]}. */
    default Tensor mv(Tensor vector) {
        requireRanks("mv", self(), 2, vector, 1);
        return Contractions.matmul("mv", self(), vector);
    }

    /**
     * Returns the sum of the products of two vectors, {@code [k] x [k] -> []}.
     *
     * {@snippet file="OpExamplesTest.java" region="dot"}
     *
     * @throws OpException if an operand is not a vector, or the lengths or dtypes differ
     */
    default Tensor dot(Tensor other) {
        requireRanks("dot", self(), 1, other, 1);
        return Contractions.matmul("dot", self(), other);
    }

    /** Same as {@link #dot}, because a {@link Tensor} is never complex. */
    default Tensor vdot(Tensor other) {
        requireRanks("vdot", self(), 1, other, 1);
        return Contractions.matmul("vdot", self(), other);
    }

    /** Returns {@code [m] x [n] -> [m, n]}; dtypes are promoted. */
    default Tensor outer(Tensor other) {
        requireRanks("outer", self(), 1, other, 1);
        Tensor column = States.view(self(), States.layout(self()).unsqueeze(1));
        Tensor product = column.mul(other);
        column.close();
        return product;
    }

    /** Same as {@link #outer}. */
    default Tensor ger(Tensor other) {
        return outer(other);
    }

    /** Sums over the last dimension of both: {@code [..., k] x [..., k]}. A scalar multiplies the other operand. */
    default Tensor inner(Tensor other) {
        if (self().dim() == 0 || other.dim() == 0) {
            return self().mul(other);
        }
        if (self().size(-1) != other.size(-1)) {
            throw new OpException("inner", "last dimensions differ, got " + self().shape() + " and " + other.shape());
        }
        return tensordot(other, new int[] {-1}, new int[] {-1});
    }

    /** Returns self + first · second; self broadcasts to {@code [m, n]}. */
    default Tensor addmm(Tensor first, Tensor second) {
        return addmm(first, second, 1, 1);
    }

    /** Returns beta · self + alpha · first · second. If beta is 0, self is ignored, even if it has NaN. */
    default Tensor addmm(Tensor first, Tensor second, Number beta, Number alpha) {
        return Scope.tidy(() -> combined("addmm", first.mm(second), beta, alpha));
    }

    /** Returns self + matrix · vector; self broadcasts to {@code [m]}. */
    default Tensor addmv(Tensor matrix, Tensor vector) {
        return addmv(matrix, vector, 1, 1);
    }

    /** Returns beta · self + alpha · matrix · vector. */
    default Tensor addmv(Tensor matrix, Tensor vector, Number beta, Number alpha) {
        return Scope.tidy(() -> combined("addmv", matrix.mv(vector), beta, alpha));
    }

    /** Returns self + the outer product of two vectors; self broadcasts to {@code [m, n]}. */
    default Tensor addr(Tensor first, Tensor second) {
        return addr(first, second, 1, 1);
    }

    /** Returns beta · self + alpha · the outer product of two vectors; dtypes are promoted. */
    default Tensor addr(Tensor first, Tensor second, Number beta, Number alpha) {
        DType dtype = OpRecording.resultType(self(), first, second);
        requireWhole("addr", beta, dtype);
        requireWhole("addr", alpha, dtype);
        return Scope.tidy(() -> {
            Tensor product = first.to(dtype).outer(second.to(dtype));
            return ((ContractOps) self().to(dtype)).combined("addr", product, beta, alpha);
        });
    }

    /** Returns self + first · second for each matrix of a batch; self broadcasts to {@code [b, m, n]}. */
    default Tensor baddbmm(Tensor first, Tensor second) {
        return baddbmm(first, second, 1, 1);
    }

    /** Returns beta · self + alpha · first · second for each matrix of a batch. */
    default Tensor baddbmm(Tensor first, Tensor second, Number beta, Number alpha) {
        return Scope.tidy(() -> combined("baddbmm", batched("baddbmm", first, second), beta, alpha));
    }

    /** Returns self + the sum of the products of a batch; self broadcasts to {@code [m, n]}. */
    default Tensor addbmm(Tensor first, Tensor second) {
        return addbmm(first, second, 1, 1);
    }

    /** Returns beta · self + alpha · the sum of the products of a batch. */
    default Tensor addbmm(Tensor first, Tensor second, Number beta, Number alpha) {
        return Scope.tidy(
                () -> combined("addbmm", batched("addbmm", first, second).sum(0), beta, alpha));
    }

    /** Sums over the last {@code count} dimensions of self and the first {@code count} of other, in their order. */
    default Tensor tensordot(Tensor other, int count) {
        if (count < 0 || count > Math.min(self().dim(), other.dim())) {
            throw new OpException(
                    "tensordot",
                    "cannot contract " + count + " dimensions, got " + self().shape() + " and " + other.shape());
        }
        int first = self().dim() - count;
        return tensordot(
                other,
                IntStream.range(first, first + count).toArray(),
                IntStream.range(0, count).toArray());
    }

    /**
     * Sums over pairs of dimensions. The result has the remaining dimensions of self, then the remaining dimensions
     * of other.
     */
    default Tensor tensordot(Tensor other, int[] dims, int[] otherDims) {
        if (Contractions.isProductOfNoBools(self(), other)) {
            return Scope.tidy(() ->
                    self().uint8().tensordot(other.uint8(), dims, otherDims).bool());
        }
        Contractions.requireSameDType("tensordot", self(), other);
        int[] left = normalized(self(), dims);
        int[] right = normalized(other, otherDims);
        requirePairs(other, left, right);
        int[] leftFree = others(self().dim(), left);
        int[] rightFree = others(other.dim(), right);
        long inner = sizes(self(), left).reduce(1, (a, b) -> a * b);
        long rows = sizes(self(), leftFree).reduce(1, (a, b) -> a * b);
        long columns = sizes(other, rightFree).reduce(1, (a, b) -> a * b);
        Layout leftLayout = States.layout(self()).permute(joined(leftFree, left));
        Layout rightLayout = States.layout(other).permute(joined(right, rightFree));
        long[] result = LongStream.concat(sizes(self(), leftFree), sizes(other, rightFree))
                .toArray();
        return Contractions.product(
                Contractions.arranged(self(), leftLayout, Shape.of(rows, inner)),
                Contractions.arranged(other, rightLayout, Shape.of(inner, columns)),
                Shape.of(result));
    }

    /**
     * Returns products and sums in Einstein's notation with self as the first operand: {@code a.einsum("ij,jk->ik", b)}. Without an
     * arrow, the result has the labels that occur once, in alphabetical order. A label that one operand repeats selects its
     * diagonal. {@code ...} stands for dimensions that broadcast. Operands are contracted from left to right.
     *
     * {@snippet file="OpExamplesTest.java" region="einsum"}
     *
     * @throws OpException if the equation is malformed, names another number of operands, or sizes of a label differ
     */
    default Tensor einsum(String equation, Tensor... others) {
        Tensor[] operands = new Tensor[others.length + 1];
        operands[0] = self();
        System.arraycopy(others, 0, operands, 1, others.length);
        return Einsum.compute(equation, operands);
    }

    /**
     * Returns the Kronecker product: every element of self multiplied by the whole of other. Sizes are multiplied;
     * dtypes are promoted.
     */
    default Tensor kron(Tensor other) {
        int rank = Math.max(self().dim(), other.dim());
        Layout left = padded(States.layout(self()), rank);
        Layout right = padded(States.layout(other), rank);
        long[] sizes = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            sizes[dim] =
                    Math.multiplyExact(left.shape().size(dim * 2), right.shape().size(dim * 2));
            left = left.unsqueeze(dim * 2 + 1);
            right = right.unsqueeze(dim * 2);
        }
        try (Tensor a = States.view(self(), left);
                Tensor b = States.view(other, right)) {
            return Dims.reshaped(a.mul(b), Shape.of(sizes));
        }
    }

    // ---- shared

    private static Layout padded(Layout layout, int rank) {
        Layout padded = layout;
        while (padded.rank() < rank) {
            padded = padded.unsqueeze(0);
        }
        return padded;
    }

    private static Tensor batched(String op, Tensor first, Tensor second) {
        requireRanks(op, first, 3, second, 3);
        if (first.size(0) != second.size(0)) {
            throw new OpException(op, "batch sizes differ, got " + first.shape() + " and " + second.shape());
        }
        return Contractions.matmul(op, first, second);
    }

    private Tensor combined(String op, Tensor product, Number beta, Number alpha) {
        if (!self().shape().broadcastsTo(product.shape())) {
            throw new OpException(
                    op,
                    "the addend does not broadcast to the product, got " + self().shape() + " and " + product.shape());
        }
        if (self().dtype() != product.dtype()) {
            throw new OpException(op, DTypeAdvice.differ(self().dtype(), product.dtype()));
        }
        Tensor scaled = times(op, product, alpha);
        if (beta.doubleValue() == 0) {
            return Numerics.isRecorded(self()) ? scaled.add(Numerics.zeros(self())) : scaled;
        }
        return scaled.add(times(op, self(), beta));
    }

    private static void requireWhole(String op, Number factor, DType dtype) {
        if (!dtype.isFloating() && Operand.of(factor).type().dtype().isFloating()) {
            throw new OpException(op, "beta and alpha must be whole numbers for " + dtype + ", got " + factor);
        }
    }

    /** Multiplies a tensor by a number that is cast to the tensor's dtype, as in PyTorch. */
    private static Tensor times(String op, Tensor tensor, Number factor) {
        return factor.doubleValue() == 1
                ? tensor
                : Dispatch.binary(Binary.MUL, tensor, factor(op, factor, tensor.dtype()));
    }

    /**
     * Returns the factor as an operand. Only an integer dtype must hold its exact value: PyTorch multiplies 16-bit floats by wider
     * numbers.
     */
    private static Operand factor(String op, Number factor, DType dtype) {
        return dtype.isFloating() ? Operand.of(factor).cast(dtype) : Operand.fitting(op, factor, dtype);
    }

    private static void requireRanks(String op, Tensor left, int leftRank, Tensor right, int rightRank) {
        ArgumentChecks.required(left, "the first operand");
        ArgumentChecks.required(right, "the other operand");
        if (left.dim() != leftRank || right.dim() != rightRank) {
            throw new OpException(
                    op,
                    "needs tensors of " + leftRank + " and " + rightRank + " dimensions, got " + left.shape() + " and "
                            + right.shape());
        }
    }

    private void requirePairs(Tensor other, int[] left, int[] right) {
        boolean pairs = left.length == right.length;
        for (int index = 0; pairs && index < left.length; index++) {
            pairs = self().size(left[index]) == other.size(right[index]);
        }
        if (!pairs) {
            throw new OpException(
                    "tensordot",
                    "contracted dimensions differ, got " + Arrays.toString(left) + " of " + self().shape() + " and "
                            + Arrays.toString(right) + " of " + other.shape());
        }
    }

    private static int[] normalized(Tensor tensor, int[] dims) {
        if (dims.length > 0) {
            Dims.axes("tensordot", tensor.shape(), dims);
        }
        return Arrays.stream(dims)
                .map(dim -> tensor.shape().normalizeDim("tensordot", dim))
                .toArray();
    }

    private static int[] others(int rank, int[] dims) {
        return IntStream.range(0, rank)
                .filter(dim -> Arrays.stream(dims).noneMatch(taken -> taken == dim))
                .toArray();
    }

    private static int[] joined(int[] first, int[] second) {
        return IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    }

    private static LongStream sizes(Tensor tensor, int[] dims) {
        return Arrays.stream(dims).mapToLong(tensor::size);
    }
}
