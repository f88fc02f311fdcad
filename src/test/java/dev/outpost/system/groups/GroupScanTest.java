package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.system.HeldProvider;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scan on a group waits for its condition, because its machines have not started yet. Meanwhile another thread uses the tensors that it
 * writes.
 */
class GroupScanTest {
    @TempDir
    static Path folder;

    private final HeldProvider provider = new HeldProvider(new MockProvider(MockSettings.STANDARD));
    private final MachineGroup group = MachineGroup.of(
            provider,
            "A100",
            2,
            new MachineOptions().option("sources", folder.toUri().toString()));
    private final RemoteMachine machine = group.machine();
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final Tensor start = machine.scalar(0);
    private final Tensor x = machine.zeros(2, 2);

    @AfterEach
    void end() {
        provider.release();
        pool.shutdownNow();
        group.close();
    }

    private enum Use {
        WRITE((machine, x) -> x.select(0, 1).fill_(2)),
        WRITE_ALL((machine, x) -> x.add_(0)),
        RECORD((machine, x) -> assertArrayEquals(
                new float[] {2, 2, 1, 1}, machine.ones(2, 2).add(x).toFloatArray())),
        READ((machine, x) -> assertArrayEquals(new float[] {1, 1, 0, 0}, x.toFloatArray())),
        READ_A_VIEW((machine, x) ->
                assertArrayEquals(new float[] {1, 0}, x.select(1, 0).toFloatArray())),
        CALL((machine, x) ->
                machine.program(in -> List.of(in.getFirst().add(1))).call(x)),
        CALL_THAT_WRITES((machine, x) -> machine.program(
                        in -> List.of(in.getFirst().select(0, 1).fill_(2)))
                .call(x)),
        SCAN(GroupScanTest::scanned),
        PLACEMENT((machine, x) ->
                assertEquals("replicate on [0, 1]", x.placement().toString())),
        EXPLAIN((machine, x) -> x.explain()),
        SAVE((machine, x) -> machine.save(folder.resolve("x").toUri().toString(), Map.of("x", x)));

        private final BiConsumer<RemoteMachine, Tensor> body;

        Use(BiConsumer<RemoteMachine, Tensor> body) {
            this.body = body;
        }
    }

    /** Fills the first row with ones, three times. */
    private static Scan scanned(RemoteMachine machine, Tensor x) {
        return scanned(machine, x, machine.scalar(0));
    }

    private static Scan scanned(RemoteMachine machine, Tensor x, Tensor start) {
        return machine.scanUntil(
                machine.program(in -> {
                    x.select(0, 0).fill_(1);
                    Tensor count = in.getFirst().add(1);
                    return List.of(count, count.ge(3));
                }),
                List.of(start),
                5);
    }

    private Future<Scan> scanThatWaits() {
        Future<Scan> scan = pool.submit(() -> scanned(machine, x, start));
        Await.until("the scan waits for its condition", () -> machine.stats().waits() == 1);
        return scan;
    }

    /** Starts a thread that uses the tensor that the scan writes, and is blocked until it is computed. */
    private Future<?> useThatWaits(Use use) {
        AtomicReference<Thread> user = new AtomicReference<>();
        Future<?> using = pool.submit(() -> {
            user.set(Thread.currentThread());
            use.body.accept(machine, x);
        });
        Await.until(
                "the other thread waits",
                () -> using.isDone() || user.get() != null && user.get().getState() == Thread.State.WAITING);
        assertFalse(using.isDone());
        return using;
    }

    @ParameterizedTest
    @EnumSource
    void whoUsesWhatAScanWritesWaitsForItsRuns(Use use) throws Exception {
        Future<Scan> scan = scanThatWaits();
        Future<?> using = useThatWaits(use);
        provider.release();
        assertEquals(3, Await.result("the scan", scan).iterations());
        Await.result("the other thread", using);
        assertArrayEquals(new float[] {1, 1}, x.select(0, 0).toFloatArray());
    }

    @Test
    void othersGoOn() throws Exception {
        Future<Scan> scan = scanThatWaits();
        Tensor sum = machine.ones(2).add(1);
        provider.release();
        Await.result("the scan", scan);
        assertArrayEquals(new float[] {2, 2}, sum.toFloatArray());
    }

    @Test
    void whatIsClosedMeanwhileIsFreed() throws Exception {
        Future<Scan> scan = scanThatWaits();
        x.close();
        provider.release();
        Await.result("the scan", scan).carry().forEach(Tensor::close);
        start.close();
        assertEquals(0, machine.heldValues());
        Await.until("the machines keep nothing", () -> {
            machine.synchronize();
            return machine.stats().liveValues() == 0;
        });
    }

    @Test
    void whoWaitsForAScanThatFailsGoesOn() throws Exception {
        Future<Scan> scan = scanThatWaits();
        Future<?> using = useThatWaits(Use.READ);
        scan.cancel(true);
        assertThrows(ExecutionException.class, () -> Await.result("the other thread", using));
        OutpostException failed = assertThrows(OutpostException.class, x::toFloatArray);
        assertTrue(
                failed.getMessage().contains("the scan that writes it failed after 1 of at most 5 runs"),
                failed.getMessage());
        assertThrows(OutpostException.class, () -> x.add(1));
        assertThrows(OutpostException.class, x::placement);
        x.close();
        provider.release();
        assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
    }
}
