package dev.outpost.client.sharding;

import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Where what is recorded within a signal is computed.
 *
 * @param workers ranks
 * @param how what becomes of operands there
 * @param axis the dimension along which data are cut
 * @param mesh takes the place of the axis, where there is one
 */
public record SignalPlacement(List<Integer> workers, How how, int axis, Optional<OnMesh> mesh) {
    /**
     * Dimensions that are cut along axes of a mesh. A tensor of another rank is whole.
     *
     * @param activations of data: for each dimension an axis, or none
     * @param weights of parameters, likewise
     */
    public record OnMesh(Mesh mesh, List<Optional<String>> activations, List<Optional<String>> weights) {}

    /** The treatment of operands. */
    public enum How {
        /** They are brought to the workers, cut as they were. */
        CUT,
        /** They are brought to the workers whole. */
        WHOLE,
        /** As {@link #CUT}; a copy is cut along the axis besides. */
        COPY
    }

    /** Without a mesh. */
    public SignalPlacement(List<Integer> workers, How how, int axis) {
        this(workers, how, axis, Optional.empty());
    }

    /** On a mesh. */
    public static SignalPlacement on(OnMesh mesh) {
        return new SignalPlacement(mesh.mesh().workers(), How.CUT, 0, Optional.of(mesh));
    }

    public SignalPlacement {
        workers = List.copyOf(workers);
    }

    /** How data of the program are placed that come within the signal. */
    public Sharding ofData(Shape shape) {
        if (mesh.isPresent()) {
            return Sharding.onMesh(mesh.get().mesh(), shape, mesh.get().activations());
        }
        boolean isCut = how != How.WHOLE && axis < shape.rank() && shape.size(axis) >= workers.size();
        return isCut ? Sharding.even(workers, shape, axis) : new Sharding(workers, Placement.REPLICATE);
    }

    /** How parameters are placed that are moved to the signal. */
    public Sharding ofWeights(Shape shape) {
        return mesh.map(on -> Sharding.onMesh(on.mesh(), shape, on.weights()))
                .orElseGet(() -> new Sharding(workers, Placement.REPLICATE));
    }

    /** The same, where a copy is cut as data of the program are. */
    public SignalPlacement copying() {
        return new SignalPlacement(workers, how == How.CUT ? How.COPY : how, axis, mesh);
    }
}
