package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A value that is not stored has the same bits as a stored one, whenever it is read. */
class RandomRematerializationTest {
    private static final long FIRST_SEED = 8_100;
    private static final int INSTRUCTIONS = 150;
    private static final CpuEngine ENGINE = new CpuEngine();
    private static final RuntimeHost STORING = host(Planner.of(ENGINE));
    private static final RuntimeHost DEFERRING = host(Planner.deferring(ENGINE));

    private static RuntimeHost host(Planner planner) {
        return new RuntimeHost(
                RuntimeContext.of(ENGINE, planner, RuntimeSettings.withQuota(1 << 28), System::nanoTime));
    }

    @AfterAll
    static void close() {
        STORING.close();
        DEFERRING.close();
        ENGINE.close();
    }

    @Test
    void randomPrograms() throws InterruptedException {
        compare(100);
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(3000);
    }

    private static void compare(int programs) throws InterruptedException {
        long saved = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + programs; seed++) {
            RandomSegments program = RandomSegments.of(seed, INSTRUCTIONS);
            // The same structures again: values that were read may be stored now.
            for (int time = 0; time < 2; time++) {
                List<Seen> stored = run(STORING, program, seed + time);
                List<Seen> deferred = run(DEFERRING, program, seed + time);
                assertEquals(stored.size(), deferred.size());
                for (int look = 0; look < stored.size(); look++) {
                    String how = "look " + look + " with seed " + seed;
                    Seen expected = stored.get(look);
                    Seen actual = deferred.get(look);
                    assertArrayEquals(expected.bytes, actual.bytes, how);
                    assertTrue(
                            actual.held <= expected.held,
                            () -> how + ": " + actual.held + " bytes instead of " + expected.held);
                    saved += expected.held - actual.held;
                }
            }
        }
        // Otherwise nothing was compared.
        assertTrue(saved > 0);
        assertEquals(0, DEFERRING.liveBytes());
    }

    /**
     * The result of a read.
     *
     * @param held bytes by the machine's account
     */
    private record Seen(byte[] bytes, long held) {}

    /** Reads some values between the segments, and afterwards the others while it frees them in any order. */
    private static List<Seen> run(RuntimeHost host, RandomSegments program, long seed) throws InterruptedException {
        Random random = new Random(seed);
        WireClient client = WireClient.connected(host);
        List<Seen> seen = new ArrayList<>();
        List<Long> values = new ArrayList<>(program.values());
        Collections.shuffle(values, random);
        List<Long> known = new ArrayList<>();
        for (SegmentBuilder segment : program.segments()) {
            client.run(segment);
            known.clear();
            values.stream().filter(segment::computes).forEach(known::add);
            for (int look = 0; look < 2 && !known.isEmpty(); look++) {
                seen.add(fetch(client, host, program, known.get(random.nextInt(known.size())), seen.size() + 1));
            }
        }
        int left = random.nextInt(3);
        while (values.size() > left) {
            long value = values.removeLast();
            if (random.nextBoolean()) {
                seen.add(fetch(client, host, program, value, seen.size() + 1));
            }
            client.free(value);
        }
        // The other values are freed with the session.
        client.goodbye();
        client.cut();
        return seen;
    }

    private static Seen fetch(WireClient client, RuntimeHost host, RandomSegments program, long value, long fetch)
            throws InterruptedException {
        byte[] bytes = RecordedProgramRun.value(client, program, value, fetch);
        return new Seen(bytes, host.liveBytes());
    }
}
