package dev.outpost.runtime.peer;

import dev.outpost.protocol.op.Collective;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.List;

/** Moves the parts of each kind of exchange. A member sends its parts to the others before it receives theirs. */
final class PartExchange {
    private final ExchangeRun run;
    private final Collective collective;
    private final int self;
    private final int unit;

    private PartExchange(ExchangeRun run) {
        this.run = run;
        this.collective = run.collective();
        this.self = run.self();
        this.unit = run.dtype().bytes();
    }

    /** Runs the exchange. Returns this member's result. */
    static byte[] of(ExchangeRun run) throws InterruptedException, PeerFaultException {
        PartExchange exchange = new PartExchange(run);
        return switch (run.collective().fn()) {
            case ALL_REDUCE -> AllReduce.of(run);
            case ALL_REDUCE_ROUNDED -> RoundedAllReduce.of(run);
            case ALL_GATHER -> exchange.allGather();
            case REDUCE_SCATTER -> exchange.reduceScatter();
            case ALL_TO_ALL -> exchange.allToAll();
            case SEND -> exchange.send();
            case RECEIVE -> run.receive(0, 0, run.collective().type().bytes());
        };
    }

    private byte[] allGather() throws InterruptedException, PeerFaultException {
        Split split = collective.from().orElseThrow();
        Shape whole = collective.type().shape();
        List<byte[]> parts = trade(
                member -> run.elements(),
                member -> SliceCopies.bytes(whole, split.dim(), split.start(member), split.end(member), unit));
        return pasted(parts, whole, split);
    }

    private byte[] pasted(List<byte[]> parts, Shape whole, Split split) {
        byte[] result = new byte[Math.toIntExact(whole.elements() * unit)];
        for (int member = 0; member < parts.size(); member++) {
            SliceCopies.paste(
                    parts.get(member), result, whole, split.dim(), split.start(member), split.end(member), unit);
        }
        return result;
    }

    private byte[] reduceScatter() throws InterruptedException, PeerFaultException {
        Split split = collective.to().orElseThrow();
        List<byte[]> terms = trade(
                member -> SliceCopies.cut(
                        run.elements(), run.shape(), split.dim(), split.start(member), split.end(member), unit),
                member -> collective.type().bytes());
        return Sums.of(run.dtype(), terms);
    }

    private byte[] allToAll() throws InterruptedException, PeerFaultException {
        Split from = collective.from().orElseThrow();
        Split to = collective.to().orElseThrow();
        Shape result = collective.type().shape();
        if (from.dim() == to.dim()) {
            return moveCuts(from, to, result);
        }
        List<byte[]> parts = trade(
                member ->
                        SliceCopies.cut(run.elements(), run.shape(), to.dim(), to.start(member), to.end(member), unit),
                member -> SliceCopies.bytes(result, from.dim(), from.start(member), from.end(member), unit));
        return pasted(parts, result, from);
    }

    /**
     * Changes the split of one dimension. Each member sends every other member the indices that are in its old range
     * and in the other member's new range.
     */
    private byte[] moveCuts(Split from, Split to, Shape result) throws InterruptedException, PeerFaultException {
        int dim = to.dim();
        List<byte[]> parts = trade(
                member -> {
                    Range both = Range.of(from, self, to, member).relativeTo(from.start(self));
                    return SliceCopies.cut(run.elements(), run.shape(), dim, both.start(), both.end(), unit);
                },
                member -> {
                    Range both = Range.of(from, member, to, self).relativeTo(to.start(self));
                    return SliceCopies.bytes(result, dim, both.start(), both.end(), unit);
                });
        byte[] joined = new byte[Math.toIntExact(result.elements() * unit)];
        for (int member = 0; member < parts.size(); member++) {
            Range both = Range.of(from, member, to, self).relativeTo(to.start(self));
            SliceCopies.paste(parts.get(member), joined, result, dim, both.start(), both.end(), unit);
        }
        return joined;
    }

    /** Indices that a sender has and a receiver needs. */
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
        run.awaitAll();
        for (int member = 1; member < run.size(); member++) {
            run.send(member, 0, run.elements(), 0, run.elements().length);
        }
        return new byte[0];
    }

    private interface Parts {
        byte[] of(int member);
    }

    private interface Sizes {
        long of(int member);
    }

    /** Sends each member its part. Returns the received parts, by member. */
    private List<byte[]> trade(Parts outgoing, Sizes incoming) throws InterruptedException, PeerFaultException {
        for (int after = 1; after < run.size(); after++) {
            int member = (self + after) % run.size();
            byte[] part = outgoing.of(member);
            run.send(member, 0, part, 0, part.length);
        }
        List<byte[]> came = new ArrayList<>(run.size());
        for (int member = 0; member < run.size(); member++) {
            came.add(member == self ? outgoing.of(member) : run.receive(member, 0, incoming.of(member)));
        }
        return came;
    }
}
