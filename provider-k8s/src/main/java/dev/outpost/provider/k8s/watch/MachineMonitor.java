package dev.outpost.provider.k8s.watch;

import dev.outpost.channel.Backoff;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
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
 * Monitors a running machine on a separate thread, until the machine ends or is not needed any more. An outage of the
 * API server does not affect the machine, unless the route to the machine uses the API server.
 */
public final class MachineMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(MachineMonitor.class);

    private final String machine;
    private final MachineObserver observer;
    private final DiagnosticsReader diagnosticsReader;
    private final WakeSignal wakeSignal;
    private final ProviderContext context;
    private final ForwardOutage outage;
    private final Backoff.Pauses pauses;
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
        this.machine = machine;
        this.observer = observer;
        this.diagnosticsReader = diagnosticsReader;
        this.wakeSignal = wakeSignal;
        this.context = context;
        this.outage = outage;
        this.pauses = context.polling().retry().begin(context.nanos(), context.random());
    }

    public void begin() {
        Thread.ofVirtual().name("outpost-watch-" + machine).start(this::run);
    }

    /** Completes when the machine has ended. Never completes after {@link #dismiss}. */
    public CompletableFuture<MachineLoss> lost() {
        return lost;
    }

    /** Stops reports of a loss, because the machine is not needed any more. */
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

    /** Polls the machine. Returns the time until the next poll, unless a change is reported earlier. */
    private Duration poll() {
        Duration resync = context.polling().whileRunning();
        try {
            loss(observer.observe(resync)).ifPresent(this::lose);
            pauses.reset();
            return observer.untilDue(resync);
        } catch (RuntimeException | Error failure) {
            report("is not seen for now", failure);
            return isOutage(failure) ? untilNextLook(failure) : pause();
        }
    }

    /**
     * Returns the pause until the next poll. It does not exceed the rest of the lease, because the session's
     * connection waits only briefly for the reason of a loss.
     */
    private Duration untilNextLook(Throwable trouble) {
        outage.loss(trouble).ifPresent(this::lose);
        Duration pause = pause();
        Duration left = outage.left();
        return left.isPositive() && left.compareTo(pause) < 0 ? left : pause;
    }

    private Duration pause() {
        return pauses.next().orElseThrow();
    }

    /**
     * Logs a problem. An outage of the API server is temporary, so it is logged at the debug level only. Any other
     * exception is a defect; the first one of each class is logged.
     */
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

    /** Returns the loss of a machine that has ended. Other symptoms do not count while the machine runs. */
    private Optional<MachineLoss> loss(ObservedMachine observed) {
        return ended(observed).map(loss -> {
            ObservedMachine latest = latest(observed);
            return ended(latest.with(diagnosticsReader.read(latest))).orElse(loss);
        });
    }

    /** Observes again, because two watches may report in the wrong order: the end of a pod before the end of its Job. */
    private ObservedMachine latest(ObservedMachine observed) {
        try {
            return observer.observe(Duration.ZERO);
        } catch (RuntimeException failure) {
            report("is not seen again, so its last state counts", failure);
            return observed;
        }
    }

    private static Optional<MachineLoss> ended(ObservedMachine observed) {
        return PodReasons.of(observed) instanceof PodState.Ended ended ? Optional.of(ended.loss()) : Optional.empty();
    }
}
