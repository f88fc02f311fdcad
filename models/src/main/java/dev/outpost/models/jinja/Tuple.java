package dev.outpost.models.jinja;

import java.util.AbstractList;
import java.util.List;

/** Python's tuple: a list that prints in round brackets. */
final class Tuple extends AbstractList<Object> {
    private final List<Object> parts;

    private final List<String> names;

    Tuple(List<Object> parts) {
        this(parts, List.of());
    }

    /** @param names the names of the parts; empty if they have none */
    Tuple(List<Object> parts, List<String> names) {
        this.parts = parts;
        this.names = names;
    }

    List<String> names() {
        return names;
    }

    @Override
    public Object get(int place) {
        return parts.get(place);
    }

    @Override
    public int size() {
        return parts.size();
    }
}
