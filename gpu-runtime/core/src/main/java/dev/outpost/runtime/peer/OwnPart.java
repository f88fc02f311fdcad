package dev.outpost.runtime.peer;

import dev.outpost.protocol.op.Collective;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;

/** The part of an exchange that belongs to one member. */
final class OwnPart {
    private OwnPart() {}

    /**
     * Returns the bytes of all parts together, the same on all members; 0 if a sender has lost its operand.
     *
     * @param shape the shape of this member's operand; null if it has none
     */
    static long wholeBytes(Collective collective, Shape shape) {
        Shape part = collective.type().shape();
        Shape whole = switch (collective.fn()) {
            case ALL_REDUCE, ALL_REDUCE_ROUNDED, ALL_GATHER, RECEIVE -> part;
            case REDUCE_SCATTER, ALL_TO_ALL -> resized(part, collective.to().orElseThrow());
            case SEND -> shape == null ? Shape.of(0) : shape;
        };
        return whole.elements() * collective.type().dtype().bytes();
    }

    private static Shape resized(Shape part, Split split) {
        long[] sizes = new long[part.rank()];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = dim == split.dim() ? split.total() : part.size(dim);
        }
        return Shape.of(sizes);
    }

    /**
     * Throws if this member has the wrong role in the exchange, or another member's part.
     *
     * @param self the place of the member in the exchange
     * @param shape the shape of its operand; null if it has none
     */
    static void require(Collective collective, int self, Shape shape) {
        Collective.Fn fn = collective.fn();
        if (fn == Collective.Fn.SEND && self != 0 || fn == Collective.Fn.RECEIVE && self == 0) {
            throw new MalformedException(fn.label() + ": expected member "
                    + collective.members().getFirst() + " to send and the others to receive, got member "
                    + collective.members().get(self));
        }
        collective
                .to()
                .ifPresent(split ->
                        require(collective, split, self, collective.type().shape(), "result"));
        if (shape != null) {
            collective.from().ifPresent(split -> require(collective, split, self, shape, "operand"));
        }
    }

    private static void require(Collective collective, Split split, int self, Shape part, String what) {
        long expected = split.size(self);
        if (part.size(split.dim()) != expected) {
            throw new MalformedException(collective.fn().label() + ": the " + what + " is not the part of member "
                    + collective.members().get(self) + ", expected " + expected + " indices of dimension "
                    + split.dim() + ", got " + part);
        }
    }
}
