package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A list of modules of one kind, called 0, 1, 2, …; their owner calls them.
 *
 * @param <M> their type
 */
public final class ModuleList<M extends Module> extends Module implements Iterable<M> {
    private final List<M> modules = new ArrayList<>();

    public ModuleList(Iterable<? extends M> modules) {
        modules.forEach(this::add);
    }

    public ModuleList<M> add(M module) {
        register(Integer.toString(modules.size()), module);
        modules.add(module);
        return this;
    }

    public M get(int index) {
        if (index < 0 || index >= modules.size()) {
            throw new OpException("ModuleList", "there are " + modules.size() + " modules, got index " + index);
        }
        return modules.get(index);
    }

    public int size() {
        return modules.size();
    }

    @Override
    public Iterator<M> iterator() {
        return List.copyOf(modules).iterator();
    }
}
