package dev.outpost.client.group;

import dev.outpost.client.session.MachineSession;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Uploads data of the program to the members of a group; each member gets its part. Thread-safe. */
final class GroupUploads {
    private final int size;
    private final AtomicLong last = new AtomicLong();
    /** The placement of this thread's uploads; null to place them on all members. */
    private final ThreadLocal<Function<TensorType, Sharding>> placing = new ThreadLocal<>();

    GroupUploads(int size) {
        this.size = size;
    }

    /** Runs a body whose uploads on this thread get this placement. */
    <T> T placing(Function<TensorType, Sharding> placement, Supplier<T> body) {
        Function<TensorType, Sharding> before = placing.get();
        placing.set(placement);
        try {
            return body.get();
        } finally {
            placing.set(before);
        }
    }

    /** Returns the placement of this thread's upload of this type. */
    Sharding placement(TensorType type) {
        Function<TensorType, Sharding> placement = placing.get();
        return placement == null ? Sharding.replicated(size) : placement.apply(type);
    }

    /** Returns the number of the next upload. */
    long next() {
        return last.incrementAndGet();
    }

    /** Sends each member its part. */
    static void send(GroupSession group, long upload, TensorType type, Sharding sharding, ElementSource elements) {
        for (int rank : sharding.workers()) {
            send(group.members().get(rank), rank, upload, type, sharding, elements);
        }
    }

    private static void send(
            MachineSession session, int rank, long upload, TensorType type, Sharding sharding, ElementSource elements) {
        TensorType part = new TensorType(type.dtype(), sharding.partOf(type.shape(), rank));
        if (part.bytes() == 0) {
            return;
        }
        session.upload(
                upload,
                part,
                part(elements, type, sharding.placement(), sharding.workers().indexOf(rank)));
    }

    private static ElementSource part(ElementSource whole, TensorType type, Placement placement, int place) {
        return switch (placement) {
            case Placement.Replicate all -> whole;
            case Placement.Partial due -> whole;
            case Placement.Shard(Split split) -> new PartSource(whole, type, split, place);
            case Placement.OnMesh grid -> partOnMesh(whole, type, grid, place);
        };
    }

    /** Takes the part along the first axis, then the part of that part along the next axis, and so on. */
    private static ElementSource partOnMesh(ElementSource whole, TensorType type, Placement.OnMesh grid, int place) {
        ElementSource part = whole;
        long[] sizes = type.shape().toArray();
        for (int axis = 0; axis < grid.axes().size(); axis++) {
            if (grid.axes().get(axis) instanceof Placement.Shard(Split split)) {
                int member = grid.mesh().coordinate(place, axis);
                part = new PartSource(part, new TensorType(type.dtype(), Shape.of(sizes)), split, member);
                sizes[split.dim()] = split.size(member);
            }
        }
        return part;
    }
}
