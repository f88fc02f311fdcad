package dev.outpost.models.jinja;

import java.util.AbstractList;
import java.util.List;

/** Python's tuple: a list that prints in round brackets. */
final class Tuple extends AbstractList<Object> {
    private final List<Object> parts;

    Tuple(List<Object> parts) {
        this.parts = parts;
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
