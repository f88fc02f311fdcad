package dev.outpost;

import java.util.Arrays;

/**
 * The tensors of a scope, in the order in which they came. Each knows its place, so that one more costs next to nothing:
 * every op of a program comes by here. Used by the scope's thread alone.
 */
final class ScopeMembers {
    private static final int FIRST_ROOM = 16;

    private Tensor[] members = new Tensor[FIRST_ROOM];
    private int end;
    private int live;

    /** The answer is its place, which changes when room is made: each is told of its own. */
    int add(Tensor tensor) {
        if (end == members.length) {
            compact();
        }
        members[end] = tensor;
        live++;
        return end++;
    }

    void remove(int place) {
        members[place] = null;
        live--;
    }

    /** Behind the last place. */
    int end() {
        return end;
    }

    /** The tensor at a place, or null where it is not here any more. */
    Tensor at(int place) {
        return members[place];
    }

    /** How many there are, those included that other threads have closed lately. */
    int size() {
        return live;
    }

    /** Gaps are closed before the array grows: a long scope holds as much as lives in it. */
    private void compact() {
        int kept = 0;
        for (int place = 0; place < end; place++) {
            Tensor tensor = members[place];
            if (tensor != null && tensor.isReleased()) {
                // By another thread.
                tensor.scope(null, 0);
                live--;
            } else if (tensor != null) {
                members[kept] = tensor;
                tensor.scope(tensor.scope(), kept++);
            }
        }
        Arrays.fill(members, kept, end, null);
        end = kept;
        if (2 * live > members.length) {
            members = Arrays.copyOf(members, 2 * members.length);
        }
    }
}
