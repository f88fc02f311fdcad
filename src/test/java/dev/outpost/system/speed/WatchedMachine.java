package dev.outpost.system.speed;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.List;

/** A machine of the mock, and the graphs that are sent to it. */
final class WatchedMachine implements AutoCloseable {
    private static final Duration TIMEOUT = Await.GUARD;

    private final Lease lease;
    private final SentGraphs sent;
    private final RemoteMachine machine;

    WatchedMachine() {
        lease = new MockProvider(MockSettings.STANDARD)
                .provision(MachineSpec.of(GpuType.ANY), _ -> {})
                .await()
                .atMost(TIMEOUT);
        sent = new SentGraphs(((Endpoint.InProcess) lease.endpoint()).connector());
        machine = RemoteMachine.connect(new Endpoint.InProcess(sent), new MachineOptions());
    }

    RemoteMachine machine() {
        return machine;
    }

    /** The graphs that are sent for it, to the end. */
    List<Graph> graphsOf(Runnable program) {
        machine.synchronize();
        int before = sent.graphs().size();
        program.run();
        machine.synchronize();
        return sent.graphs().subList(before, sent.graphs().size());
    }

    @Override
    public void close() {
        machine.close();
        lease.release().await().atMost(TIMEOUT);
    }
}
