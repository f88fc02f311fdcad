package dev.outpost.nn;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Compares a module's state with given values, and reports all differences at once. */
record StateLoading(Map<String, ModuleTensor> owned, Map<String, Shape> shapes) {
    /** Creates a comparison with the given values, each of which has a shape. */
    static <V> StateLoading of(Map<String, ModuleTensor> owned, Map<String, V> values, Function<V, Shape> shape) {
        Map<String, Shape> shapes = new LinkedHashMap<>();
        ArgumentChecks.required(values, "the state").forEach((name, value) -> {
            shapes.put(name, shape.apply(ArgumentChecks.required(value, "the value of " + name)));
        });
        return new StateLoading(owned, shapes);
    }

    /** Fails for shapes that differ, and, if strict, for names that differ. */
    IncompatibleKeys check(boolean strict) {
        IncompatibleKeys keys = new IncompatibleKeys(without(owned.keySet(), shapes), without(shapes.keySet(), owned));
        List<String> problems = mismatches();
        if (strict) {
            addNames(problems, "missing", keys.missing());
            addNames(problems, "unexpected", keys.unexpected());
        }
        if (!problems.isEmpty()) {
            throw new OpException("load_state_dict", String.join("; ", problems));
        }
        return keys;
    }

    private static List<String> without(Iterable<String> names, Map<String, ?> known) {
        List<String> others = new ArrayList<>();
        names.forEach(name -> {
            if (!known.containsKey(name)) {
                others.add(name);
            }
        });
        return List.copyOf(others);
    }

    private List<String> mismatches() {
        List<String> problems = new ArrayList<>();
        owned.forEach((name, tensor) -> {
            Shape shape = shapes.get(name);
            if (shape != null && !shape.equals(tensor.shape())) {
                problems.add(name + " has another shape, the module has " + tensor.shape() + ", got " + shape);
            }
        });
        return problems;
    }

    private static void addNames(List<String> problems, String how, List<String> names) {
        if (!names.isEmpty()) {
            problems.add(how + " " + String.join(", ", names));
        }
    }
}
