package dev.outpost;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of the open machines of this JVM. A second machine with the same name gets a number, such as {@code
 * mock-A100#2}, so that messages, logs and profiles distinguish the two. A name is free again when its machine is
 * closed or collected. Thread-safe.
 */
final class OpenMachineNames {
    private static final Map<String, WeakReference<Object>> TAKEN = new HashMap<>();

    private OpenMachineNames() {}

    /**
     * Reserves a name for an owner.
     *
     * @param wanted the name that the machine gets if no other machine has it
     * @param owner holds the name until it is released or collected
     * @return the name, with a number if it is taken
     */
    static synchronized String take(String wanted, Object owner) {
        TAKEN.values().removeIf(held -> held.refersTo(null));
        String name = wanted;
        for (int number = 2; TAKEN.containsKey(name); number++) {
            name = wanted + "#" + number;
        }
        TAKEN.put(name, new WeakReference<>(owner));
        return name;
    }

    /** Releases a name. Does nothing if another owner has it. */
    static synchronized void release(String name, Object owner) {
        WeakReference<Object> held = TAKEN.get(name);
        if (held != null && held.refersTo(owner)) {
            TAKEN.remove(name);
        }
    }
}
