package dev.outpost.runtime.server;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;

/** Reads a runtime's configuration from variables, as Quarkus does. */
final class RuntimeVariables {
    private static final int ORDINAL = 300;
    private static final int PRIORITY = 200;

    private RuntimeVariables() {}

    /**
     * Synchronized: SmallRye defines the classes of a mapping at first use, the outer class first. A second thread could use it before
     * the others exist, and the JVM would then refuse these classes permanently.
     */
    static synchronized RuntimeConfig read(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(environment, ORDINAL))
                .withConverter(Duration.class, PRIORITY, RuntimeVariables::duration)
                .withMapping(RuntimeConfig.class)
                .build()
                .getConfigMapping(RuntimeConfig.class);
    }

    /** Either as in {@code PT30S}, or short as in {@code 30s} and {@code 500ms}. What is not said comes as an empty text. */
    private static Duration duration(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.endsWith("ms")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        return Duration.parse(text.startsWith("P") ? text : "PT" + text);
    }
}
