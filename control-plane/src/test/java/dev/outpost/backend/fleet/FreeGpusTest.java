package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.PaperSupplier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreeGpusTest {
    private static final GpuType A100 = GpuCatalogue.standard().find("A100");
    private static final GpuType H100 = GpuCatalogue.standard().find("H100");

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
    private final Backend backend = new Backend(test.source(), supplier);
    private final AtomicLong nanos = new AtomicLong();
    private final FreeGpus gpus = new FreeGpus(
            backend.database, new Suppliers("test", List.of(supplier)), GpuCatalogue.standard(), nanos::get);

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void aClusterTellsOfItsGpus() {
        backend.addCluster("lab", 9);
        GpuAvailability taken = new GpuAvailability(false, "2 devices in the cluster fit, and none is free");
        supplier.offer("H100", taken);
        assertEquals(Optional.of(taken), gpus.on("lab", H100));
        assertEquals(Optional.empty(), gpus.on("lab", A100), "it can tell only by a start");
    }

    @Test
    void anAnswerHoldsForASecond() {
        backend.addCluster("lab", 9);
        GpuAvailability free = new GpuAvailability(true, "the device gpu-0");
        GpuAvailability taken = new GpuAvailability(false, "none is free");
        supplier.offer("H100", free);
        assertEquals(Optional.of(free), gpus.on("lab", H100));
        supplier.offer("H100", taken);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
        assertEquals(Optional.of(free), gpus.on("lab", H100));
        nanos.incrementAndGet();
        assertEquals(Optional.of(taken), gpus.on("lab", H100));
    }

    @Test
    void aClusterThatDoesNotAnswerHasNone() {
        backend.addCluster("lab", 9);
        supplier.breakDown("out of paper");
        assertEquals(
                Optional.of(new GpuAvailability(
                        false, "cluster lab does not tell whether a GPU is free (paper: out of paper)")),
                gpus.on("lab", A100));
    }

    private Optional<String> impossible(String gpu) {
        return gpus.impossible(backend.database.transact(ClusterRows::all), MachineRequestFixtures.of("vision", gpu));
    }

    /** A full host that lists no kinds would let the request wait for room, and refuse it then. */
    @Test
    void machineThatEveryClusterRefusesIsImpossible() {
        backend.addCluster("lab", 0);
        supplier.refuse("H100", "this host has no H100");
        assertEquals(
                Optional.of("gpu: no cluster of this backend has H100; cluster lab: this host has no H100"),
                impossible("H100"));
        assertEquals(Optional.empty(), impossible("A100"));
        assertEquals(Optional.empty(), impossible("any"));
    }

    @Test
    void machineIsPossibleWhereAClusterListsItsGpu() {
        supplier.refuse("H100", "this host has no H100");
        backend.addCluster("lab", 0);
        backend.addCluster("rack", 0, "H100");
        assertEquals(Optional.empty(), impossible("H100"));
    }

    @Test
    void aClusterThatIsGoneTellsNothing() {
        assertEquals(Optional.empty(), gpus.on("gone", A100));
    }
}
