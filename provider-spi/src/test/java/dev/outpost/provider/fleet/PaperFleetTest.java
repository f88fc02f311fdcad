package dev.outpost.provider.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The smallest fleet that keeps the contract. */
class PaperFleetTest extends MachineFleetContract {
    private static final Duration TIMEOUT = Await.GUARD;

    private final PaperSupplier supplier = new PaperSupplier(InstantSource.system(), true);

    @Override
    protected FleetProvider provider() {
        return supplier;
    }

    @Override
    protected void pass(Duration time) {
        supplier.expire(time);
    }

    @Test
    void watchCatchesUpAfterAnOutage() throws InterruptedException {
        PaperSupplier slow = new PaperSupplier(InstantSource.system(), false);
        DesiredMachine wanted = DesiredMachine.of(new MachineRef("a", 1), GpuType.ANY);
        try (MachineFleet fleet = slow.open("one", Map.of());
                var observed = new ObservedFleet(fleet)) {
            assertEquals(MachinePhase.QUEUED, fleet.ensure(wanted).state());
            slow.breakDown("out of paper");
            slow.fail(wanted.machine(), EndCause.FAILED, "torn");
            assertTrue(assertThrows(FleetException.class, fleet::list).isRetryable());
            slow.breakDown("");
            MachineObservation ended = observed.await(wanted.machine(), MachinePhase.ENDED, TIMEOUT);
            assertEquals(Optional.of(EndCause.FAILED), ended.endCause());
        }
    }
}
