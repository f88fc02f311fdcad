package dev.outpost.sharding;

import dev.outpost.protocol.op.Split;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which machines of a group have something of a tensor, and what. Immutable.
 *
 * @param workers ranks in the group, each once; a shard's parts are theirs in this order
 */
public record Sharding(List<Integer> workers, Placement placement) {

    public Sharding {
        workers = List.copyOf(workers);
        if (workers.isEmpty() || workers.stream().distinct().count() != workers.size()) {
            throw new OutpostException(FaultKind.USER, "sharding: expected workers, each of them once, got " + workers);
        }
        if (placement instanceof Placement.Shard shard && shard.split().members() != workers.size()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "sharding: expected a part for each of the workers " + workers + ", got " + placement);
        }
    }

    /** All of it on the first so many members of a group. */
    public static Sharding replicated(int members) {
        return new Sharding(IntStream.range(0, members).boxed().toList(), Placement.REPLICATE);
    }

    /** A dimension of a tensor cut as evenly as it goes. */
    public static Sharding even(List<Integer> workers, Shape shape, int dim) {
        if (dim < 0 || dim >= shape.rank()) {
            throw new OutpostException(
                    FaultKind.USER, "sharding: dimension " + dim + " is none of a tensor of shape " + shape);
        }
        return workers.size() == 1
                ? new Sharding(workers, Placement.REPLICATE)
                : new Sharding(workers, new Placement.Shard(Split.even(dim, shape.size(dim), workers.size())));
    }

    /** The same workers with something else. */
    public Sharding with(Placement other) {
        return new Sharding(workers, other);
    }

    public boolean isReplicated() {
        return placement instanceof Placement.Replicate;
    }

    public boolean isPartial() {
        return placement instanceof Placement.Partial;
    }

    /** The shape of what a worker has. */
    public Shape partOf(Shape shape, int rank) {
        if (!(placement instanceof Placement.Shard(Split split))) {
            return shape;
        }
        long[] sizes = shape.toArray();
        sizes[split.dim()] = split.size(workers.indexOf(rank));
        return Shape.of(sizes);
    }

    @Override
    public String toString() {
        return placement + " on " + workers;
    }
}
