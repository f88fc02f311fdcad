package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract of every provider. A provider's test extends this class and sets the provider and the waiting time. */
public abstract class GpuProviderContract {
    private final List<Lease> leases = new CopyOnWriteArrayList<>();
    private final List<ProvisioningStep> steps = new CopyOnWriteArrayList<>();

    protected abstract GpuProvider provider();

    /** A machine that the provider can give. */
    protected MachineSpec spec() {
        return MachineSpec.of(GpuType.ANY);
    }

    /** Returns the longest time in which a machine starts or ends. */
    protected Duration patience() {
        return Await.GUARD;
    }

    private Lease provision() {
        Lease lease = provider().provision(spec(), steps::add).await().atMost(patience());
        leases.add(lease);
        return lease;
    }

    private void release(Lease lease) {
        lease.release().await().atMost(patience());
    }

    @AfterEach
    final void releaseAll() {
        leases.forEach(this::release);
    }

    @Test
    protected final void itsNameIsLowerCase() {
        String name = provider().name();
        assertFalse(name.isBlank());
        assertEquals(name.toLowerCase(Locale.ROOT), name);
    }

    @Test
    protected final void itTakesItsOwnSpec() {
        provider().validate(spec());
    }

    @Test
    protected final void anOptionThatItDoesNotHaveIsRefusedByName() {
        MachineSpec unknown = new MachineSpec(spec().gpu(), 1, Map.of("no-such-option", "1"), "contract");
        var refused =
                assertThrows(IllegalArgumentException.class, () -> provider().validate(unknown));
        assertTrue(refused.getMessage().contains("no-such-option"), refused::getMessage);
    }

    @Test
    protected final void nothingStartsBeforeItIsSubscribedTo() {
        provider().provision(spec(), steps::add);
        assertEquals(List.of(), steps);
    }

    @Test
    protected final void progressNeverGoesBackAndEndsReady() {
        Lease lease = provision();
        for (int i = 1; i < steps.size(); i++) {
            assertTrue(steps.get(i).phase().compareTo(steps.get(i - 1).phase()) >= 0, steps::toString);
            assertTrue(steps.get(i).elapsed().compareTo(steps.get(i - 1).elapsed()) >= 0, steps::toString);
        }
        assertEquals(MachinePhase.READY, steps.getLast().phase());
        assertNotNull(lease.endpoint());
    }

    @Test
    protected final void releasingOneMachineLeavesTheOtherAndLosesNone() {
        Lease first = provision();
        Lease second = provision();
        assertNotEquals(first.id(), second.id());
        List<MachineLoss> losses = new CopyOnWriteArrayList<>();
        first.lost().subscribe().with(losses::add);
        second.lost().subscribe().with(losses::add);
        release(first);
        assertEquals(List.of(), losses);
        assertNotNull(second.endpoint());
        release(first);
        assertEquals(List.of(), losses, "releasing twice is releasing once");
    }

    /** Machines that have already been started are returned; the next machine starts as if there had been none. */
    @Test
    protected final void aProvisionCanBeCancelled() {
        provider().provision(spec(), steps::add).subscribe().with(leases::add).cancel();
        steps.clear();
        assertNotNull(provision().endpoint());
    }

    /** Machines that live without a client, if the provider has such machines. */
    @TestFactory
    protected final Stream<DynamicTest> whatItKeepsIsKept() {
        return provider().keeper().stream().flatMap(keeper -> new KeeperContract(keeper, spec(), patience()).tests());
    }
}
