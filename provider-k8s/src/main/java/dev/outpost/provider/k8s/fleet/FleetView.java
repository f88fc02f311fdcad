package dev.outpost.provider.k8s.fleet;

import dev.outpost.channel.HostPort;
import dev.outpost.channel.Trust;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.machine.JobLifecycle;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The view of a control plane on a machine, from its state in the cluster. */
public final class FleetView {
    private final MachineRef machine;
    private final ObservedMachine observed;
    private final HasMetadata object;

    private FleetView(MachineRef machine, ObservedMachine observed, HasMetadata object) {
        this.machine = machine;
        this.observed = observed;
        this.object = object;
    }

    /**
     * @param observed the machine, with a Job or with a pod that outlives its Job
     * @param way finds the route to the machine; called only if the machine is ready
     */
    public static MachineObservation of(
            MachineRef machine, ObservedMachine observed, Supplier<Optional<MachineRoute>> way) {
        HasMetadata object = observed.job()
                .<HasMetadata>map(job -> job)
                .or(() -> observed.pod().map(pod -> pod))
                .orElseThrow();
        FleetView view = new FleetView(machine, observed, object);
        return view.isBeingRemoved() ? view.ending() : view.asReasoned(way);
    }

    /** Returns true if the machine was deleted, even if its pod is still shutting down. */
    private boolean isBeingRemoved() {
        return observed.job().isEmpty() || object.getMetadata().getDeletionTimestamp() != null;
    }

    private MachineObservation ending() {
        Instant since = Optional.ofNullable(object.getMetadata().getDeletionTimestamp())
                .map(Instant::parse)
                .map(end -> end.minusSeconds(
                        Optional.ofNullable(object.getMetadata().getDeletionGracePeriodSeconds())
                                .orElse(0L)))
                .orElseGet(this::created);
        return observation(MachinePhase.ENDING, "it is being removed", since, Optional.empty());
    }

    private MachineObservation asReasoned(Supplier<Optional<MachineRoute>> way) {
        return switch (PodReasons.of(observed)) {
            case PodState.Coming coming -> coming(coming.phase(), coming.text());
            case PodState.Stuck stuck -> coming(stuck.phase(), stuck.sentence());
            case PodState.Running running ->
                running.ready()
                        ? serving(running, way.get())
                        : coming(MachinePhase.STARTING, PodReasons.starting(observed));
            case PodState.Refused refused -> ended(EndCause.FAILED, refused.sentence());
            case PodState.Ended ended ->
                ended(PodReasons.endCause(observed), ended.loss().reason());
        };
    }

    private MachineObservation coming(MachinePhase phase, String text) {
        MachinePhase seen = phase.compareTo(MachinePhase.STARTING) > 0 ? MachinePhase.STARTING : phase;
        return observation(seen, text, created(), Optional.empty());
    }

    private MachineObservation serving(PodState.Running running, Optional<MachineRoute> machineRoute) {
        Optional<Trust.Pin> pin = annotation(MachineLabels.PIN).map(Trust.Pin::new);
        if (machineRoute.isEmpty() || pin.isEmpty()) {
            return coming(MachinePhase.STARTING, "waiting for the address of its Service");
        }
        MachineAddress address =
                new MachineAddress(machineRoute.get().host(), machineRoute.get().port(), pin.get());
        String reason = "it serves at " + HostPort.text(address.host(), address.port())
                + (running.nodeName().isEmpty() ? "" : " on node " + running.nodeName());
        return new MachineObservation(
                machine,
                gpu(),
                MachinePhase.READY,
                reason,
                Optional.empty(),
                Optional.of(address),
                created(),
                ready(),
                labels());
    }

    private MachineObservation ended(EndCause cause, String reason) {
        return observation(MachinePhase.ENDED, reason, finished(), Optional.of(cause));
    }

    private MachineObservation observation(MachinePhase state, String reason, Instant since, Optional<EndCause> cause) {
        return new MachineObservation(
                machine, gpu(), state, reason, cause, Optional.empty(), created(), since, labels());
    }

    // ---- times

    private Instant created() {
        return Instant.parse(object.getMetadata().getCreationTimestamp());
    }

    private Instant ready() {
        return observed.pod().map(pod -> pod.getStatus().getConditions()).stream()
                .flatMap(List::stream)
                .filter(condition -> "Ready".equals(condition.getType()))
                .map(PodCondition::getLastTransitionTime)
                .flatMap(Stream::ofNullable)
                .map(Instant::parse)
                .findFirst()
                .orElseGet(this::created);
    }

    /** Returns the time of the end. It appears first in the container's state, where it does not change. */
    private Instant finished() {
        return observed.pod().map(pod -> pod.getStatus().getContainerStatuses()).stream()
                .flatMap(List::stream)
                .map(ContainerStatus::getState)
                .filter(state -> state != null && state.getTerminated() != null)
                .map(state -> state.getTerminated().getFinishedAt())
                .flatMap(Stream::ofNullable)
                .map(Instant::parse)
                .findFirst()
                .or(() -> observed.job().map(JobLifecycle::new).flatMap(JobLifecycle::ended))
                .orElseGet(this::created);
    }

    // ---- the request

    private String gpu() {
        return label(object.getMetadata(), MachineLabels.GPU);
    }

    private static String label(ObjectMeta metadata, String key) {
        return metadata.getLabels().getOrDefault(key, "?");
    }

    private Map<String, String> labels() {
        return annotation(MachineLabels.GIVEN).map(FleetView::parse).orElse(Map.of());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> parse(String json) {
        return Serialization.unmarshal(json, Map.class);
    }

    private Optional<String> annotation(String key) {
        return Optional.ofNullable(object.getMetadata().getAnnotations()).map(annotations -> annotations.get(key));
    }
}
