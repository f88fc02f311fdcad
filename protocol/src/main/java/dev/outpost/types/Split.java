package dev.outpost.types;

import java.util.ArrayList;
import java.util.List;

/**
 * The split of a dimension among the members of a mesh: member {@code i} has the indices from {@code bounds(i)},
 * inclusive, to {@code bounds(i + 1)}, exclusive. A part may be empty, and parts may differ in size.
 *
 * @param dim the split dimension
 * @param bounds the bounds of the parts in ascending order, from 0 to the size of the dimension; one more than
 *     members
 */
public record Split(int dim, List<Long> bounds) {

    public Split {
        bounds = List.copyOf(bounds);
    }

    /** Splits as evenly as possible. If the size is not a multiple of the members, the first members have one index more. */
    public static Split even(int dim, long size, int members) {
        List<Long> bounds = new ArrayList<>(members + 1);
        bounds.add(0L);
        long each = size / members;
        long longer = size % members;
        for (int member = 0; member < members; member++) {
            bounds.add(bounds.get(member) + each + (member < longer ? 1 : 0));
        }
        return new Split(dim, bounds);
    }

    public int members() {
        return bounds.size() - 1;
    }

    public long start(int member) {
        return bounds.get(member);
    }

    public long end(int member) {
        return bounds.get(member + 1);
    }

    /** Returns the number of indices of a member. */
    public long size(int member) {
        return end(member) - start(member);
    }

    /** Returns the size of the whole dimension. */
    public long total() {
        return bounds.getLast();
    }

    /** Returns the same split of another dimension. */
    public Split in(int otherDim) {
        return otherDim == dim ? this : new Split(otherDim, bounds);
    }

    /** Returns true if some member has no index. */
    public boolean hasEmptyPart() {
        for (int member = 0; member < members(); member++) {
            if (size(member) == 0) {
                return true;
            }
        }
        return false;
    }
}
