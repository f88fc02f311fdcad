package dev.outpost.models.jinja;

import java.util.List;
import java.util.Map;

/** The arguments of a call, by position and by name. */
record JinjaArguments(List<Object> all, Map<String, Object> named) {
    static final JinjaArguments NONE = new JinjaArguments(List.of(), Map.of());

    /**
     * Returns these arguments. Throws JinjaException if the call does not accept them.
     *
     * @param what the name of the call in messages, for example {@code the filter trim}
     * @param names the names of all accepted arguments, by position
     */
    JinjaArguments checked(String what, List<String> names) {
        for (String name : named.keySet()) {
            if (!names.contains(name)) {
                throw new JinjaException("template: " + what + " has no argument " + name + "; "
                        + (names.isEmpty() ? "it has none" : "it has " + String.join(", ", names)));
            }
            if (names.indexOf(name) < all.size()) {
                throw new JinjaException("template: " + what + " is given " + name + " twice");
            }
        }
        if (all.size() > names.size()) {
            throw new JinjaException(
                    "template: " + what + " has at most " + names.size() + " arguments, got " + all.size());
        }
        return this;
    }

    boolean has(int place, String name) {
        return place < all.size() || named.containsKey(name);
    }

    Object get(int place, String name, Object standard) {
        return place < all.size() ? all.get(place) : named.getOrDefault(name, standard);
    }

    /** Returns a required argument, which is given by position or by name. */
    Object required(int place, String name, String what) {
        if (!has(place, name)) {
            throw new JinjaException("template: " + what + " needs the argument " + name);
        }
        return get(place, name, null);
    }

    Object get(int place, String what) {
        if (place >= all.size()) {
            throw new JinjaException("template: " + what + " needs an argument more");
        }
        return all.get(place);
    }

    String text(int place, String what) {
        return JinjaValues.text(get(place, what));
    }

    /** Returns the arguments without the first one. */
    JinjaArguments rest() {
        return new JinjaArguments(all.subList(1, all.size()), named);
    }
}
