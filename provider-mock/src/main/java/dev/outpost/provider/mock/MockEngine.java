package dev.outpost.provider.mock;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** The engine that computes in place of the GPU. */
public enum MockEngine implements Supplier<Engine> {
    /** The fast engine for CPUs. */
    CPU,
    /** The plain engine, which defines the meaning of each op. */
    REFERENCE;

    /** Finds an engine by its name, ignoring case. */
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

    /** Starts an engine. */
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
