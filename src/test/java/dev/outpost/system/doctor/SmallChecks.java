package dev.outpost.system.doctor;

import dev.outpost.cli.gpu.CheckLimits;
import dev.outpost.cli.gpu.MachineChecks;
import dev.outpost.cli.gpu.WorkSizes;
import dev.outpost.runtime.cuda.check.CheckPart;
import dev.outpost.runtime.cuda.check.GpuUnderCheck;
import dev.outpost.runtime.cuda.check.GpuUnderCheck.FreeMemory;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The checks of a GPU as a machine, small, on engines that need none; by the Java and the jars of a pack, too. */
public final class SmallChecks {
    private SmallChecks() {}

    /** @param arguments the folder of the parity pack */
    public static void main(String[] arguments) {
        new MachineChecks(limits(Optional.of(Path.of(arguments[0]))), EnumSet.allOf(CheckPart.class))
                .run(
                        gpu(_ -> new ReferenceEngine(), () -> 1),
                        result -> System.out.println(result.name() + " " + result.outcome() + " " + result.detail()));
    }

    static CheckLimits limits(Optional<Path> parity) {
        return new CheckLimits(
                parity,
                2,
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                1,
                WorkSizes.SMALL,
                Duration.ofMillis(1),
                Duration.ofSeconds(20));
    }

    static GpuUnderCheck gpu(Function<EngineSettings, Engine> engines, LongSupplier free) {
        return new GpuUnderCheck("GPU 0", engines, () -> memory(free));
    }

    private static FreeMemory memory(LongSupplier free) {
        return new FreeMemory() {
            @Override
            public long bytes() {
                return free.getAsLong();
            }

            @Override
            public void close() {
                // It is nobody's.
            }
        };
    }
}
