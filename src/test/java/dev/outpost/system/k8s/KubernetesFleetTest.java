package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineFleetContract;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.ObservedFleet;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the contract of every fleet with machines on a cluster, and the behaviour that only a cluster has. */
@Tag("real-cluster")
class KubernetesFleetTest extends MachineFleetContract {
    private static final String TOKEN = "token-token-token-token";

    private final Provided provided = Provided.quick();

    @Override
    protected FleetProvider provider() {
        return provided.provider;
    }

    @Override
    protected DesiredMachine desired(MachineRef machine) {
        return DesiredMachine.of(machine, GpuCatalogue.standard().find("A100"), grant());
    }

    @Override
    protected Duration patience() {
        return Provided.TIMEOUT;
    }

    @Override
    protected Duration shortLease() {
        return Provided.TIMINGS.lease();
    }

    @Override
    protected void endSupplier() {
        try {
            provided.awaitNothingLeft();
        } finally {
            provided.close();
        }
    }

    private static Grant grant() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.US_ASCII));
            return Grant.of(HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private DesiredMachine machine(String id) {
        return desired(new MachineRef(id, 1));
    }

    @Test
    void machineComputesForHoldersOfAGrant() throws InterruptedException {
        DesiredMachine wanted = machine("granted");
        try (MachineFleet fleet = provider().open("granted", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            MachineObservation ready = observed.await(wanted.machine(), MachinePhase.READY, patience());
            try (RemoteMachine machine =
                    RemoteMachine.connect(ready.address().orElseThrow().endpoint(TOKEN), new MachineOptions())) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    /** A replica died between the Job and the key; another replica continues at this point. */
    @Test
    void repeatedRequestFinishesTheStart() throws InterruptedException {
        DesiredMachine wanted = machine("begun");
        try (MachineFleet fleet = provider().open("begun", Map.of());
                var observed = new ObservedFleet(fleet)) {
            LifetimePolicy lifetime = new LifetimePolicy.Controlled(
                    "begun", wanted.bounds(), wanted.grants(), wanted.labels(), Optional.empty());
            KubernetesMachineSpec request = new KubernetesMachineSpec(
                    wanted.machine().name(),
                    wanted.gpu(),
                    lifetime,
                    "ada@laptop",
                    SettingsReader.of(provided.cluster.options()));
            provided.cluster
                    .client()
                    .resource(DesiredState.heldJob(request))
                    .inNamespace(provided.cluster.namespace())
                    .create();
            observed.await(wanted.machine(), MachinePhase.QUEUED, patience());
            fleet.ensure(wanted);
            observed.await(wanted.machine(), MachinePhase.READY, patience());
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    @Test
    void reasonComesFromTheCluster() throws InterruptedException {
        DesiredMachine tooMany = machine("waiting").withOptions(Map.of("node-selector", "disk=ssd"));
        try (MachineFleet fleet = provider().open("waiting", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(tooMany);
            MachineObservation waiting = observed.await(
                    tooMany.machine(),
                    observation -> observation.state() == MachinePhase.SCHEDULING
                            && observation.reason().contains("node"),
                    patience());
            assertTrue(waiting.isLive());
            fleet.end(tooMany.machine());
            observed.await(tooMany.machine(), MachinePhase.GONE, patience());
        }
    }

    @Test
    void aPodThatSomebodyDeletesEndsItsMachineOnce() throws InterruptedException {
        DesiredMachine wanted = machine("deleted");
        try (MachineFleet fleet = provider().open("deleted", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            observed.await(wanted.machine(), MachinePhase.READY, patience());
            Pod pod = provided.objects(Pod.class).stream()
                    .filter(each -> each.getMetadata()
                            .getName()
                            .startsWith(wanted.machine().name()))
                    .findFirst()
                    .orElseThrow();
            provided.delete(pod);
            MachineObservation ended = observed.await(wanted.machine(), MachinePhase.ENDED, patience());
            assertEquals(Optional.of(EndCause.STOPPED), ended.endCause(), ended::reason);
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    /** A misconfigured proxy may answer in this way. The fleet concludes nothing from it and asks again. */
    @ParameterizedTest
    @CsvSource({"LIST, jobs", "LIST, pods", "GET, jobs"})
    void emptyAnswerDoesNotEndMachines(Verb verb, String resource) throws InterruptedException {
        // A real cluster has none.
        ApiFaults faults = provided.cluster.faults();
        DesiredMachine wanted = machine("answered");
        try (MachineFleet fleet = provider().open("answered", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            observed.await(wanted.machine(), MachinePhase.READY, patience());
            faults.inject(Fault.emptyAnswer().on(verb, resource));
            assertEquals(
                    List.of(MachinePhase.READY),
                    fleet.list().stream().map(MachineObservation::state).toList());
            fleet.ensure(wanted);
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    /** Clients delete ended machines in their namespace; a control plane has to see them first. */
    @Test
    void clientsLeaveWhatHasEnded() throws InterruptedException {
        DesiredMachine wanted = machine("kept");
        try (MachineFleet fleet = provider().open("kept", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted.withBounds(wanted.bounds().withLease(shortLease())));
            observed.await(wanted.machine(), MachinePhase.ENDED, patience().plus(shortLease()));
            provided.keeper().sweep().await().atMost(patience());
            assertEquals(1, fleet.list().size());
            assertTrue(provided.objects(Job.class).stream()
                    .anyMatch(job ->
                            job.getMetadata().getName().equals(wanted.machine().name())));
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    @Test
    void aForwardedPortIsNoAddress() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> provider().open("one", Map.of("endpoint", "port-forward")));
        assertEquals(
                "outpost.k8s.endpoint: the machines of a control plane are reached by their clients, by pod-ip or by a"
                        + " service, got port-forward",
                refused.getMessage());
        try (MachineFleet fleet = provider().open("one", Map.of())) {
            DesiredMachine elsewhere = machine("elsewhere").withOptions(Map.of("namespace", "other"));
            assertThrows(IllegalArgumentException.class, () -> fleet.ensure(elsewhere));
            assertEquals(List.of(), fleet.list());
        }
    }
}
