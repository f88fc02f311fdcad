package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Parameters with names (torch.nn.ParameterDict). */
public final class ParameterDict extends Module {
    private final SequencedMap<String, Parameter> held = new LinkedHashMap<>();

    public ParameterDict(SequencedMap<String, Parameter> parameters) {
        parameters.forEach(this::put);
    }

    public ParameterDict put(String name, Parameter parameter) {
        parameter(name, parameter);
        held.put(name, parameter);
        return this;
    }

    public Parameter get(String name) {
        Parameter found = held.get(name);
        if (found == null) {
            throw new OpException("ParameterDict", "there are " + held.keySet() + ", got " + name);
        }
        return found;
    }

    /** Returns all parameters, by name and in order. */
    public SequencedMap<String, Parameter> entries() {
        return Collections.unmodifiableSequencedMap(held);
    }
}
