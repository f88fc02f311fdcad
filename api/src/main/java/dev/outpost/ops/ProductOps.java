package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Products of vectors along a dimension, and powers. */
public interface ProductOps {
    Tensor self();

    /** Returns the cross product of three-dimensional vectors, which are along the first dimension of size 3. */
    default Tensor cross(Tensor other) {
        for (int dim = 0; dim < self().dim(); dim++) {
            if (self().size(dim) == 3) {
                return cross(other, dim);
            }
        }
        throw new OpException("cross", "a dimension of size 3 is needed, got " + self().shape());
    }

    /** Like {@link #cross(Tensor)}, but for vectors along a given dimension. */
    default Tensor cross(Tensor other, int dim) {
        if (self().dim() != other.dim() || self().size(dim) != 3 || other.size(dim) != 3) {
            throw new OpException(
                    "cross", "dimension " + dim + " must have size 3, got " + self().shape() + " and " + other.shape());
        }
        DType dtype = OpRecording.resultType(self(), other);
        return Scope.tidy(() -> ElementwiseFunctions.crossProduct(dim).of(self().to(dtype), other.to(dtype)));
    }

    /** Returns the sum of the products along a dimension (torch.linalg.vecdot). */
    default Tensor vecdot(Tensor other, int dim) {
        return Scope.tidy(() -> self().mul(other).sum(dim));
    }

    /** Returns the powers 0 to {@code count - 1} of the last dimension's elements, as rows (torch.linalg.vander). */
    default Tensor vander(long count) {
        if (count < 2) {
            throw new OpException("vander", "at least two powers are needed, got " + count);
        }
        return Scope.tidy(() -> {
            Tensor column = Tensors.atleast1d(self()).unsqueeze(-1);
            List<Tensor> factors = new ArrayList<>(Collections.nCopies((int) count, column));
            factors.set(0, column.onesLike());
            return Tensors.cat(factors, -1).cumprod(-1);
        });
    }

    /**
     * Returns the power of a matrix: the unit matrix for 0, and the power of the inverse for a negative exponent
     * (torch.linalg.matrix_power).
     */
    default Tensor matrixPower(long exponent) {
        if (self().dim() < 2 || self().size(-1) != self().size(-2)) {
            throw new OpException("matrix_power", "square matrices are expected, got " + self().shape());
        }
        return Scope.tidy(() -> {
            if (exponent < 0) {
                // Long.MIN_VALUE has no negation, so this uses the square with half the exponent.
                return exponent == Long.MIN_VALUE
                        ? matrixPower(2).matrixPower(exponent / 2)
                        : LinearSystems.inverse(self()).matrixPower(-exponent);
            }
            if (exponent == 0) {
                Tensor unit = self().machine().eye(self().size(-1), self().size(-1), self().dtype());
                return Numerics.zeros(self()).add(unit);
            }
            Tensor half = exponent == 1 ? self() : matrixPower(exponent / 2);
            Tensor even = exponent == 1 ? self().clone() : half.matmul(half);
            return exponent == 1 || exponent % 2 == 0 ? even : even.matmul(self());
        });
    }
}
