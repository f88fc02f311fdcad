package dev.outpost.client.sharding;

import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;

/**
 * The placement of ops that are recorded within a signal.
 *
 * @param workers the ranks of the workers
 * @param how the treatment of operands
 * @param axis the dimension along which data are cut
 * @param mesh replaces the axis if present
 */
public record SignalPlacement(List<Integer> workers, How how, int axis, Optional<OnMesh> mesh) {
    /**
     * Dimensions that are cut along axes of a mesh. A tensor of another rank stays whole.
     *
     * @param activations for each dimension of data, an axis or none
     * @param weights for each dimension of parameters, an axis or none
     */
    public record OnMesh(Mesh mesh, List<Optional<String>> activations, List<Optional<String>> weights) {}

    /** The treatment of operands. */
    public enum How {
        /** Operands are moved to the workers and keep their cuts. */
        CUT,
        /** Operands are moved to the workers and become whole. */
        WHOLE,
        /** Like {@link #CUT}, but a copy of a tensor is also cut along the axis. */
        COPY
    }

    /** A placement without a mesh. */
    public SignalPlacement(List<Integer> workers, How how, int axis) {
        this(workers, how, axis, Optional.empty());
    }

    /** Returns a placement on a mesh. */
    public static SignalPlacement on(OnMesh mesh) {
        return new SignalPlacement(mesh.mesh().workers(), How.CUT, 0, Optional.of(mesh));
    }

    public SignalPlacement {
        workers = List.copyOf(workers);
    }

    /** Returns the placement of data of the program within the signal. */
    public Sharding ofData(Shape shape) {
        if (mesh.isPresent()) {
            return Sharding.onMesh(mesh.get().mesh(), shape, mesh.get().activations());
        }
        boolean isCut = how != How.WHOLE && axis < shape.rank() && shape.size(axis) >= workers.size();
        return isCut ? Sharding.even(workers, shape, axis) : new Sharding(workers, Placement.REPLICATE);
    }

    /** Returns the placement of parameters that are moved to the signal. */
    public Sharding ofWeights(Shape shape) {
        return mesh.map(on -> Sharding.onMesh(on.mesh(), shape, on.weights()))
                .orElseGet(() -> new Sharding(workers, Placement.REPLICATE));
    }

    /** Returns the same placement, but with copies cut like data of the program. */
    public SignalPlacement copying() {
        return new SignalPlacement(workers, how == How.CUT ? How.COPY : how, axis, mesh);
    }
}
