package dev.outpost.sharding;

import dev.outpost.types.Split;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The part of a tensor that each machine of a group has. Immutable. */
public sealed interface Placement {
    /** Each machine has all of it. */
    record Replicate() implements Placement {
        @Override
        public String toString() {
            return "replicate";
        }
    }

    /** Each machine has a tensor of the whole shape, and the value is their sum, which nobody has taken yet. */
    record Partial() implements Placement {
        @Override
        public String toString() {
            return "partial";
        }
    }

    /**
     * Each machine has some indices of a dimension.
     *
     * @param split which ones
     */
    record Shard(Split split) implements Placement {
        @Override
        public String toString() {
            return "shard(" + split.dim() + ") at " + split.bounds();
        }
    }

    /**
     * The part of each machine of a mesh, axis by axis. No dimension is cut along two axes.
     *
     * @param mesh the machines
     * @param axes for each axis of the mesh, in its order, one of the other placements among those that differ along it only
     */
    record OnMesh(Mesh mesh, List<Placement> axes) implements Placement {
        public OnMesh {
            axes = List.copyOf(axes);
        }

        /** The dimension that is cut along an axis, or -1. */
        public int dim(int axis) {
            return axes.get(axis) instanceof Shard(Split split) ? split.dim() : -1;
        }

        @Override
        public String toString() {
            List<String> names = List.copyOf(mesh.axes().keySet());
            return IntStream.range(0, axes.size())
                    .mapToObj(axis -> axes.get(axis) + " along " + names.get(axis))
                    .collect(Collectors.joining(", "));
        }
    }

    /** That of all machines having all of it. */
    Placement REPLICATE = new Replicate();

    /** That of a sum which is still due. */
    Placement PARTIAL = new Partial();
}
