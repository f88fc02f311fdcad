package dev.outpost.runtime.state;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.SortedMap;

/**
 * The parts of a session that a state has. The owner of the values keeps them until the state is written.
 *
 * @param values in the order of their ids
 * @param programs the code of programs, by slot
 * @param lastFault the number of the latest fault
 * @param names the names of values
 * @param afterEach called when the elements of the next value are no longer needed, once for each value in their order
 */
public record SavedSession(
        List<Held> values,
        SortedMap<Integer, byte[]> programs,
        long lastFault,
        List<KeptValue> names,
        Runnable afterEach) {
    /**
     * A value.
     *
     * @param array the elements; null if a fault is in their place
     * @param fault null if the value has elements
     */
    public record Held(long id, TensorType type, Array array, Fault fault) {}
}
