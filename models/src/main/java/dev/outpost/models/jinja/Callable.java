package dev.outpost.models.jinja;

import java.util.List;
import java.util.Map;

/** A function that a template can call. */
@FunctionalInterface
public interface Callable {
    /**
     * Calls the function.
     *
     * @param arguments the arguments by position
     * @param named the arguments by name
     */
    Object call(List<Object> arguments, Map<String, Object> named);
}
