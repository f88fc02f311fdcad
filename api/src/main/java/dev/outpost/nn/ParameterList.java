package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A list of parameters, called 0, 1, 2, … (torch.nn.ParameterList). */
public final class ParameterList extends Module implements Iterable<Parameter> {
    private final List<Parameter> held = new ArrayList<>();

    public ParameterList(Iterable<Parameter> parameters) {
        parameters.forEach(this::add);
    }

    public ParameterList add(Parameter parameter) {
        parameter(Integer.toString(held.size()), parameter);
        held.add(parameter);
        return this;
    }

    public Parameter get(int index) {
        if (index < 0 || index >= held.size()) {
            throw new OpException("ParameterList", "there are " + held.size() + " parameters, got index " + index);
        }
        return held.get(index);
    }

    public int size() {
        return held.size();
    }

    @Override
    public Iterator<Parameter> iterator() {
        return List.copyOf(held).iterator();
    }
}
