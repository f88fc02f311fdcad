package dev.outpost.provider.fleet;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.outpost.provider.MachinePhase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The observations of a watch of a fleet, with waits for more of them. For one thread besides that of the watch. */
public final class ObservedFleet implements AutoCloseable {
    private final BlockingQueue<MachineObservation> news = new LinkedBlockingQueue<>();
    private final List<MachineObservation> told = new CopyOnWriteArrayList<>();
    private final FleetWatch watch;

    public ObservedFleet(MachineFleet fleet) {
        watch = fleet.watch(news::add);
    }

    /** All observations that were taken so far, in the order in which they were reported. */
    public List<MachineObservation> observations() {
        return List.copyOf(told);
    }

    /** Waits for the next observation of this machine that satisfies the condition; fails after the timeout. */
    public MachineObservation await(MachineRef machine, Predicate<MachineObservation> condition, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            MachineObservation next = news.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertNotNull(next, () -> machine + ": not seen so within " + timeout + "; seen was " + told);
            told.add(next);
            if (next.machine().equals(machine) && condition.test(next)) {
                return next;
            }
        }
    }

    public MachineObservation await(MachineRef machine, MachinePhase state, Duration timeout)
            throws InterruptedException {
        return await(machine, observation -> observation.state() == state, timeout);
    }

    @Override
    public void close() {
        watch.close();
    }
}
