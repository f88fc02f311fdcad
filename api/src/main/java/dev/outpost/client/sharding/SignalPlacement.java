package dev.outpost.client.sharding;

import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * Where what is recorded within a signal is computed.
 *
 * @param workers ranks
 * @param how what becomes of operands there
 * @param axis the dimension along which data are cut
 */
public record SignalPlacement(List<Integer> workers, How how, int axis) {
    /** What becomes of operands. */
    public enum How {
        /** They are brought to the workers, cut as they were. */
        CUT,
        /** They are brought to the workers whole. */
        WHOLE,
        /** As {@link #CUT}; a copy is cut along the axis besides. */
        COPY
    }

    public SignalPlacement {
        workers = List.copyOf(workers);
    }

    /** How data of the program are placed that come within the signal. */
    public Sharding ofData(Shape shape) {
        boolean isCut = how != How.WHOLE && axis < shape.rank() && shape.size(axis) >= workers.size();
        return isCut ? Sharding.even(workers, shape, axis) : new Sharding(workers, Placement.REPLICATE);
    }

    /** The same, where a copy is cut as data of the program are. */
    public SignalPlacement copying() {
        return new SignalPlacement(workers, how == How.CUT ? How.COPY : how, axis);
    }
}
