package dev.outpost.sharding;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The machines of a group that have parts of a tensor, and their parts. Immutable.
 *
 * @param workers ranks in the group, each once; the parts of a shard are in this order
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
        if (placement instanceof Placement.OnMesh grid) {
            requireMesh(grid, workers);
            placement = grid.axes().stream().allMatch(Placement.Replicate.class::isInstance)
                    ? Placement.REPLICATE
                    : placement;
        }
    }

    private static void requireMesh(Placement.OnMesh grid, List<Integer> workers) {
        long[] dims = IntStream.range(0, grid.axes().size())
                .mapToLong(grid::dim)
                .filter(dim -> dim >= 0)
                .toArray();
        boolean fits = grid.mesh().workers().equals(workers)
                && grid.axes().size() == grid.mesh().axes().size()
                && Arrays.stream(dims).distinct().count() == dims.length;
        if (!fits) {
            throw new OutpostException(
                    FaultKind.USER,
                    "sharding: expected a placement for each axis of " + grid.mesh()
                            + ", and no dimension cut along two, got " + grid.axes() + " on " + workers);
        }
    }

    /** Places a whole tensor on the first {@code members} members of a group. */
    public static Sharding replicated(int members) {
        return new Sharding(IntStream.range(0, members).boxed().toList(), Placement.REPLICATE);
    }

    /** Cuts a dimension of a tensor as evenly as possible. */
    public static Sharding even(List<Integer> workers, Shape shape, int dim) {
        if (dim < 0 || dim >= shape.rank()) {
            throw new OutpostException(
                    FaultKind.USER, "sharding: dimension " + dim + " is none of a tensor of shape " + shape);
        }
        return workers.size() == 1
                ? new Sharding(workers, Placement.REPLICATE)
                : new Sharding(workers, new Placement.Shard(Split.even(dim, shape.size(dim), workers.size())));
    }

    /**
     * Cuts dimensions of a tensor along axes of a mesh, as evenly as possible. A dimension with fewer indices than its axis has places
     * stays whole.
     *
     * @param dims for each dimension the axis along which it is cut, or none
     */
    public static Sharding onMesh(Mesh mesh, Shape shape, List<Optional<String>> dims) {
        List<Placement> axes = new ArrayList<>();
        for (String axis : mesh.axes().keySet()) {
            int dim = dims.indexOf(Optional.of(axis));
            boolean isCut = dim >= 0 && dims.size() == shape.rank() && shape.size(dim) >= mesh.size(axis);
            axes.add(
                    isCut && mesh.size(axis) > 1
                            ? new Placement.Shard(Split.even(dim, shape.size(dim), mesh.size(axis)))
                            : Placement.REPLICATE);
        }
        return new Sharding(mesh.workers(), new Placement.OnMesh(mesh, axes));
    }

    /** Returns another placement on the same workers. */
    public Sharding with(Placement other) {
        return new Sharding(workers, other);
    }

    public boolean isReplicated() {
        return placement instanceof Placement.Replicate;
    }

    public boolean isPartial() {
        return placement instanceof Placement.Partial;
    }

    /** Returns true if the value is a partial sum; on a mesh, along some axis. */
    public boolean isDue() {
        return isPartial()
                || placement instanceof Placement.OnMesh grid && grid.axes().contains(Placement.PARTIAL);
    }

    /** Returns the placement after the partial sums have been added up. */
    public Sharding summed() {
        return switch (placement) {
            case Placement.Partial due -> with(Placement.REPLICATE);
            case Placement.OnMesh grid ->
                with(new Placement.OnMesh(
                        grid.mesh(),
                        grid.axes().stream()
                                .map(axis -> axis instanceof Placement.Partial ? Placement.REPLICATE : axis)
                                .toList()));
            case Placement.Replicate whole -> this;
            case Placement.Shard shard -> this;
        };
    }

    /** Returns the shape of a worker's part. */
    public Shape partOf(Shape shape, int rank) {
        if (placement instanceof Placement.OnMesh grid) {
            return partOnMesh(grid, shape, workers.indexOf(rank));
        }
        if (!(placement instanceof Placement.Shard(Split split))) {
            return shape;
        }
        long[] sizes = shape.toArray();
        sizes[split.dim()] = split.size(workers.indexOf(rank));
        return Shape.of(sizes);
    }

    private static Shape partOnMesh(Placement.OnMesh grid, Shape shape, int place) {
        long[] sizes = shape.toArray();
        for (int axis = 0; axis < grid.axes().size(); axis++) {
            if (grid.axes().get(axis) instanceof Placement.Shard(Split split)) {
                sizes[split.dim()] = split.size(grid.mesh().coordinate(place, axis));
            }
        }
        return Shape.of(sizes);
    }

    @Override
    public String toString() {
        return placement + " on " + workers;
    }
}
