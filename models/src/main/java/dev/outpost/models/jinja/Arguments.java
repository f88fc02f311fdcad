package dev.outpost.models.jinja;

import java.util.List;
import java.util.Map;

/** Arguments of a call: those by position and those by name. */
record Arguments(List<Object> all, Map<String, Object> named) {
    static final Arguments NONE = new Arguments(List.of(), Map.of());

    boolean has(int place, String name) {
        return place < all.size() || named.containsKey(name);
    }

    Object get(int place, String name, Object standard) {
        return place < all.size() ? all.get(place) : named.getOrDefault(name, standard);
    }

    Object get(int place, String what) {
        if (place >= all.size()) {
            throw new JinjaException("template: " + what + " needs an argument more");
        }
        return all.get(place);
    }

    String text(int place, String what) {
        return Values.text(get(place, what));
    }

    /** Those behind the first. */
    Arguments rest() {
        return new Arguments(all.subList(1, all.size()), named);
    }
}
