package dev.outpost.client.sharding;

import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The exchanges that bring a value from one placement on a mesh to another. They change one axis after the other;
 * each exchange is among the workers that differ only along its axis. If another axis still shards a dimension, the
 * dimension is gathered along that axis first.
 */
record MeshReshard(Mesh mesh, List<Placement> target) {
    /**
     * A change along one axis.
     *
     * @param was the placement along the axis before
     * @param becomes the placement along the axis after
     * @param target the whole placement after
     */
    record Move(Mesh mesh, int axis, Placement was, Placement becomes, Sharding target) {}

    /** Computes a version of the value by a change along one axis. */
    interface Step {
        ShardedValue make(ShardedValue shardedValue, Move move);
    }

    /** Returns the exchanges between two placements of the same workers; empty if the placements are not on one mesh. */
    static Optional<MeshReshard> between(Sharding has, Sharding target) {
        if (!(has.placement() instanceof Placement.OnMesh from)) {
            return Optional.empty();
        }
        if (target.isReplicated()) {
            List<Placement> whole = Collections.nCopies(from.axes().size(), Placement.REPLICATE);
            return Optional.of(new MeshReshard(from.mesh(), whole));
        }
        boolean isOfOneMesh =
                target.placement() instanceof Placement.OnMesh to && to.mesh().equals(from.mesh());
        return isOfOneMesh
                ? Optional.of(new MeshReshard(from.mesh(), ((Placement.OnMesh) target.placement()).axes()))
                : Optional.empty();
    }

    ShardedValue run(ShardedValue shardedValue, Step step) {
        ShardedValue current = shardedValue;
        List<Placement> axes =
                new ArrayList<>(((Placement.OnMesh) shardedValue.sharding().placement()).axes());
        while (!axes.equals(target)) {
            for (int axis = 0; axis < axes.size(); axis++) {
                Placement next = next(axes, axis);
                if (!axes.get(axis).equals(next)) {
                    Placement was = axes.set(axis, next);
                    Sharding changed = new Sharding(mesh.workers(), new Placement.OnMesh(mesh, axes));
                    current = step.make(current, new Move(mesh, axis, was, next, changed));
                }
            }
        }
        return current;
    }

    private Placement next(List<Placement> axes, int axis) {
        Placement wanted = target.get(axis);
        if (wanted instanceof Placement.Shard(Split split)) {
            for (int other = 0; other < axes.size(); other++) {
                boolean isTaken = other != axis
                        && axes.get(other) instanceof Placement.Shard(Split taken)
                        && taken.dim() == split.dim();
                if (isTaken) {
                    return Placement.REPLICATE;
                }
            }
        }
        return wanted;
    }
}
