package dev.outpost.provider.process.config;

import dev.outpost.provider.process.state.UserRange;
import dev.outpost.provider.support.Durations;
import dev.outpost.provider.support.EngineKind;
import dev.outpost.provider.support.InvalidSettingException;
import dev.outpost.provider.support.Memory;
import dev.outpost.provider.support.SettingChoice;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the settings. The options of a machine override system properties, and these override environment variables. */
public final class ProcessSettings {
    /** The minimum memory with which the JVM of the runtime works well. */
    private static final Memory LEAST = Memory.of("256Mi");

    private final Map<String, String> options;
    private final Function<String, String> properties;
    private final Function<String, String> environment;

    private ProcessSettings(
            Map<String, String> options, Function<String, String> properties, Function<String, String> environment) {
        this.options = options;
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * Reads the settings of this process, overridden by these options.
     *
     * @param options the options, by names without the prefix
     * @throws IllegalArgumentException for an unknown name or an invalid value; the message names both
     */
    public static ProcessConfig read(Map<String, String> options) {
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(ProcessSetting.PREFIX))
                .forEach(name -> requireKnown(name.substring(ProcessSetting.PREFIX.length())));
        return read(options, System::getProperty, System::getenv);
    }

    static ProcessConfig read(
            Map<String, String> options, Function<String, String> properties, Function<String, String> environment) {
        options.keySet().forEach(ProcessSettings::requireKnown);
        return new ProcessSettings(options, properties, environment).config();
    }

    private static void requireKnown(String name) {
        if (ProcessSetting.of(name).isEmpty()) {
            throw InvalidSettingException.unknown(ProcessSetting.PREFIX, name, ProcessSetting.names());
        }
    }

    private ProcessConfig config() {
        return new ProcessConfig(
                value(ProcessSetting.STATE, Path::of)
                        .orElseGet(this::standardState)
                        .toAbsolutePath(),
                program(),
                value(ProcessSetting.HOST, String::strip).orElseThrow(),
                value(ProcessSetting.ENGINE, text -> SettingChoice.parse(EngineKind.class, text)),
                value(ProcessSetting.GPUS, ProcessSettings::replacements).orElse(Map.of()),
                value(ProcessSetting.MEMORY, ProcessSettings::memory),
                new ProcessConfig.Sources(
                        value(ProcessSetting.SOURCES, String::strip), value(ProcessSetting.SOURCES_CACHE, Path::of)),
                value(ProcessSetting.ENVIRONMENT, ProcessSettings::list).orElse(List.of()),
                new ProcessConfig.Separation(
                        value(ProcessSetting.ISOLATION, text -> SettingChoice.parse(IsolationName.class, text))
                                .orElseThrow(),
                        value(ProcessSetting.USERS, UserRange::parse).orElseThrow(),
                        value(ProcessSetting.READABLE, ProcessSettings::paths).orElse(List.of()),
                        value(ProcessSetting.TRUST_ALL_ORGANISATIONS, ProcessSettings::truth)
                                .orElseThrow()),
                times());
    }

    private ProcessConfig.Program program() {
        return new ProcessConfig.Program(
                value(ProcessSetting.JAR, Path::of),
                value(ProcessSetting.JAVA, Path::of)
                        .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java")),
                value(ProcessSetting.FLAGS, ProcessSettings::words).orElseThrow(),
                value(ProcessSetting.CACHE, Path::of));
    }

    private ProcessConfig.Times times() {
        return new ProcessConfig.Times(
                duration(ProcessSetting.LEASE).orElseThrow(),
                duration(ProcessSetting.IDLE_TIMEOUT),
                duration(ProcessSetting.MAXIMUM_LIFETIME).orElseThrow(),
                duration(ProcessSetting.START_TIMEOUT).orElseThrow(),
                duration(ProcessSetting.TTL_AFTER_FINISHED).orElseThrow());
    }

    private Path standardState() {
        return Optional.ofNullable(environment.apply("XDG_STATE_HOME"))
                .filter(home -> !home.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "state"))
                .resolve(Path.of("outpost", "machines"));
    }

    private Optional<Duration> duration(ProcessSetting setting) {
        return value(setting, text -> {
            Duration duration = Durations.parse(text);
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("expected a time above zero");
            }
            return duration;
        });
    }

    private <T> Optional<T> value(ProcessSetting setting, Function<String, T> reader) {
        return text(setting).map(text -> read(setting, text, reader));
    }

    private static <T> T read(ProcessSetting setting, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (InvalidPathException ignored) {
            throw InvalidSettingException.of(setting.property(), "expected a path", text);
        } catch (IllegalArgumentException failure) {
            throw InvalidSettingException.of(setting.property(), failure, text);
        }
    }

    /** Returns the text of a setting. A blank text counts as not set. */
    private Optional<String> text(ProcessSetting setting) {
        return Optional.ofNullable(options.get(setting.text()))
                .or(() -> Optional.ofNullable(properties.apply(setting.property())))
                .or(() -> Optional.ofNullable(environment.apply(setting.variable())))
                .or(() -> Optional.of(setting.standard()))
                .filter(text -> !text.isBlank());
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    private static List<Path> paths(String text) {
        return list(text).stream().map(path -> Path.of(path).toAbsolutePath()).toList();
    }

    private static boolean truth(String text) {
        return switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    private static Memory memory(String text) {
        Memory memory = Memory.of(text);
        if (LEAST.isMoreThan(memory)) {
            throw new IllegalArgumentException("expected " + LEAST.text() + " or more");
        }
        return memory;
    }

    private static Map<String, EngineKind> replacements(String text) {
        Map<String, EngineKind> standIns = new HashMap<>();
        list(text).forEach(entry -> addStandIn(entry, standIns));
        return Map.copyOf(standIns);
    }

    private static void addStandIn(String entry, Map<String, EngineKind> standIns) {
        String[] parts = entry.split(":", -1);
        if (parts.length != 2 || parts[0].isBlank()) {
            throw new IllegalArgumentException("expected NAME:ENGINE such as A100:cpu");
        }
        EngineKind engine = SettingChoice.parse(EngineKind.class, parts[1]);
        if (engine == EngineKind.CUDA) {
            throw new IllegalArgumentException("expected cpu or reference as a stand-in for a GPU");
        }
        standIns.put(parts[0].strip().toLowerCase(Locale.ROOT), engine);
    }
}
