package dev.outpost.nn;

import dev.outpost.HostTensor;
import dev.outpost.client.Arguments;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares a module's state with values that someone brought, and says all that does not fit at once. */
final class StateLoading {
    private final Map<String, ModuleTensor> owned;
    private final Map<String, HostTensor> values;

    StateLoading(Map<String, ModuleTensor> owned, Map<String, HostTensor> values) {
        this.owned = owned;
        this.values = Arguments.required(values, "the state");
        values.forEach((name, value) -> Arguments.required(value, "the value of " + name));
    }

    /** Names that differ are refused if strict; shapes that differ always are. */
    IncompatibleKeys check(boolean strict) {
        IncompatibleKeys keys = new IncompatibleKeys(without(owned.keySet(), values), without(values.keySet(), owned));
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
            HostTensor value = values.get(name);
            if (value != null && !value.shape().equals(tensor.shape())) {
                problems.add(name + " has another shape, the module has " + tensor.shape() + ", got " + value.shape());
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
