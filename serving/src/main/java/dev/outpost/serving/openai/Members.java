package dev.outpost.serving.openai;

import java.util.LinkedHashMap;
import java.util.Map;

/** Members of an object in their order: that of {@link Map#of} differs between starts of the JVM, and would reach prompts and answers. */
final class Members {
    private Members() {}

    /** @param namesAndValues a name, its value, and so on */
    static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int place = 0; place < namesAndValues.length; place += 2) {
            members.put((String) namesAndValues[place], namesAndValues[place + 1]);
        }
        return members;
    }
}
