package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Split;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A member's side of a group's exchanges, which all members have in the same order. In each of them a member first sends what the
 * others need and then takes what they have sent, so that nobody waits in a circle. Sums are taken in the order of the members.
 *
 * <p>The first exchange that fails because a member is missing ends the group: the lanes close, so that no other member waits
 * longer than the one that noticed it. One thread exchanges at a time; any may close.
 */
public final class PeerGroup {
    /** A sum of fewer bytes is taken by every member for itself: that takes one exchange of messages instead of two. */
    private static final int SMALL_BYTES = 4096;

    private final String name;
    private final int rank;
    private final List<PeerLane> lanes;
    /** Null while it is whole. */
    private volatile String brokenBy;

    /**
     * @param name what errors call it
     * @param rank which member this is
     * @param lanes by rank; null for this member
     */
    public PeerGroup(String name, int rank, List<PeerLane> lanes) {
        this.name = name;
        this.rank = rank;
        this.lanes = lanes;
    }

    /**
     * Exchanges elements.
     *
     * @param shape of this member's elements; null where it gives none
     * @param elements row-major and little-endian; nobody changes them any more
     * @param lost why this member has none to give: then no member has a result
     */
    public Exchanged exchange(Collective collective, Shape shape, byte[] elements, Optional<Fault> lost)
            throws InterruptedException {
        requireMember(collective);
        if (brokenBy != null) {
            return Exchanged.failed(fault(collective, brokenBy));
        }
        try {
            return new Exchange(collective, shape, elements, lost).run();
        } catch (PeerLostException missing) {
            breakUp(collective.label() + " " + collective.number() + ": " + missing.getMessage());
            return Exchanged.failed(fault(collective, brokenBy));
        }
    }

    /** Tells the other members that this one takes part no more. */
    public void close(String reason) {
        breakUp(reason);
    }

    private void breakUp(String reason) {
        brokenBy = brokenBy == null ? reason : brokenBy;
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.close(reason);
            }
        }
    }

    private void requireMember(Collective collective) {
        List<Integer> members = collective.members();
        if (!members.contains(rank) || members.stream().anyMatch(member -> member >= lanes.size())) {
            throw new MalformedException(collective.label() + ": member " + rank + " of a group of " + lanes.size()
                    + " is asked to take part in an exchange of members " + members);
        }
    }

    private Fault fault(Collective collective, String problem) {
        return Fault.newBuilder()
                .setKind(FaultKind.EXTERNAL.code())
                .setOp(collective.label())
                .setMessage(collective.label() + ": group " + name + ": " + problem)
                .build();
    }

    /** One of them. */
    private final class Exchange {
        private final Collective collective;
        private final List<Integer> members;
        private final int self;
        private final Shape shape;
        private final byte[] elements;
        private final DType dtype;
        /** What was heard of members that have nothing, this one included; the first of them counts. */
        private final Fault[] faults;

        Exchange(Collective collective, Shape shape, byte[] elements, Optional<Fault> lost) {
            this.collective = collective;
            this.members = collective.members();
            this.self = members.indexOf(rank);
            this.shape = shape;
            this.elements = elements;
            this.dtype = collective.type().dtype();
            this.faults = new Fault[members.size()];
            this.faults[self] = lost.orElse(null);
        }

        Exchanged run() throws InterruptedException {
            byte[] result = switch (collective.fn()) {
                case ALL_REDUCE -> allReduce();
                case ALL_GATHER -> allGather();
                case REDUCE_SCATTER -> reduceScatter();
                case ALL_TO_ALL -> allToAll();
                case SEND -> send();
                case RECEIVE -> receive();
            };
            for (Fault fault : faults) {
                if (fault != null) {
                    return Exchanged.failed(fault);
                }
            }
            return Exchanged.of(result);
        }

        private byte[] allReduce() throws InterruptedException {
            long whole = collective.type().bytes();
            if (whole < SMALL_BYTES) {
                List<byte[]> terms = trade(member -> elements, member -> whole);
                return isFailed() ? null : Sums.of(dtype, terms);
            }
            Split chunks = Split.even(0, collective.type().shape().elements(), members.size());
            Shape flat = Shape.of(chunks.total());
            int unit = dtype.bytes();
            List<byte[]> terms = trade(
                    member -> Slabs.cut(elements, flat, 0, chunks.start(member), chunks.end(member), unit),
                    member -> chunks.size(self) * unit);
            if (isFailed()) {
                return null;
            }
            byte[] sum = Sums.of(dtype, terms);
            List<byte[]> sums = trade(member -> sum, member -> chunks.size(member) * unit);
            return isFailed() ? null : pasted(sums, flat, chunks);
        }

        private byte[] allGather() throws InterruptedException {
            Split split = collective.from().orElseThrow();
            Shape whole = collective.type().shape();
            List<byte[]> parts = trade(
                    member -> elements,
                    member -> Slabs.bytes(whole, split.dim(), split.start(member), split.end(member), dtype.bytes()));
            return isFailed() ? null : pasted(parts, whole, split);
        }

        private byte[] pasted(List<byte[]> parts, Shape whole, Split split) {
            byte[] result = new byte[Math.toIntExact(whole.elements() * dtype.bytes())];
            for (int member = 0; member < parts.size(); member++) {
                Slabs.paste(
                        parts.get(member),
                        result,
                        whole,
                        split.dim(),
                        split.start(member),
                        split.end(member),
                        dtype.bytes());
            }
            return result;
        }

        private byte[] reduceScatter() throws InterruptedException {
            Split split = collective.to().orElseThrow();
            List<byte[]> terms = trade(
                    member -> Slabs.cut(
                            elements, shape, split.dim(), split.start(member), split.end(member), dtype.bytes()),
                    member -> collective.type().bytes());
            return isFailed() ? null : Sums.of(dtype, terms);
        }

        private byte[] allToAll() throws InterruptedException {
            Split from = collective.from().orElseThrow();
            Split to = collective.to().orElseThrow();
            Shape result = collective.type().shape();
            int unit = dtype.bytes();
            if (from.dim() == to.dim()) {
                return moveCuts(from, to, result);
            }
            List<byte[]> parts = trade(
                    member -> Slabs.cut(elements, shape, to.dim(), to.start(member), to.end(member), unit),
                    member -> Slabs.bytes(result, from.dim(), from.start(member), from.end(member), unit));
            return isFailed() ? null : pasted(parts, result, from);
        }

        /** One dimension is cut elsewhere: a member sends each other one what both ranges have. */
        private byte[] moveCuts(Split from, Split to, Shape result) throws InterruptedException {
            int unit = dtype.bytes();
            int dim = to.dim();
            List<byte[]> parts = trade(
                    member -> {
                        Range both = Range.of(from, self, to, member).relativeTo(from.start(self));
                        return Slabs.cut(elements, shape, dim, both.start(), both.end(), unit);
                    },
                    member -> {
                        Range both = Range.of(from, member, to, self).relativeTo(to.start(self));
                        return Slabs.bytes(result, dim, both.start(), both.end(), unit);
                    });
            if (isFailed()) {
                return null;
            }
            byte[] joined = new byte[Math.toIntExact(result.elements() * unit)];
            for (int member = 0; member < parts.size(); member++) {
                Range both = Range.of(from, member, to, self).relativeTo(to.start(self));
                Slabs.paste(parts.get(member), joined, result, dim, both.start(), both.end(), unit);
            }
            return joined;
        }

        /** Indices that a sender has and a receiver is to have. */
        private record Range(long start, long end) {
            private static final Range NONE = new Range(0, 0);

            static Range of(Split from, int sender, Split to, int receiver) {
                long start = Math.max(from.start(sender), to.start(receiver));
                long end = Math.min(from.end(sender), to.end(receiver));
                return start < end ? new Range(start, end) : NONE;
            }

            Range relativeTo(long first) {
                return this == NONE ? NONE : new Range(start - first, end - first);
            }
        }

        private byte[] send() throws InterruptedException {
            for (int member = 1; member < members.size(); member++) {
                send(member, elements);
            }
            return new byte[0];
        }

        private byte[] receive() throws InterruptedException {
            return receive(0, collective.type().bytes());
        }

        private boolean isFailed() {
            for (Fault fault : faults) {
                if (fault != null) {
                    return true;
                }
            }
            return false;
        }

        private interface Parts {
            byte[] of(int member);
        }

        private interface Sizes {
            long of(int member);
        }

        /** Sends each member its part, or that this one has none; the answer is what came, by member. */
        private List<byte[]> trade(Parts outgoing, Sizes incoming) throws InterruptedException {
            byte[] own = null;
            for (int member = 0; member < members.size(); member++) {
                byte[] part = isFailed() ? null : outgoing.of(member);
                if (member == self) {
                    own = part;
                } else {
                    send(member, part);
                }
            }
            List<byte[]> came = new ArrayList<>(members.size());
            for (int member = 0; member < members.size(); member++) {
                came.add(member == self ? own : receive(member, incoming.of(member)));
            }
            return came;
        }

        private void send(int member, byte[] part) throws InterruptedException {
            PeerMessage message = faults[self] == null
                    ? PeerMessage.of(collective.number(), collective.program(), part)
                    : PeerMessage.failed(collective.number(), collective.program(), faults[self]);
            lanes.get(members.get(member)).send(message);
        }

        private byte[] receive(int member, long bytes) throws InterruptedException {
            PeerMessage message = lanes.get(members.get(member)).receive(bytes);
            requireSame(member, message);
            if (message.fault().isPresent()) {
                faults[member] = message.fault().get();
                return null;
            }
            if (message.elements().length != bytes) {
                throw new PeerLostException("member " + members.get(member) + " sent " + message.elements().length
                        + " bytes, expected " + bytes);
            }
            return message.elements();
        }

        private void requireSame(int member, PeerMessage message) {
            if (message.number() != collective.number() || message.program() != collective.program()) {
                throw new PeerLostException("the members do not run one program, got exchange " + message.number()
                        + " of program " + Long.toHexString(message.program()) + " from member " + members.get(member)
                        + ", expected " + collective.number() + " of " + Long.toHexString(collective.program()));
            }
        }
    }
}
