package dev.outpost.backend.worker;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineFleetContract;
import dev.outpost.provider.fleet.PaperSupplier;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The contract of every fleet, tested with a worker host whose machines are simulated. */
class WorkerFleetContractTest extends MachineFleetContract {
    private static final String HOST = "lab";

    private final TestDatabase test = TestDatabase.withRealClock();
    private final WorkerSignals signals = new WorkerSignals();
    private final PaperSupplier paper = new PaperSupplier(InstantSource.system(), true);
    private final TestWorker worker;

    WorkerFleetContractTest() {
        test.database().run(sql -> {
            ClusterRows.add(sql, ClusterRows.Stored.active(HOST, "worker", List.of(), OptionalInt.empty(), Map.of()));
            dev.outpost.backend.store.WorkerRows.offer(sql, HOST, new byte[32], Duration.ofHours(1));
        });
        WorkerStateSync workerSync =
                new WorkerStateSync(test.database(), "one", signals, SealKeys.none(new SecureRandom()));
        worker = new TestWorker(workerSync, HOST, paper.open("worker", Map.of())).start();
    }

    @Override
    protected FleetProvider provider() {
        WorkerFleets fleets = new WorkerFleets(test.database(), signals);
        return new FleetProvider() {
            @Override
            public String name() {
                return fleets.name();
            }

            @Override
            public MachineFleet open(String installation, Map<String, String> options) {
                return fleets.open(
                        installation,
                        ClusterRows.Stored.active(HOST, "worker", List.of(), OptionalInt.empty(), options));
            }
        };
    }

    @Override
    protected void pass(Duration time) {
        paper.expire(time);
    }

    @Override
    protected void endSupplier() {
        worker.close();
        test.close();
    }
}
