package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Brings query, key and value of any rank to the shape {@code [batch, heads, rows, features]}.
 *
 * @param lead the dimensions before the heads, which broadcast
 * @param heads the heads of the query, after one head was repeated for all groups
 * @param groups the heads of keys and values
 * @param rank the rank of the result
 * @param output the shape of the result
 */
record AttentionShapes(Shape lead, long heads, long groups, long queries, long keys, int rank, Shape output) {
    /** The number of dimensions that do not broadcast: heads, rows and features. */
    private static final int INNER = 3;

    static AttentionShapes of(String op, Tensor query, Tensor key, Tensor value) {
        if (Math.min(Math.min(query.dim(), key.dim()), value.dim()) < 2) {
            throw mismatch(op, "at least two dimensions are needed", query, key, value);
        }
        if (key.size(-1) != query.size(-1)) {
            throw mismatch(op, "query and key must have the same features", query, key, value);
        }
        if (key.size(-2) != value.size(-2)) {
            throw mismatch(op, "there must be a value for each key", query, key, value);
        }
        long groups = heads(key) == 1 ? heads(value) : heads(key);
        long heads = heads(query) == 1 ? groups : heads(query);
        boolean fits = heads(value) == groups || heads(value) == 1;
        if (!fits || (groups == 0 ? heads != 0 : heads % groups != 0)) {
            throw mismatch(op, "heads must be as many, or divide into groups", query, key, value);
        }
        Shape lead = broadcast(op, query, key, value);
        int rank = Math.max(Math.max(query.dim(), key.dim()), value.dim());
        Shape whole = with(lead, heads, query.size(-2), value.size(-1));
        return new AttentionShapes(lead, heads, groups, query.size(-2), key.size(-2), rank, last(whole, rank));
    }

    private static OpException mismatch(String op, String what, Tensor query, Tensor key, Tensor value) {
        return new OpException(op, what + ", got " + query.shape() + ", " + key.shape() + " and " + value.shape());
    }

    private static Shape broadcast(String op, Tensor query, Tensor key, Tensor value) {
        try {
            return Shape.broadcast(op, Shape.broadcast(op, lead(query), lead(key)), lead(value));
        } catch (OpException ignored) {
            throw mismatch(op, "batches do not broadcast", query, key, value);
        }
    }

    private static long heads(Tensor tensor) {
        return tensor.dim() < INNER ? 1 : tensor.size(-INNER);
    }

    private static Shape lead(Tensor tensor) {
        return Shape.of(Arrays.copyOf(tensor.shape().toArray(), Math.max(0, tensor.dim() - INNER)));
    }

    private static Shape with(Shape lead, long... inner) {
        long[] sizes = Arrays.copyOf(lead.toArray(), lead.rank() + inner.length);
        System.arraycopy(inner, 0, sizes, lead.rank(), inner.length);
        return Shape.of(sizes);
    }

    /** Removes the leading dimensions that no operand has. */
    private static Shape last(Shape shape, int rank) {
        long[] sizes = shape.toArray();
        return Shape.of(Arrays.copyOfRange(sizes, Math.max(0, sizes.length - rank), sizes.length));
    }

    /** Returns the shape of scores, {@code [..., heads, queries, keys]}. */
    Shape scores() {
        return last(with(lead, heads, queries, keys), rank);
    }

    /** Returns true if there are no keys, or if queries or values have no features. */
    boolean isEmpty(Tensor query, Tensor value) {
        return keys == 0 || query.size(-1) == 0 || value.size(-1) == 0;
    }

    Tensor queries(Tensor query) {
        return batched(query, with(lead, heads, query.size(-2), query.size(-1)));
    }

    /** Reshapes keys or values. */
    Tensor keys(Tensor tensor) {
        return batched(tensor, with(lead, groups, tensor.size(-2), tensor.size(-1)));
    }

    /**
     * Reshapes a mask. A mask that is the same for all leading indices is not repeated, because a view of all pairs could be larger than
     * the machine's memory.
     */
    Tensor mask(Tensor mask) {
        int own = mask.dim();
        long[] sizes = new long[lead.rank() + INNER];
        Arrays.fill(sizes, 1);
        System.arraycopy(mask.shape().toArray(), 0, sizes, sizes.length - own, own);
        boolean isOfAll = Arrays.stream(sizes, 0, lead.rank()).allMatch(size -> size == 1);
        if (isOfAll) {
            return mask.reshape(1, sizes[sizes.length - 3], sizes[sizes.length - 2], sizes[sizes.length - 1]);
        }
        System.arraycopy(lead.toArray(), 0, sizes, 0, lead.rank());
        return batched(mask, Shape.of(sizes));
    }

    private static Tensor batched(Tensor tensor, Shape shape) {
        int rank = shape.rank();
        long batch = 1;
        for (int dim = 0; dim < rank - INNER; dim++) {
            batch *= shape.size(dim);
        }
        return tensor.expand(shape).reshape(batch, shape.size(rank - 3), shape.size(rank - 2), shape.size(rank - 1));
    }

    /** Repeats keys or values, so that each head has its own keys or values. */
    Tensor ofHeads(Tensor tensor) {
        long shared = groups == 0 ? 1 : heads / groups;
        return shared == 1 || heads(tensor) == 1 ? tensor : tensor.repeatInterleave(Math.toIntExact(shared), -INNER);
    }
}
