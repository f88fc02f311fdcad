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

    /** Parses a duration such as {@code PT30S}, {@code 30s} or {@code 500ms}. A missing one is an empty text. */
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
