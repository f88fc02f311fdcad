package dev.outpost.types;

import java.util.ArrayList;
import java.util.List;

/**
 * How a dimension is cut among the members of a mesh: member {@code i} has the indices from {@code bounds(i)} on and below
 * {@code bounds(i + 1)}. A part may be empty, and parts may differ in size.
 *
 * @param dim the dimension that is cut
 * @param bounds one more than there are members, never falling, from 0 to the size of the dimension
 */
public record Split(int dim, List<Long> bounds) {

    public Split {
        bounds = List.copyOf(bounds);
    }

    /** As even as it goes: the first members have one index more where the size is no multiple. */
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

    /** How many indices a member has. */
    public long size(int member) {
        return end(member) - start(member);
    }

    /** The size of the whole dimension. */
    public long total() {
        return bounds.getLast();
    }

    /** The same cuts in another dimension. */
    public Split in(int otherDim) {
        return otherDim == dim ? this : new Split(otherDim, bounds);
    }

    /** Whether a member has nothing of a dimension that has something. */
    public boolean hasEmptyPart() {
        for (int member = 0; member < members(); member++) {
            if (size(member) == 0) {
                return true;
            }
        }
        return false;
    }
}
