package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists which values of a program are carried to the next run, emitted, bound at the end, or end a scan.
 *
 * @param iterationInput the input that holds the number of the run, or null
 * @param carries for each carried input, the value that the next run of a scan takes there
 * @param stop the value that ends a scan if it is true, or null
 * @param emitted the values that each run sends to the client
 * @param bound the values that belong to the session after the last run
 */
public record ProgramOutputs(
        RemoteValue iterationInput,
        Map<RemoteValue, RemoteValue> carries,
        RemoteValue stop,
        List<RemoteValue> emitted,
        List<RemoteValue> bound) {

    Set<RemoteValue> values() {
        Set<RemoteValue> values = new LinkedHashSet<>(carries.values());
        values.addAll(emitted);
        values.addAll(bound);
        if (stop != null) {
            values.add(stop);
        }
        return values;
    }
}
