package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A GPU on which engines can be opened.
 *
 * @param name what stands before the name of each of its checks, such as {@code GPU 0}
 * @param engines opens an engine on it, which whoever asked closes
 * @param memory begins to look at its memory
 */
public record GpuUnderCheck(String name, Function<EngineSettings, Engine> engines, Supplier<FreeMemory> memory) {

    /** A look at a GPU's memory from beside its engines, which keeps what the driver has for all of them. */
    public interface FreeMemory extends AutoCloseable {
        /** How much of it nobody has taken. */
        long bytes();

        @Override
        void close();
    }
}
