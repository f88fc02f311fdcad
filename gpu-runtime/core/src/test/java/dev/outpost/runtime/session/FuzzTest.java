package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that send arbitrary messages. {@code -Doutpost.fuzz.seed} repeats a run: its inputs depend only on the seed, but the timing of
 * threads may differ.
 */
class FuzzTest {
    private static final int NORMAL = 20_000;
    private static final int FULL = 1_000_000;

    private final long seed = Long.getLong("outpost.fuzz.seed", System.nanoTime());

    @Test
    void twentyThousandInputsHurtNobody() throws InterruptedException {
        fuzz(NORMAL);
    }

    @Test
    @Tag("full")
    void aMillionInputsHurtNobody() throws InterruptedException {
        fuzz(FULL);
    }

    private void fuzz(int inputs) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        try (Engine reference = new ReferenceEngine();
                Engine cpu = new CpuEngine(2, 1 << 20)) {
            int done = 0;
            for (int round = 0; done < inputs; round++) {
                done += fuzz(round, round % 2 == 0 ? reference : cpu, random.split());
            }
        }
        assertEquals(List.of(), threadsLeft());
    }

    private static List<String> threadsLeft() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("outpost-session") || name.startsWith("outpost-ticker"))
                .toList();
    }

    private int fuzz(int round, Engine engine, SplittableRandom random) throws InterruptedException {
        try {
            return new FuzzRound(engine, random).run();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("-Doutpost.fuzz.seed=" + seed + " fails in round " + round, failure);
        }
    }
}
