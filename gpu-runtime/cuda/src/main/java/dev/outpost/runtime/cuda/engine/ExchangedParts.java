package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import dev.outpost.types.Split;

/**
 * The parts that members exchange if the split of a value changes: the part of the operand for each member, and the
 * part of the result from each member.
 */
final class ExchangedParts {
    private final Split from;
    private final Split to;
    private final int rank;

    ExchangedParts(Collective collective, int rank) {
        this.from = collective.from().orElseThrow();
        this.to = collective.to().orElseThrow();
        this.rank = rank;
    }

    /** Returns the part of this member's operand for a member; empty if that member receives nothing. */
    Array outgoing(Array operand, int member) {
        return both(operand, to, member, from);
    }

    /** Returns the part of this member's result that it receives from a member. */
    Array incoming(Array result, int member) {
        return both(result, from, member, to);
    }

    /**
     * Returns the part of an array that a cut assigns to a member.
     *
     * @param own the cut by which this member has the array
     */
    private Array both(Array array, Split cut, int member, Split own) {
        boolean isOneDimension = cut.dim() == own.dim();
        long first = isOneDimension ? own.start(rank) : 0;
        long end = Math.min(cut.end(member), isOneDimension ? own.end(rank) : cut.total());
        long start = Math.max(cut.start(member), first);
        Layout part = array.layout().slice(cut.dim(), start - first, Math.max(0, end - start), 1);
        return new Array(array.buffer(), part);
    }
}
