package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.Diagnostics;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.MachineObserver;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;

/** Waits until a machine's pod is ready, and reports the reason for the wait. */
public final class ReadinessWaiter {
    /** The time for which a container may run before its failing probes are looked up. */
    private static final Duration SLOW = Duration.ofSeconds(10);

    private final MachineObserver observer;
    private final DiagnosticsReader diagnosticsReader;
    private final StartContext context;
    private final PollingSettings polling;
    private final EarlyPath early;
    private Diagnostics diagnostics = Diagnostics.NONE;
    private Duration explained = Duration.ZERO;
    private Optional<Duration> running = Optional.empty();

    /** @param early connects to the machine before its pod is ready */
    ReadinessWaiter(
            MachineObserver observer, DiagnosticsReader diagnosticsReader, StartContext context, EarlyPath early) {
        this.early = early;
        this.observer = observer;
        this.diagnosticsReader = diagnosticsReader;
        this.context = context;
        this.polling = context.context().polling();
    }

    /**
     * Returns the pod when it is ready or its machine answers.
     *
     * @throws ClusterException if it cannot become ready, or does not within the allowed time
     */
    public Pod await() {
        Optional<Pod> ready = read();
        while (ready.isEmpty()) {
            context.requireTime();
            context.deadline().awaitNews(pause());
            ready = read();
        }
        return ready.get();
    }

    private Duration pause() {
        Duration longest = running.isPresent() && early.isPromising() ? EarlyPath.PAUSE : polling.events();
        Duration due = observer.untilDue(polling.whileStarting());
        return due.compareTo(longest) < 0 ? due : longest;
    }

    private Optional<Pod> read() {
        ObservedMachine observed = context.ask(() -> observer.observe(polling.whileStarting()));
        PodState state = PodReasons.of(observed.with(diagnostics));
        if (isExplanationDue(state)) {
            diagnostics = diagnosticsReader.read(observed);
            explained = elapsed();
            state = PodReasons.of(observed.with(diagnostics));
        }
        return checkAndReport(state, observed.with(diagnostics)) ? observed.pod() : Optional.empty();
    }

    /** Returns true if the diagnostics must be read now. After a failure they are always read again. */
    private boolean isExplanationDue(PodState state) {
        return switch (state) {
            case PodState.Running started -> !started.ready() && isSlow() && isExplanationOld();
            case PodState.Coming coming -> isExplanationOld();
            case PodState.Stuck stuck -> isExplanationOld();
            case PodState.Refused refused -> true;
            case PodState.Ended ended -> true;
        };
    }

    /**
     * Returns true if the container has run for a while without being ready. Events may then show that its probe
     * fails.
     */
    private boolean isSlow() {
        running = running.or(() -> Optional.of(elapsed()));
        return elapsed().minus(running.get()).compareTo(SLOW) >= 0;
    }

    private boolean isExplanationOld() {
        return elapsed().minus(explained).compareTo(polling.events()) >= 0;
    }

    private boolean checkAndReport(PodState state, ObservedMachine latest) {
        return switch (state) {
            case PodState.Coming coming -> reportProgress(coming.phase(), coming.text());
            case PodState.Stuck stuck -> reportProgress(stuck.phase(), stuck.sentence());
            case PodState.Running started -> started.ready() || answersEarly(latest);
            case PodState.Refused refused -> throw new ClusterException(refused.sentence());
            case PodState.Ended ended -> throw new ClusterException(ended.loss().reason());
        };
    }

    private boolean answersEarly(ObservedMachine latest) {
        running = running.or(() -> Optional.of(elapsed()));
        return latest.pod().filter(early::leadsTo).isPresent()
                || reportProgress(MachinePhase.STARTING, PodReasons.starting(latest));
    }

    private boolean reportProgress(MachinePhase phase, String text) {
        context.progress().report(phase, text);
        return false;
    }

    private Duration elapsed() {
        return context.deadline().elapsed();
    }
}
