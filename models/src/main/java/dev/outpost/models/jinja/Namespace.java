package dev.outpost.models.jinja;

import java.util.LinkedHashMap;
import java.util.Map;

/** The result of {@code namespace()}. Its members can be set, even from within a loop. */
final class Namespace extends LinkedHashMap<Object, Object> {
    private static final long serialVersionUID = 1;

    Namespace(Map<Object, Object> members) {
        super(members);
    }
}
