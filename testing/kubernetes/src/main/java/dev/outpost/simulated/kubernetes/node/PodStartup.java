package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ContainerLog;
import dev.outpost.simulated.kubernetes.control.PacedClock;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The steps from a bound pod to a running container: volumes, image, configuration. */
final class PodStartup {
    /** The same as in a real kubelet. */
    private static final Duration FIRST_MOUNT_RETRY = Duration.ofMillis(500);

    private static final Duration LONGEST_MOUNT_RETRY = Duration.ofSeconds(122);
    private static final Duration CONFIGURATION_RETRY = Duration.ofSeconds(10);

    private static final List<String> EVERYWHERE = List.of("0.0.0.0", "::");

    private final LocalPod pod;
    private final ContainerFiles files;
    private final SignalQueue signalQueue;
    private final PacedClock clock;
    private final Duration pulling;
    private final String address;

    PodStartup(
            LocalPod pod,
            ContainerFiles files,
            SignalQueue signalQueue,
            PacedClock clock,
            Duration pulling,
            String address) {
        this.pod = pod;
        this.files = files;
        this.signalQueue = signalQueue;
        this.clock = clock;
        this.pulling = pulling;
        this.address = address;
    }

    /** Starts the container, and waits for its volumes and its image. */
    RunningContainer start(PodRunner runner, ContainerLog log) throws SignalQueue.Deleted, InterruptedException {
        pod.edit(present -> PodConditions.met(present, "PodReadyToStartContainers", pod.now()));
        pod.waiting("ContainerCreating", null);
        awaitVolumes();
        pull();
        ContainerStart start = configured(log);
        pod.report("Created", "Created container: " + pod.container());
        try {
            List<RunningContainer> containers = new ArrayList<>(List.of(runner.start(start)));
            containers.addAll(others(runner, log));
            pod.report("Started", "Started container " + pod.container());
            return containers.size() == 1 ? containers.getFirst() : new RunningContainers(containers);
        } catch (IOException failure) {
            return cannotRun(failure);
        }
    }

    /** Waits for the required Secrets; the kubelet retries with growing pauses. */
    private void awaitVolumes() throws SignalQueue.Deleted, InterruptedException {
        Duration pause = FIRST_MOUNT_RETRY;
        Optional<Volume> missing = files.mount();
        while (missing.isPresent()) {
            pod.warn("FailedMount", notMounted(missing.get()));
            signalQueue.pause(clock, pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_MOUNT_RETRY) < 0
                    ? pause.multipliedBy(2)
                    : LONGEST_MOUNT_RETRY;
            missing = files.mount();
        }
    }

    private static String notMounted(Volume volume) {
        return "MountVolume.SetUp failed for volume \"" + volume.getName() + "\" : secret \""
                + volume.getSecret().getSecretName() + "\" not found";
    }

    private void pull() throws SignalQueue.Deleted, InterruptedException {
        if (pulling.isZero()) {
            pod.report("Pulled", "Container image \"" + pod.image() + "\" already present on machine");
            return;
        }
        pod.report("Pulling", "Pulling image \"" + pod.image() + "\"");
        long end = System.nanoTime() + pulling.toNanos();
        for (long left = pulling.toNanos(); left > 0; left = end - System.nanoTime()) {
            signalQueue.next(Duration.ofNanos(left));
        }
        pod.report("Pulled", "Successfully pulled image \"" + pod.image() + "\" in " + pulling.toMillis() + "ms");
    }

    private ContainerStart configured(ContainerLog log) throws SignalQueue.Deleted, InterruptedException {
        while (true) {
            try {
                return start(pod.pod(), files, log);
            } catch (Environment.Unresolved unresolved) {
                pod.waiting("CreateContainerConfigError", unresolved.getMessage());
                pod.warn("Failed", "Error: " + unresolved.getMessage());
                signalQueue.pause(clock, CONFIGURATION_RETRY);
                // A retry syncs the pod, which updates its mounts.
                files.mount();
            }
        }
    }

    private ContainerStart start(Pod one, ContainerFiles ofOne, ContainerLog log) throws Environment.Unresolved {
        Container container = PodStatuses.container(one);
        return new ContainerStart(
                address,
                here(Environment.of(one, pod.objects(), address), ofOne),
                container.getCommand(),
                container.getArgs(),
                Optional.ofNullable(container.getReadinessProbe())
                        .map(probe -> ContainerProbes.uri(probe, container, address)),
                log);
    }

    /** Converts paths and addresses of the container to those of this host. */
    private Map<String, String> here(Map<String, String> variables, ContainerFiles ofOne) {
        List<String> paths = ofOne.paths();
        Map<String, String> here = new LinkedHashMap<>(variables);
        here.replaceAll((name, value) -> EVERYWHERE.contains(value) ? address : ofOne.onHost(value, paths));
        return here;
    }

    /** Starts the containers of the pod except the first one. Their volumes exist already. */
    private List<RunningContainer> others(PodRunner runner, ContainerLog log) throws IOException {
        List<RunningContainer> others = new ArrayList<>();
        for (Container container :
                pod.pod().getSpec().getContainers().stream().skip(1).toList()) {
            Pod one = new PodBuilder(pod.pod())
                    .editSpec()
                    .withContainers(container)
                    .endSpec()
                    .build();
            ContainerFiles ofOne = new ContainerFiles(one, pod.objects());
            ofOne.mount();
            try {
                RunningContainer running = runner.start(start(one, ofOne, log));
                running.exit().thenRun(ofOne::close);
                others.add(running);
            } catch (Environment.Unresolved unresolved) {
                throw new IOException(unresolved);
            }
        }
        return others;
    }

    private RunningContainer cannotRun(IOException failed) throws SignalQueue.Deleted, InterruptedException {
        pod.waiting("RunContainerError", failed.getMessage());
        pod.warn("Failed", "Error: " + failed.getMessage());
        signalQueue.awaitEnd();
        throw new AssertionError("nothing comes after the end");
    }
}
