package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.desired.SuspendedJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the remains of machines that have ended. These are their Jobs, and Secrets, Services and claim templates without a Job, and
 * claims without a pod. Also removes Jobs whose client died before it made their key and released them. Never touches a machine that lives
 * or may still start.
 */
public final class OrphanJobCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanJobCleanup.class);

    /** The time for which a client can still read why its machine ended. */
    private static final Duration IN_BACKGROUND = Duration.ofMinutes(2);

    /**
     * The age from which a Job without a key counts as abandoned; much longer than a client needs to make the key.
     */
    private static final Duration HELD = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final Instant now;
    private final Duration undisturbed;
    private final List<String> removed = new ArrayList<>();

    private OrphanJobCleanup(Cluster cluster, Instant now, Duration undisturbed) {
        this.cluster = cluster;
        this.now = now;
        this.undisturbed = undisturbed;
    }

    /**
     * Cleans up after all machines that have ended.
     *
     * @param now the time by the cluster's clock, like the times of its objects; the clock of this host may be hours off
     */
    public static OrphanJobCleanup of(Cluster cluster, Instant now) {
        return new OrphanJobCleanup(cluster, now, Duration.ZERO);
    }

    /**
     * Cleans up after machines that ended a while ago.
     *
     * @param made the Job of a machine that is being started; its creation time is taken as the cluster's current time
     */
    static OrphanJobCleanup of(Cluster cluster, Job made) {
        return new OrphanJobCleanup(cluster, new JobLifecycle(made).created(), IN_BACKGROUND);
    }

    /** Cleans up like {@link #of(Cluster, Job)}, on its own thread, so that the start of a machine does not wait. */
    public static void inBackground(Cluster cluster, Job made) {
        Thread.ofVirtual().name("outpost-sweep").start(of(cluster, made)::runQuietly);
    }

    private void runQuietly() {
        try {
            run().forEach(line -> LOG.info("removed the rest of {}", line));
        } catch (RuntimeException failure) {
            LOG.debug("the rest of ended machines stays for now", failure);
        }
    }

    /**
     * Removes the remains. Returns a line for each removed object, including the objects of a previous run that failed. Lists owners after
     * their dependents, so that an owner that was made in between is seen, and its dependents are kept.
     */
    public List<String> run() {
        List<Secret> secrets = cluster.all(Secret.class);
        List<Service> services = cluster.all(Service.class);
        List<ResourceClaimTemplate> templates = cluster.devices().ofMachines(ResourceClaimTemplate.class);
        List<ResourceClaim> claims = cluster.devices().ofMachines(ResourceClaim.class);
        List<Pod> pods = claims.isEmpty() ? List.of() : cluster.all(Pod.class);
        List<Job> jobs = cluster.all(Job.class);
        jobs.forEach(this::removeIfOver);
        removeOrphans(Secret.class, secrets, jobs);
        removeOrphans(Service.class, services, jobs);
        removeOrphans(ResourceClaimTemplate.class, templates, jobs);
        removeOrphans(ResourceClaim.class, claims, pods);
        return List.copyOf(removed);
    }

    /** Removes a Job that has ended. A control plane removes its own Jobs. */
    private void removeIfOver(Job job) {
        if (job.getMetadata().getLabels().containsKey(MachineLabels.INSTALLATION)) {
            return;
        }
        if (new JobLifecycle(job).ended().filter(this::isPast).isPresent()) {
            remove(Job.class, job, "it has ended");
        } else if (isAbandoned(job)) {
            remove(Job.class, job, "its client was gone before it had a key");
        }
    }

    private boolean isPast(Instant end) {
        return undisturbed.isZero() || end.plus(undisturbed).isBefore(now);
    }

    private boolean isAbandoned(Job job) {
        return SuspendedJob.isHeld(job)
                && new JobLifecycle(job).created().plus(HELD).isBefore(now);
    }

    private <T extends HasMetadata> void removeOrphans(
            Class<T> type, List<T> objects, List<? extends HasMetadata> present) {
        Set<String> uids =
                present.stream().map(owner -> owner.getMetadata().getUid()).collect(Collectors.toSet());
        for (T object : objects) {
            var owners = object.getMetadata().getOwnerReferences();
            if (!owners.isEmpty() && owners.stream().noneMatch(owner -> uids.contains(owner.getUid()))) {
                remove(type, object, "its " + owners.getFirst().getKind() + " is gone");
            }
        }
    }

    private <T extends HasMetadata> void remove(Class<T> type, T object, String why) {
        cluster.delete(type, name(object));
        removed.add(type.getSimpleName() + " " + name(object) + ": " + why);
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
