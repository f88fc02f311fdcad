package dev.outpost.client.sharding;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts values from one placement to another. Adds exchanges if members lack elements. */
final class Reshards {
    private static final int FEWEST_ROUNDED = 1024;

    private final MemberBuilders members;
    private final Exchanges exchanges;
    private final List<GroupExchange> exchanged = new ArrayList<>();
    private String cause = "";
    private String line = "";

    Reshards(MemberBuilders members, Exchanges exchanges) {
        this.members = members;
        this.exchanges = exchanges;
    }

    /** Sets the op and the line of the program for which the next exchanges are recorded. */
    void begin(String op, String ofLine) {
        cause = op;
        line = ofLine;
    }

    List<GroupExchange> exchanged() {
        return List.copyOf(exchanged);
    }

    /**
     * Returns the value in another placement.
     *
     * @param isFallback true if the op has no rule for the present placement
     */
    ShardedValue to(ValuePlacements placements, Sharding target, boolean isFallback) {
        if (placements.isCreated()) {
            return placements.in(target);
        }
        ShardedValue shardedValue = placements.has(target);
        if (shardedValue != null) {
            return shardedValue;
        }
        ShardedValue made = make(placements, target, isFallback);
        placements.add(made);
        return made;
    }

    private ShardedValue make(ValuePlacements placements, Sharding target, boolean isFallback) {
        ShardedValue replicated = replicatedOn(placements, target.workers());
        if (replicated != null) {
            return fromWhole(replicated, placements.type(), target);
        }
        ShardedValue main = placements.main();
        if (main.sharding().workers().equals(target.workers())) {
            Optional<MeshReshard> onMesh = MeshReshard.between(main.sharding(), target);
            if (onMesh.isPresent()) {
                return onMesh.get()
                        .run(main, (shardedValue, move) -> along(placements, shardedValue, move, isFallback));
            }
            if (!isOnMesh(main.sharding()) && !isOnMesh(target)) {
                return exchange(placements, main, target, isFallback);
            }
        }
        ShardedValue whole = to(placements, main.sharding().with(Placement.REPLICATE), isFallback);
        ShardedValue there = move(placements, whole, target.workers(), isFallback);
        return fromWhole(there, placements.type(), target);
    }

    /** Returns a version of which these workers (and perhaps others) have all elements, or null. */
    static ShardedValue replicatedOn(ValuePlacements placements, List<Integer> workers) {
        for (ShardedValue shardedValue : placements.all()) {
            boolean isThere = shardedValue.sharding().isReplicated()
                    && shardedValue.sharding().workers().containsAll(workers);
            if (isThere) {
                return shardedValue;
            }
        }
        return null;
    }

    /** Cuts parts out of a value of which the members have all elements. */
    ShardedValue fromWhole(ShardedValue whole, TensorType type, Sharding target) {
        if (target.isReplicated()) {
            return new ShardedValue(target, whole.locals());
        }
        int[] locals = members.none();
        for (int place = 0; place < target.workers().size(); place++) {
            int rank = target.workers().get(place);
            Layout part = partOf(Layout.contiguous(type.shape()), target.placement(), place);
            locals[rank] =
                    members.add(rank, new AsStrided(part), whole.local(rank)).result(0);
        }
        return new ShardedValue(target, locals);
    }

    /** Returns the layout of the part of a view that the worker at a place has. */
    static Layout partOf(Layout whole, Placement placement, int place) {
        return switch (placement) {
            case Placement.Replicate all -> whole;
            case Placement.Partial due -> throw new IllegalArgumentException("a whole value is no term of a sum");
            case Placement.Shard(Split split) -> whole.slice(split.dim(), split.start(place), split.size(place), 1);
            case Placement.OnMesh grid -> {
                Layout part = whole;
                for (int axis = 0; axis < grid.axes().size(); axis++) {
                    part = partOf(part, grid.axes().get(axis), grid.mesh().coordinate(place, axis));
                }
                yield part;
            }
        };
    }

    private static boolean isOnMesh(Sharding sharding) {
        return sharding.placement() instanceof Placement.OnMesh;
    }

    /** Changes a placement along one axis of a mesh, among the workers that differ along it only. */
    private ShardedValue along(
            ValuePlacements placements, ShardedValue shardedValue, MeshReshard.Move move, boolean isFallback) {
        int[] locals = members.none();
        for (List<Integer> workers : move.mesh().groups(move.axis())) {
            if (move.was() instanceof Placement.Replicate) {
                cutAlong(placements, shardedValue, workers, move.becomes(), locals);
            } else {
                exchangeAlong(placements, shardedValue, workers, move, locals, isFallback);
            }
        }
        return new ShardedValue(move.target(), locals);
    }

    private void cutAlong(
            ValuePlacements placements,
            ShardedValue shardedValue,
            List<Integer> workers,
            Placement becomes,
            int[] locals) {
        for (int place = 0; place < workers.size(); place++) {
            int rank = workers.get(place);
            Shape own = shardedValue.sharding().partOf(placements.type().shape(), rank);
            Layout part = partOf(Layout.contiguous(own), becomes, place);
            locals[rank] = members.add(rank, new AsStrided(part), shardedValue.local(rank))
                    .result(0);
        }
    }

    private void exchangeAlong(
            ValuePlacements placements,
            ShardedValue shardedValue,
            List<Integer> workers,
            MeshReshard.Move move,
            int[] locals,
            boolean isFallback) {
        Optional<Split> from = split(move.was());
        Optional<Split> to = split(move.becomes());
        Collective.Fn fn = fn(move.was() instanceof Placement.Partial, to);
        long number = exchanges.next();
        for (int rank : workers) {
            Shape part = move.target().partOf(placements.type().shape(), rank);
            TensorType type = new TensorType(placements.type().dtype(), part);
            Collective op = new Collective(fn, type, workers, from, to, number, exchanges.program());
            locals[rank] = members.add(rank, op, shardedValue.local(rank)).result(0);
        }
        TensorType together = mergedType(placements.type(), shardedValue.sharding(), workers.getFirst(), from);
        note(fn, together, together.bytes(), workers, isFallback);
    }

    /** Returns the type of the tensor that the parts of these workers form together. */
    private static TensorType mergedType(TensorType type, Sharding sharding, int rank, Optional<Split> split) {
        long[] sizes = sharding.partOf(type.shape(), rank).toArray();
        split.ifPresent(cut -> sizes[cut.dim()] = cut.total());
        return new TensorType(type.dtype(), Shape.of(sizes));
    }

    private static Collective.Fn fn(boolean isSum, Optional<Split> to) {
        return isSum
                ? to.isPresent() ? Collective.Fn.REDUCE_SCATTER : Collective.Fn.ALL_REDUCE
                : to.isPresent() ? Collective.Fn.ALL_TO_ALL : Collective.Fn.ALL_GATHER;
    }

    /** Changes the placement among workers that all have a part of the value. */
    private ShardedValue exchange(
            ValuePlacements placements, ShardedValue shardedValue, Sharding target, boolean isFallback) {
        Optional<Split> from = split(shardedValue.sharding().placement());
        Optional<Split> to = split(target.placement());
        Collective.Fn fn = fn(shardedValue.sharding().isPartial(), to);
        long number = exchanges.next();
        int[] locals = members.none();
        for (int rank : target.workers()) {
            Shape part = target.partOf(placements.type().shape(), rank);
            TensorType type = new TensorType(placements.type().dtype(), part);
            Collective op = isRounded(fn, placements.type())
                    ? Collective.rounded(type, target.workers(), exchanges.format(), number, exchanges.program())
                    : new Collective(fn, type, target.workers(), from, to, number, exchanges.program());
            locals[rank] = members.add(rank, op, shardedValue.local(rank)).result(0);
        }
        if (isRounded(fn, placements.type())) {
            long bytes = exchanges.format().bytes(placements.type().shape().elements());
            note(Collective.Fn.ALL_REDUCE_ROUNDED, placements.type(), bytes, target.workers(), isFallback);
        } else {
            note(fn, placements.type(), placements.type().bytes(), target.workers(), isFallback);
        }
        return new ShardedValue(target, locals);
    }

    /** Returns true if a sum is sent in a rounded format. Small sums, such as a loss, stay exact. */
    private boolean isRounded(Collective.Fn fn, TensorType type) {
        return fn == Collective.Fn.ALL_REDUCE
                && exchanges.format() != WireFormat.EXACT
                && type.dtype() == DType.FLOAT32
                && type.shape().elements() >= FEWEST_ROUNDED;
    }

    private static Optional<Split> split(Placement placement) {
        return placement instanceof Placement.Shard(Split split) ? Optional.of(split) : Optional.empty();
    }

    /**
     * Sends a whole value to workers that have no part of it. The workers that have it share the receivers among
     * themselves.
     */
    private ShardedValue move(
            ValuePlacements placements, ShardedValue whole, List<Integer> workers, boolean isFallback) {
        int[] locals = members.none();
        Map<Integer, List<Integer>> receivers = new LinkedHashMap<>();
        List<Integer> senders = whole.sharding().workers();
        int next = 0;
        for (int rank : workers) {
            if (senders.contains(rank)) {
                locals[rank] = whole.local(rank);
            } else {
                int sender = senders.get(next++ % senders.size());
                receivers.computeIfAbsent(sender, nobody -> new ArrayList<>()).add(rank);
            }
        }
        receivers.forEach((sender, ranks) -> send(placements, whole, sender, ranks, locals, isFallback));
        ShardedValue there = new ShardedValue(new Sharding(workers, Placement.REPLICATE), locals);
        placements.add(there);
        return there;
    }

    private void send(
            ValuePlacements placements,
            ShardedValue whole,
            int sender,
            List<Integer> ranks,
            int[] locals,
            boolean isFallback) {
        List<Integer> pair = new ArrayList<>();
        pair.add(sender);
        pair.addAll(ranks);
        long number = exchanges.next();
        TensorType nothing = new TensorType(placements.type().dtype(), Shape.of(0));
        members.add(sender, moved(Collective.Fn.SEND, nothing, pair, number), whole.local(sender));
        for (int rank : ranks) {
            locals[rank] = members.add(rank, moved(Collective.Fn.RECEIVE, placements.type(), pair, number))
                    .result(0);
        }
        note(Collective.Fn.SEND, placements.type(), placements.type().bytes() * ranks.size(), pair, isFallback);
    }

    private Collective moved(Collective.Fn fn, TensorType type, List<Integer> pair, long number) {
        return new Collective(fn, type, pair, Optional.empty(), Optional.empty(), number, exchanges.program());
    }

    private void note(Collective.Fn fn, TensorType type, long bytes, List<Integer> workers, boolean isFallback) {
        exchanged.add(new GroupExchange(fn.label(), cause, type, bytes, workers, line, isFallback));
    }
}
