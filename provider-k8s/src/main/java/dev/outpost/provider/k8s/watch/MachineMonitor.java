package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import dev.outpost.provider.k8s.task.Backoff;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.WakeSignal;
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
    private final MachineObserver observer;
    private final DiagnosticsReader diagnosticsReader;
    private final WakeSignal wakeSignal;
    private final ProviderContext context;
    private final ForwardOutage outage;
    private final Backoff backoff;
    private final CompletableFuture<MachineLoss> lost = new CompletableFuture<>();
    private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();
    private volatile boolean dismissed;

    public MachineMonitor(
            String machine,
            MachineObserver observer,
            DiagnosticsReader diagnosticsReader,
            WakeSignal wakeSignal,
            ProviderContext context,
            ForwardOutage outage) {
        PollingSettings polling = context.polling();
        this.machine = machine;
        this.observer = observer;
        this.diagnosticsReader = diagnosticsReader;
        this.wakeSignal = wakeSignal;
        this.context = context;
        this.outage = outage;
        this.backoff = new Backoff(polling.firstRetry(), polling.longestRetry(), context.random());
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
        wakeSignal.wake();
    }

    private void run() {
        try {
            while (!dismissed && !lost.isDone()) {
                wakeSignal.await(poll());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers how long there is nothing to do, unless there is news. */
    private Duration poll() {
        Duration resync = context.polling().whileRunning();
        try {
            loss(observer.observe(resync)).ifPresent(this::lose);
            backoff.reset();
            return observer.untilDue(resync);
        } catch (RuntimeException | Error failure) {
            report("is not seen for now", failure);
            return isOutage(failure) ? untilNextLook(failure) : backoff.next();
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
    private void report(String what, Throwable trouble) {
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
    private Optional<MachineLoss> loss(ObservedMachine observed) {
        return ended(observed).map(loss -> {
            ObservedMachine latest = latest(observed);
            return ended(diagnosticsReader.read(latest).of(latest)).orElse(loss);
        });
    }

    /** Two watches may tell in another order than it happened: that a pod is gone before the Job that it went with. */
    private ObservedMachine latest(ObservedMachine observed) {
        try {
            return observer.observe(Duration.ZERO);
        } catch (RuntimeException failure) {
            report("is not seen again, so that what was seen has to do", failure);
            return observed;
        }
    }

    private static Optional<MachineLoss> ended(ObservedMachine observed) {
        return PodReasons.of(observed) instanceof PodState.Ended ended ? Optional.of(ended.loss()) : Optional.empty();
    }
}
