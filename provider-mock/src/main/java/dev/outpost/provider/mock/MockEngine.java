package dev.outpost.provider.mock;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** The engine that computes in place of the GPU. */
public enum MockEngine implements Supplier<Engine> {
    /** The fast one. */
    CPU,
    /** The plain one, which says what an op means. */
    REFERENCE;

    /** By the name in lower case. */
    static MockEngine named(String name) {
        return Arrays.stream(values())
                .filter(engine -> engine.label().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("engine: expected cpu or reference, got \"" + name + "\""));
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Starts one. */
    @Override
    public Engine get() {
        return switch (this) {
            case CPU -> {
                MissingFlags.reportOnce();
                yield new CpuEngine();
            }
            case REFERENCE -> new ReferenceEngine();
        };
    }
}
