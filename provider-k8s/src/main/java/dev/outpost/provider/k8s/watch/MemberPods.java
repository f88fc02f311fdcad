package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The pods of a group's members. The member that is furthest from being ready represents all of them. The order, from
 * furthest to nearest, is: ended by itself, deleted, cannot start, delayed by a problem, starting, ready. Not
 * thread-safe, except {@link #speaker}.
 */
public final class MemberPods implements PodChoice {
    private final int members;
    private final boolean isOnePod;
    private final InstantSource clock;
    /** The last seen pods, by completion index. */
    private final Map<Integer, Pod> seen = new TreeMap<>();

    private volatile int speaker;

    /** @param isOnePod true if the members are the containers of one pod */
    public MemberPods(int members, boolean isOnePod, InstantSource clock) {
        this.members = members;
        this.isOnePod = isOnePod;
        this.clock = clock;
    }

    /** Returns the member whose pod was chosen last. */
    public int speaker() {
        return speaker;
    }

    /** Returns a member's last seen pod, in the form of a single machine's pod; empty if it was not seen. */
    public Optional<Pod> pod(int rank) {
        return isOnePod
                ? Optional.ofNullable(seen.get(0)).map(pod -> MemberContainer.only(pod, rank))
                : Optional.ofNullable(seen.get(rank));
    }

    @Override
    public Optional<Pod> of(Job job, ObjectWatcher<Pod> pods) {
        update(pods.present());
        List<Integer> present = IntStream.range(0, members)
                .filter(rank -> pod(rank).isPresent())
                .boxed()
                .toList();
        Optional<Integer> first = present.stream().min(Comparator.comparing(rank -> distance(job, rank)));
        speaker = first.orElse(0);
        return first.filter(rank -> present.size() == members || distance(job, rank) < Distance.READY)
                .flatMap(this::pod);
    }

    /**
     * Updates the last seen pods. A pod that was deleted before it ran may be followed by another one of its index. Any other deleted pod
     * has ended.
     */
    private void update(List<Pod> present) {
        Map<Integer, Pod> newest = new TreeMap<>();
        present.stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .forEach(pod -> newest.put(index(pod), pod));
        List<Integer> gone = new ArrayList<>(seen.keySet());
        gone.removeAll(newest.keySet());
        for (int index : gone) {
            seen.computeIfPresent(index, (key, pod) -> NewestPod.hasRun(pod) ? NewestPod.deleted(pod, clock) : null);
        }
        seen.putAll(newest);
    }

    private static int index(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels().get(MachineLabels.INDEX))
                .map(Integer::parseInt)
                .orElse(0);
    }

    /** The distances of members from being ready, the furthest first. */
    private static final class Distance {
        static final int ENDED = 0;
        static final int DELETED = 1;
        static final int REFUSED = 2;
        static final int STUCK = 3;
        static final int COMING = 4;
        static final int STARTING = 5;
        static final int READY = 6;
    }

    private int distance(Job job, int rank) {
        Pod pod = pod(rank).orElseThrow();
        return switch (PodReasons.of(ObservedMachine.of(job, pod, clock.instant()))) {
            case PodState.Ended ended -> isDeleted(pod) ? Distance.DELETED : Distance.ENDED;
            case PodState.Refused refused -> Distance.REFUSED;
            case PodState.Stuck stuck -> Distance.STUCK;
            case PodState.Coming coming -> Distance.COMING;
            case PodState.Running running -> running.ready() ? Distance.READY : Distance.STARTING;
        };
    }

    private static boolean isDeleted(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }
}
