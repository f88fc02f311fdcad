package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.support.Durations;
import dev.outpost.provider.support.EngineKind;
import dev.outpost.provider.support.Memory;
import dev.outpost.provider.support.SettingChoice;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The parsers of settings, by type. Values of other types stay text. */
final class Readers {
    /** A priority that is higher than the priority of the library's own converters. */
    private static final int PRIORITY = 500;

    private static final List<Reader<?>> ALL = List.of(
            new Reader<>(Duration.class, Durations::parse),
            new Reader<>(Cpus.class, Cpus::of),
            new Reader<>(Memory.class, Memory::of),
            new Reader<>(Pairs.class, Pairs::of),
            new Reader<>(Tolerations.class, Tolerations::of),
            new Reader<>(MergePatch.class, MergePatch::of),
            choice(AccessMode.class),
            choice(ServiceType.class),
            choice(PullPolicy.class),
            choice(GpuAllocation.class),
            choice(EngineKind.class));

    private Readers() {}

    /** Parses values of one type. Refuses an invalid one by an {@link IllegalArgumentException}. */
    record Reader<T>(Class<T> type, Function<String, T> function) {
        void register(SmallRyeConfigBuilder builder) {
            builder.withConverter(type, PRIORITY, function::apply);
        }
    }

    /** @param catalogue finds GPUs by their names */
    static SmallRyeConfigBuilder register(SmallRyeConfigBuilder builder, GpuCatalogue catalogue) {
        ALL.forEach(reader -> reader.register(builder));
        new Reader<>(GpuType.class, catalogue::find).register(builder);
        return builder;
    }

    /** Parses the text as that type, only to refuse an invalid one. */
    static void check(Class<?> type, String text) {
        ALL.stream().filter(reader -> reader.type == type).forEach(reader -> reader.function.apply(text));
    }

    private static <E extends Enum<E>> Reader<E> choice(Class<E> type) {
        return new Reader<>(type, text -> SettingChoice.parse(type, text));
    }
}
