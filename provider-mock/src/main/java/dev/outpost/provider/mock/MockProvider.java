package dev.outpost.provider.mock;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MonotonicProgress;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Machines inside this JVM. Options of a machine: {@code engine} (cpu, reference), {@code delay}, {@code lease}, {@code idle} (after
 * which it ends; 0 for never) and {@code latency} in milliseconds, {@code quota} in bytes, {@code bandwidth} in bytes a second, {@code
 * cut-after} and {@code cut-every} in frames, {@code failure} as a text. If {@link java.util.ServiceLoader} makes the provider, system
 * properties of the same names, after {@code outpost.mock.}, set the defaults.
 */
public final class MockProvider implements GpuProvider {
    /** The network of all machines of this process: direct calls. */
    private static final LocalPeerNetwork PEERS = new LocalPeerNetwork();

    /** The leases that another client in this JVM may take over, by the text for that. */
    private static final Map<String, MockLease> TRANSFERABLE = new ConcurrentHashMap<>();

    private final MockSettings settings;
    private final PeerNetwork peers;
    private final AtomicInteger machinesStarted = new AtomicInteger();
    private final List<MockMachine> machines = new CopyOnWriteArrayList<>();

    /** Makes a provider with the settings of the system properties. */
    public MockProvider() {
        this(MockOptions.ofSystemProperties());
    }

    public MockProvider(MockSettings settings) {
        this(settings, PEERS);
    }

    /** @param peers connects a machine to the members of its group */
    public MockProvider(MockSettings settings, PeerNetwork peers) {
        this.settings = settings;
        this.peers = peers;
    }

    @Override
    public String name() {
        return "mock";
    }

    @Override
    public void validate(MachineSpec spec) {
        MockOptions.apply(spec, settings);
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return provision(spec, Optional.empty(), progress).map(lease -> lease);
    }

    /**
     * Returns the keeper of the machines that {@link MachineKeeper#start} of this object has started: they live in
     * its memory.
     */
    @Override
    public Optional<MachineKeeper> keeper() {
        return Optional.of(new MockKeeper(this));
    }

    /** Returns the text by which another client in this JVM can take a machine over. */
    static String transferable(MockLease lease) {
        String text = lease.id() + "-" + Integer.toHexString(System.identityHashCode(lease.machine()));
        TRANSFERABLE.put(text, lease);
        lease.machine().ended().thenRun(() -> TRANSFERABLE.remove(text));
        return text;
    }

    @Override
    public Uni<Lease> takeOver(String text, MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> {
            MockLease lease = TRANSFERABLE.get(text);
            if (lease == null) {
                throw new IllegalStateException("mock: " + text + " has ended, or is in another process");
            }
            new MonotonicProgress(progress).report(MachinePhase.READY, lease.id() + " is ready");
            return lease;
        });
    }

    /** Starts a machine that is not tied to the program that requests it. */
    Uni<MockLease> provision(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return provision(spec, Optional.of(life), progress);
    }

    private Uni<MockLease> provision(MachineSpec spec, Optional<Duration> life, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-mock-provisioning", task -> {
            MockSettings ofMachine = MockOptions.apply(spec, settings);
            MonotonicProgress steps = new MonotonicProgress(progress);
            steps.report(MachinePhase.QUEUED, "asking for a mock " + spec.gpu());
            Thread.sleep(ofMachine.provisioning());
            if (!ofMachine.failure().isEmpty()) {
                throw new IllegalStateException(ofMachine.failure());
            }
            steps.report(MachinePhase.STARTING, "starting the engine");
            MockLease lease = task.began(
                    startMachine(spec, life, ofMachine),
                    started -> started.onRelease().run());
            MockMachine machine = lease.machine();
            steps.report(MachinePhase.READY, machine.id() + " is ready: " + machine.device());
            return lease;
        });
    }

    /** Returns the machines that are leased or kept, in the order of their start. */
    public List<MockMachine> machines() {
        return List.copyOf(machines);
    }

    private MockLease startMachine(MachineSpec spec, Optional<Duration> life, MockSettings ofMachine) {
        String id = "mock-" + machinesStarted.incrementAndGet();
        MockMachine machine = new MockMachine(id, spec.gpu(), life, ofMachine, peers);
        machines.add(machine);
        return new MockLease(machine, () -> release(machine));
    }

    void forget(MockMachine machine) {
        machines.remove(machine);
    }

    private void release(MockMachine machine) {
        forget(machine);
        machine.release();
    }
}
