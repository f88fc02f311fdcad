package dev.outpost.runtime.session;

import dev.outpost.runtime.cuda.engine.SourceCollector;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import java.util.List;

/** The sources of the kernels of random planned programs, without compiling them. */
public final class RandomProgramSources {
    private static final int INSTRUCTIONS = 60;

    private RandomProgramSources() {}

    /** Returns the sources of the programs with these seeds, as sessions run them. */
    public static List<String> of(long from, long to) throws InterruptedException {
        SourceCollector collector = new SourceCollector();
        try (Engine engine = collector.engine();
                RuntimeHost host = new RuntimeHost(RuntimeContext.of(
                        engine, Planner.of(engine), RuntimeSettings.withQuota(1 << 28), System::nanoTime))) {
            for (long seed = from; seed <= to; seed++) {
                RecordedProgramRun.values(host, RandomSegments.of(seed, INSTRUCTIONS));
            }
        }
        return collector.sources();
    }
}
