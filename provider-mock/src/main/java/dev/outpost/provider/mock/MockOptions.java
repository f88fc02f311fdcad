package dev.outpost.provider.mock;

import dev.outpost.provider.MachineSpec;
import dev.outpost.runtime.source.SourceCache;
import dev.outpost.runtime.source.SourceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads settings from texts: a machine's options, and system properties of the same names. */
final class MockOptions {
    /** The prefix of an option's system property. */
    static final String PREFIX = "outpost.mock.";

    private static final long CACHE_BYTES = 100L << 30;
    private static final Map<String, BiFunction<MockSettings, String, MockSettings>> OPTIONS = new LinkedHashMap<>();

    static {
        OPTIONS.put("engine", (settings, text) -> settings.withEngine(MockEngine.named(text)));
        OPTIONS.put("delay", (settings, text) -> settings.withProvisioning(millis("delay", text)));
        OPTIONS.put("failure", MockSettings::withFailure);
        OPTIONS.put("quota", (settings, text) -> settings.withQuota(number("quota", text)));
        OPTIONS.put("lease", (settings, text) -> settings.withLease(millis("lease", text)));
        OPTIONS.put("idle", (settings, text) -> settings.withIdle(millis("idle", text)));
        OPTIONS.put(
                "sources",
                (settings, text) -> settings.withSources(settings.sources().withAllowed(SourceSettings.parse(text))));
        OPTIONS.put("sources-cache", MockOptions::withCache);
        // The earlier name.
        OPTIONS.put("cache", MockOptions::withCache);
        network("latency", (network, text) -> network.withLatency(millis("latency", text)));
        network("bandwidth", (network, text) -> network.withBandwidth(number("bandwidth", text)));
        network("cut-after", (network, text) -> network.withCutAfter(number("cut-after", text)));
        network("cut-every", (network, text) -> network.withCutEvery(number("cut-every", text)));
    }

    private MockOptions() {}

    private static MockSettings withCache(MockSettings settings, String folder) {
        return settings.withSources(settings.sources().withCache(new SourceCache(Path.of(folder), CACHE_BYTES)));
    }

    private static void network(String name, BiFunction<MockNetwork, String, MockNetwork> option) {
        OPTIONS.put(name, (settings, text) -> settings.withNetwork(option.apply(settings.network(), text)));
    }

    /**
     * Applies a machine's options to the settings. Throws {@link IllegalArgumentException} for an unknown option or
     * an invalid value.
     */
    static MockSettings apply(MachineSpec spec, MockSettings settings) {
        spec.options().keySet().forEach(MockOptions::requireKnown);
        return apply(spec.options()::get, settings);
    }

    /** Applies this JVM's system properties to the standard settings. */
    static MockSettings ofSystemProperties() {
        return apply(name -> System.getProperty(PREFIX + name), MockSettings.STANDARD);
    }

    private static MockSettings apply(Function<String, String> texts, MockSettings settings) {
        MockSettings result = settings;
        for (var option : OPTIONS.entrySet()) {
            String text = texts.apply(option.getKey());
            if (text != null) {
                result = option.getValue().apply(result, text);
            }
        }
        return result;
    }

    private static void requireKnown(String name) {
        if (!OPTIONS.containsKey(name)) {
            throw new IllegalArgumentException(
                    name + ": the mock has no such option; it has " + String.join(", ", OPTIONS.keySet()));
        }
    }

    private static Duration millis(String name, String text) {
        return Duration.ofMillis(number(name, text));
    }

    private static long number(String name, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException ignored) {
            throw new IllegalArgumentException(name + ": expected a whole number, got \"" + text + "\"");
        }
    }
}
