package dev.outpost.types;

import dev.outpost.types.DType.Category;

/**
 * PyTorch's type promotion (torch.result_type): a tensor with dimensions outranks a zero-dimensional tensor, which
 * outranks a Java number, unless the lower-ranked one is of a higher {@link Category}.
 */
public final class Promotion {
    /** The precedence of an operand's dtype, lowest first. */
    public enum Rank {
        NUMBER,
        ZERO_DIM,
        DIMENSIONED
    }

    private Promotion() {}

    /** Returns the smallest dtype that holds both, regardless of ranks (torch.promote_types). */
    public static DType promote(DType left, DType right) {
        if (left == right) {
            return left;
        }
        if (left.category() != right.category()) {
            return left.category().compareTo(right.category()) > 0 ? left : right;
        }
        return left.isFloating() ? promoteFloating(left, right) : promoteIntegral(left, right);
    }

    /** Returns the dtype of an op on two operands of the given ranks. */
    public static DType resultType(DType left, Rank leftRank, DType right, Rank rightRank) {
        if (leftRank == rightRank) {
            return promote(left, right);
        }
        boolean leftOutranks = leftRank.compareTo(rightRank) > 0;
        DType strong = leftOutranks ? left : right;
        DType weak = leftOutranks ? right : left;
        return strong.category().compareTo(weak.category()) >= 0 ? strong : weak;
    }

    private static DType promoteFloating(DType left, DType right) {
        boolean halves = left.bytes() == 2 && right.bytes() == 2;
        if (halves) {
            return DType.FLOAT32;
        }
        return left.bytes() > right.bytes() ? left : right;
    }

    private static DType promoteIntegral(DType left, DType right) {
        boolean mixedBytes = left.bytes() == 1 && right.bytes() == 1;
        if (mixedBytes) {
            return DType.INT16;
        }
        return left.bytes() > right.bytes() ? left : right;
    }
}
