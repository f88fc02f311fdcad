package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Modules with names; their owner calls them (torch.nn.ModuleDict).
 *
 * @param <M> their type
 */
public final class ModuleDict<M extends Module> extends Module {
    private final SequencedMap<String, M> held = new LinkedHashMap<>();

    public ModuleDict(SequencedMap<String, ? extends M> modules) {
        modules.forEach(this::put);
    }

    public ModuleDict<M> put(String name, M module) {
        register(name, module);
        held.put(name, module);
        return this;
    }

    public M get(String name) {
        M found = held.get(name);
        if (found == null) {
            throw new OpException("ModuleDict", "there are " + held.keySet() + ", got " + name);
        }
        return found;
    }

    /** Returns all modules, by name and in order. */
    public SequencedMap<String, M> entries() {
        return Collections.unmodifiableSequencedMap(held);
    }
}
