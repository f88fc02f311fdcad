package dev.outpost.client.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Open handles by the id of the value that they hold. A fault names the lost values by id; there are thousands of them if many reads fail
 * in a row. Guarded by the ledger's lock.
 */
final class HandleIndex {
    private final Map<Long, List<ValueHandle>> byId = new HashMap<>();

    void add(ValueHandle handle, RemoteValue value) {
        if (value != null) {
            byId.computeIfAbsent(value.id(), id -> new ArrayList<>(1)).add(handle);
        }
    }

    void remove(ValueHandle handle, RemoteValue value) {
        if (value != null) {
            byId.computeIfPresent(value.id(), (id, holding) -> {
                holding.remove(handle);
                return holding.isEmpty() ? null : holding;
            });
        }
    }

    List<ValueHandle> holding(long id) {
        return byId.getOrDefault(id, List.of());
    }

    int size() {
        return byId.size();
    }
}
