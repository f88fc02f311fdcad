package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Promotion;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The implementation of the methods of {@link Tensors} that join several tensors. */
public final class Concatenation {
    private static final Shape EMPTY = Shape.of(0);

    private Concatenation() {}

    public static Tensor cat(String op, List<Tensor> tensors, int dim) {
        DType dtype = promoted(op, tensors);
        List<Tensor> parts = withoutEmpty(tensors);
        int axis = Shapes.dim(op, parts.get(0).shape(), dim);
        Operand[] operands = parts.stream().map(tensor -> tensor.to(dtype)).toArray(Operand[]::new);
        return Dispatch.apply(new Concat(axis), operands);
    }

    private static DType promoted(String op, List<Tensor> tensors) {
        return ArgumentChecks.requiredEach(tensors, "the tensors").stream()
                .map(Tensor::dtype)
                .reduce(Promotion::promote)
                .orElseThrow(() -> new OpException(op, "at least one tensor is needed, got none"));
    }

    /** Drops empty vectors, which may be joined with any shape, as in PyTorch. */
    private static List<Tensor> withoutEmpty(List<Tensor> tensors) {
        List<Tensor> parts =
                tensors.stream().filter(tensor -> !tensor.shape().equals(EMPTY)).toList();
        return parts.isEmpty() ? tensors : parts;
    }

    public static Tensor stack(List<Tensor> tensors, int dim) {
        if (ArgumentChecks.requiredEach(tensors, "the tensors").isEmpty()) {
            throw new OpException("stack", "at least one tensor is needed, got none");
        }
        Shape first = tensors.get(0).shape();
        for (Tensor tensor : tensors) {
            if (!tensor.shape().equals(first)) {
                throw new OpException("stack", "the shapes must be equal, got " + first + " and " + tensor.shape());
            }
        }
        int at = Shape.normalizeDim("stack", dim, first.rank() + 1);
        return cat("stack", tensors.stream().map(tensor -> tensor.unsqueeze(at)).toList(), at);
    }

    public static List<Tensor> meshgrid(Tensors.GridIndexing indexing, Tensor... vectors) {
        boolean swaps = indexing == Tensors.GridIndexing.XY && vectors.length > 1;
        List<Tensor> ordered = new ArrayList<>(List.of(vectors));
        if (swaps) {
            Collections.swap(ordered, 0, 1);
        }
        List<Tensor> grids = grids(ordered);
        if (swaps) {
            Collections.swap(grids, 0, 1);
        }
        return List.copyOf(grids);
    }

    private static void requireDType(String op, Tensor first, Tensor other) {
        if (first.dtype() != other.dtype()) {
            throw new OpException(op, DTypeAdvice.differ(first.dtype(), other.dtype()));
        }
    }

    private static List<Tensor> grids(List<Tensor> vectors) {
        vectors.forEach(vector -> requireDType("meshgrid", vectors.getFirst(), vector));
        Shape shape = Shape.of(vectors.stream()
                .mapToLong(vector -> requireVector("meshgrid", vector).numel())
                .toArray());
        List<Tensor> grids = new ArrayList<>();
        for (int dim = 0; dim < shape.rank(); dim++) {
            long[] sizes = new long[shape.rank()];
            Arrays.fill(sizes, 1);
            sizes[dim] = shape.size(dim);
            grids.add(vectors.get(dim).reshape(sizes).expand(shape));
        }
        return grids;
    }

    private static Tensor requireVector(String op, Tensor vector) {
        if (vector.dim() > 1) {
            throw new OpException(op, "vectors are expected, got " + vector.shape());
        }
        return vector;
    }

    public static Tensor cartesianProd(Tensor... vectors) {
        for (Tensor vector : vectors) {
            requireVector("cartesian_prod", vector);
        }
        if (vectors.length == 1) {
            return vectors[0];
        }
        List<Tensor> columns =
                grids(List.of(vectors)).stream().map(Tensor::flatten).toList();
        return stack(columns, 1);
    }

    public static Tensor blockDiag(List<Tensor> matrices) {
        DType dtype = promoted("block_diag", matrices);
        long rows = 0;
        long columns = 0;
        for (Tensor matrix : matrices) {
            requireMatrix(matrix);
            rows += matrix.size(0);
            columns += matrix.size(1);
        }
        Tensor joined = Creation.full(States.home(matrices.get(0)), Shape.of(rows, columns), dtype, 0);
        Layout whole = States.layout(joined);
        long row = 0;
        long column = 0;
        for (Tensor matrix : matrices) {
            Layout block = whole.slice(0, row, matrix.size(0), 1).slice(1, column, matrix.size(1), 1);
            joined = Dispatch.apply(new StridedWrite(block), joined, matrix.to(dtype));
            row += matrix.size(0);
            column += matrix.size(1);
        }
        return joined;
    }

    private static void requireMatrix(Tensor matrix) {
        if (matrix.dim() != 2) {
            throw new OpException("block_diag", "at most two dimensions are expected, got " + matrix.shape());
        }
    }
}
