package dev.outpost.serving.openai;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes maps with a fixed order of members. The order of {@link Map#of} differs between starts of the JVM and would show in prompts and
 * answers.
 */
final class Members {
    private Members() {}

    /** @param namesAndValues alternating names and values */
    static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int place = 0; place < namesAndValues.length; place += 2) {
            members.put((String) namesAndValues[place], namesAndValues[place + 1]);
        }
        return members;
    }
}
