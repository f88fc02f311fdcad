package dev.outpost.nn;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The tensors and modules of a module, by name and in the order of registration. Shared tensors and modules appear
 * under each of their names.
 */
final class Registry {
    private final Module module;
    private final SequencedMap<String, ModuleTensor> tensors = new LinkedHashMap<>();
    private final SequencedMap<String, Module> children = new LinkedHashMap<>();
    /** The parameters that are computed from others, and are therefore no part of the state. */
    private final Map<String, Parameter> parametrized = new LinkedHashMap<>();

    Registry(Module module) {
        this.module = module;
    }

    void add(String name, Module child) {
        ArgumentChecks.required(child, "module " + name);
        requireFree(name);
        children.put(name, child);
        nameAll();
    }

    void add(String name, ModuleTensor tensor) {
        ArgumentChecks.required(tensor, "what is called " + name);
        requireFree(name);
        tensors.put(name, tensor);
        nameAll();
    }

    /** Returns a parameter, which is trained or computed from trained parameters; null if it does not exist. */
    @Nullable
    Parameter parameter(String name) {
        return tensors.get(name) instanceof Parameter parameter ? parameter : parametrized.get(name);
    }

    boolean isParametrized(String name) {
        return parametrized.containsKey(name);
    }

    @Nullable
    Module child(String name) {
        return children.get(name);
    }

    /** Marks a parameter as computed from others, which are trained instead. */
    void parametrize(String name) {
        parametrized.put(name, (Parameter) tensors.remove(name));
    }

    /** Marks a parameter as trained itself again. */
    void unparametrize(String name) {
        tensors.put(name, parametrized.remove(name));
        nameAll();
    }

    void remove(String child) {
        children.remove(child);
    }

    private void requireFree(String name) {
        if (name.isEmpty() || name.contains(".")) {
            throw new OpException("register", "a name must not be empty or hold a dot, got \"" + name + '"');
        }
        if (children.containsKey(name) || tensors.containsKey(name) || parametrized.containsKey(name)) {
            throw new OpException("register", module.typeName() + " already has something called " + name);
        }
    }

    /** Sets the name of every tensor within this module; if a tensor has several names, the first one. */
    void nameAll() {
        distinct(state()).forEach((name, tensor) -> tensor.rename(name));
    }

    SequencedMap<String, Module> children() {
        return children;
    }

    SequencedMap<String, Module> modules() {
        SequencedMap<String, Module> all = new LinkedHashMap<>();
        walk("", all::put);
        return all;
    }

    /**
     * Returns the state. Parameters and buffers of a module come before the parameters and buffers of its children.
     */
    SequencedMap<String, ModuleTensor> state() {
        return owned(ModuleTensor.class);
    }

    <T extends ModuleTensor> SequencedMap<String, T> owned(Class<T> kind) {
        SequencedMap<String, T> all = new LinkedHashMap<>();
        walk("", (prefix, owner) -> owner.registry().collect(kind, prefix, all));
        return all;
    }

    private <T extends ModuleTensor> void collect(Class<T> kind, String prefix, Map<String, T> into) {
        tensors.forEach((name, tensor) -> {
            if (kind.isInstance(tensor)) {
                into.put(join(prefix, name), kind.cast(tensor));
            }
        });
    }

    private void walk(String prefix, BiConsumer<String, Module> visitor) {
        visitor.accept(prefix, module);
        children.forEach((name, child) -> child.registry().walk(join(prefix, name), visitor));
    }

    private static String join(String prefix, String name) {
        return prefix.isEmpty() ? name : prefix + '.' + name;
    }

    /** Returns each object once, under the first of its names. */
    static <T> SequencedMap<String, T> distinct(Map<String, T> all) {
        Map<T, Boolean> seen = new IdentityHashMap<>();
        SequencedMap<String, T> first = new LinkedHashMap<>();
        all.forEach((name, thing) -> {
            if (seen.put(thing, true) == null) {
                first.put(name, thing);
            }
        });
        return first;
    }
}
