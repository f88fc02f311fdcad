package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.ForbiddenGracePeriod;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the lines of a machine's log, over connections that may break. Each line has the time at which it was written. A new connection
 * continues at the time of the last line.
 */
public final class PodLogReader {
    private static final Logger LOG = LoggerFactory.getLogger(PodLogReader.class);
    private static final Set<String> OVER = Set.of("Succeeded", "Failed");
    private static final String PENDING = "Pending";
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final ProviderContext context;
    private final String machine;
    private final boolean follow;
    private final MultiEmitter<? super String> emitter;
    private final CancellableDeadline deadline;
    private final ForbiddenGracePeriod forbiddenGrace;
    private Optional<Instant> last = Optional.empty();
    private volatile InputStream open = InputStream.nullInputStream();

    private PodLogReader(
            ProviderContext context, String machine, boolean follow, MultiEmitter<? super String> emitter) {
        this.context = context;
        this.machine = machine;
        this.follow = follow;
        this.emitter = emitter;
        this.deadline = new CancellableDeadline(FOREVER, context.nanos());
        this.forbiddenGrace = new ForbiddenGracePeriod(context.polling().refusal(), deadline::elapsed);
    }

    /** Emits the log's lines. Each subscription reads from the beginning. */
    public static Multi<String> of(ProviderContext context, String machine, boolean follow) {
        return Multi.createFrom().emitter(emitter -> new PodLogReader(context, machine, follow, emitter).begin());
    }

    private void begin() {
        emitter.onTermination(this::stop);
        Thread.ofVirtual().name("outpost-log-" + machine).start(this::run);
    }

    private void stop() {
        deadline.withdraw();
        try {
            open.close();
        } catch (IOException failure) {
            LOG.debug("the log of {} broke while it was closed", machine, failure);
        }
    }

    private void run() {
        try (Cluster cluster = context.clients().open(context.config())) {
            while (read(cluster)) {
                deadline.pause(context.polling().reopen());
            }
            emitter.complete();
        } catch (CancellableDeadline.WithdrawnException ignored) {
            LOG.debug("the log of {} is not read any more", machine);
        } catch (RuntimeException failure) {
            emitter.fail(failure);
        }
    }

    /**
     * Reads the log once. Returns true if more lines may come. After a broken connection, the caller reads again if it follows the log.
     */
    private boolean read(Cluster cluster) {
        try {
            Job job = cluster.job(machine).orElseThrow(() -> ClusterException.noMachine(machine, cluster));
            Optional<Pod> pod = cluster.pod(machine);
            boolean isOver = pod.map(PodLogReader::isOver)
                    .orElseGet(() -> new JobLifecycle(job).ended().isPresent());
            copy(cluster, pod.filter(PodLogReader::hasStarted));
            return follow && !isOver;
        } catch (KubernetesClientException failure) {
            ApiProblem problem = ApiReasons.of(failure);
            if (!mayPass(problem)) {
                throw new ClusterException(problem.sentence(), failure);
            }
            LOG.debug("the log of {} is read again: {}", machine, problem.sentence());
            return true;
        }
    }

    private boolean mayPass(ApiProblem problem) {
        return switch (problem.retry()) {
            case NEVER -> false;
            case ONCE, YES -> follow;
            case BRIEFLY -> forbiddenGrace.refused().isPositive();
        };
    }

    private void copy(Cluster cluster, Optional<Pod> pod) {
        if (pod.isPresent()) {
            try (InputStream in = cluster.logs().open(pod.get(), last, follow)) {
                open = in;
                deadline.requireWanted();
                takeAll(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
            } catch (IOException failure) {
                deadline.requireWanted();
                throw KubernetesClientException.launderThrowable(failure);
            }
        }
    }

    private void takeAll(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            take(line);
        }
    }

    /**
     * Emits a line unless it was emitted already: a new connection repeats the lines of the second in which the last
     * connection ended.
     */
    private void take(String line) {
        int end = line.indexOf(' ');
        Instant written = Instant.parse(line.substring(0, end < 0 ? line.length() : end));
        if (last.map(written::isAfter).orElse(true)) {
            last = Optional.of(written);
            emitter.emit(end < 0 ? "" : line.substring(end + 1));
        }
    }

    private static boolean isOver(Pod pod) {
        return OVER.contains(pod.getStatus().getPhase());
    }

    private static boolean hasStarted(Pod pod) {
        return !PENDING.equals(pod.getStatus().getPhase());
    }
}
