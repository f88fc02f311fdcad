package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.types.Shape;
import java.util.HashSet;
import java.util.Set;

/** Compares indices that may differ if the elements at them are equal. */
public final class EqualKeys {
    private EqualKeys() {}

    /** Returns true if both refer to equal keys everywhere along a dimension, and ours to no element twice. */
    public static boolean areAt(HostTensor keys, int dim, HostTensor actual, HostTensor expected) {
        if (!actual.shape().equals(expected.shape()) || actual.dtype() != expected.dtype()) {
            return false;
        }
        Set<Long> taken = new HashSet<>();
        for (long element = 0; element < expected.shape().elements(); element++) {
            long ours = place(keys.shape(), dim, actual, element);
            long theirs = place(keys.shape(), dim, expected, element);
            boolean isEqual =
                    ours >= 0 && Double.compare(keys.getDouble(ours) + 0.0, keys.getDouble(theirs) + 0.0) == 0;
            if (!isEqual || !taken.add(ours)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the element of the keys for an index, or -1; the indices have the keys' shape except in that dimension. */
    private static long place(Shape keys, int dim, HostTensor indices, long element) {
        long size = keys.rank() == 0 ? 1 : keys.size(dim);
        long inner = 1;
        for (int after = dim + 1; after < keys.rank(); after++) {
            inner *= keys.size(after);
        }
        boolean hasDim = indices.shape().rank() == keys.rank() && keys.rank() > 0;
        long chosen = hasDim ? indices.shape().size(dim) : 1;
        long index = indices.getLong(element);
        long outer = element / (chosen * inner);
        return index < 0 || index >= size ? -1 : (outer * size + index) * inner + element % inner;
    }
}
