package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import dev.outpost.provider.k8s.task.Backoff;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.WakeSignal;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over a machine that runs, on a thread of its own, until it ends or nobody needs it any more. That the API server
 * is away says nothing about the machine, unless the way to it leads through the API server.
 */
public final class MachineMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(MachineMonitor.class);

    private final String machine;
    private final MachineObserver eye;
    private final DiagnosticsReader circumstances;
    private final WakeSignal news;
    private final ProviderContext surroundings;
    private final ForwardOutage outage;
    private final Backoff backoff;
    private final CompletableFuture<MachineLoss> lost = new CompletableFuture<>();
    private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();
    private volatile boolean dismissed;

    public MachineMonitor(
            String machine,
            MachineObserver eye,
            DiagnosticsReader circumstances,
            WakeSignal news,
            ProviderContext surroundings,
            ForwardOutage outage) {
        PollingSettings pace = surroundings.pace();
        this.machine = machine;
        this.eye = eye;
        this.circumstances = circumstances;
        this.news = news;
        this.surroundings = surroundings;
        this.outage = outage;
        this.backoff = new Backoff(pace.firstRetry(), pace.longestRetry(), surroundings.random());
    }

    public void begin() {
        Thread.ofVirtual().name("outpost-watch-" + machine).start(this::run);
    }

    /** Completes when the machine has ended; never once this was dismissed. */
    public CompletableFuture<MachineLoss> lost() {
        return lost;
    }

    /** Marks events of the machine from now on as intended. */
    public void dismiss() {
        dismissed = true;
        news.beat();
    }

    private void run() {
        try {
            while (!dismissed && !lost.isDone()) {
                news.await(look());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers how long there is nothing to do, unless there is news. */
    private Duration look() {
        Duration resync = surroundings.pace().whileRunning();
        try {
            loss(eye.look(resync)).ifPresent(this::lose);
            backoff.reset();
            return eye.untilDue(resync);
        } catch (RuntimeException | Error trouble) {
            tell("is not seen for now", trouble);
            return isOutage(trouble) ? untilNextLook(trouble) : backoff.next();
        }
    }

    /** The connection of a session waits only briefly for a reason, so the end of the lease is not slept through. */
    private Duration untilNextLook(Throwable trouble) {
        outage.loss(trouble).ifPresent(this::lose);
        Duration pause = backoff.next();
        Duration left = outage.left();
        return left.isPositive() && left.compareTo(pause) < 0 ? left : pause;
    }

    /** That the API server is away passes; anything else is a defect of ours, which is told of once. */
    private void tell(String what, Throwable trouble) {
        if (isOutage(trouble)) {
            LOG.debug("{} {}", machine, what, trouble);
        } else if (told.add(trouble.getClass())) {
            LOG.warn("{} {}, by a defect; told once", machine, what, trouble);
        }
    }

    public static boolean isOutage(Throwable trouble) {
        return trouble instanceof KubernetesClientException;
    }

    private void lose(MachineLoss loss) {
        if (!dismissed) {
            lost.complete(loss);
        }
    }

    /** A machine that ran has not ended, whatever else is said of it. */
    private Optional<MachineLoss> loss(ObservedMachine seen) {
        return ended(seen).map(loss -> {
            ObservedMachine latest = latest(seen);
            return ended(circumstances.read(latest).of(latest)).orElse(loss);
        });
    }

    /** Two watches may tell in another order than it happened: that a pod is gone before the Job that it went with. */
    private ObservedMachine latest(ObservedMachine seen) {
        try {
            return eye.look(Duration.ZERO);
        } catch (RuntimeException trouble) {
            tell("is not seen again, so that what was seen has to do", trouble);
            return seen;
        }
    }

    private static Optional<MachineLoss> ended(ObservedMachine seen) {
        return PodReasons.of(seen) instanceof PodState.Ended ended ? Optional.of(ended.loss()) : Optional.empty();
    }
}
