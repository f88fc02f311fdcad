package dev.outpost.sharding;

import dev.outpost.types.Split;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The part of a tensor that each machine of a group has. Immutable. */
public sealed interface Placement {
    /** Each machine has the whole tensor. */
    record Replicate() implements Placement {
        @Override
        public String toString() {
            return "replicate";
        }
    }

    /** Each machine has a tensor of the whole shape. The value is the sum of these tensors, which has not been computed yet. */
    record Partial() implements Placement {
        @Override
        public String toString() {
            return "partial";
        }
    }

    /**
     * Each machine has some indices of a dimension.
     *
     * @param split the indices of each machine
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
     * @param axes for each axis of the mesh, in its order, one of the other placements, among the machines that differ only along this axis
     */
    record OnMesh(Mesh mesh, List<Placement> axes) implements Placement {
        public OnMesh {
            axes = List.copyOf(axes);
        }

        /** Returns the dimension that is cut along an axis, or -1. */
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

    /** The placement in which all machines have the whole tensor. */
    Placement REPLICATE = new Replicate();

    /** The placement of a sum that has not been computed yet. */
    Placement PARTIAL = new Partial();
}
