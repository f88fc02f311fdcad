package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.stats.MachineStats;
import dev.outpost.support.tests.Await;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A thread reads counters while another one computes and reads. The counters are protected by the lock of recording and by those of the
 * connection's lanes, which call back under their own locks.
 */
class StatsOfThreadsTest {
    private static final int READS = 2_000;

    @Test
    void statsOfAMachineThatIsBusy() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            readBeside(machine.ones(4), machine::stats);
        }
    }

    @Test
    void statsOfAGroupThatIsBusy() throws Exception {
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            readBeside(group.machine().ones(4), group.machine()::stats);
        }
    }

    private static void readBeside(Tensor x, Supplier<MachineStats> stats) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> asking = threads.submit(() -> {
                while (!isDone.get()) {
                    stats.get();
                }
            });
            Future<Double> reading = threads.submit(() -> {
                double sum = 0;
                for (int read = 0; read < READS; read++) {
                    sum = x.add(read).sum().itemDouble();
                }
                return sum;
            });
            assertEquals(4.0 * READS, Await.result("the reads", reading));
            isDone.set(true);
            Await.result("the questions for counters", asking);
        }
    }
}
