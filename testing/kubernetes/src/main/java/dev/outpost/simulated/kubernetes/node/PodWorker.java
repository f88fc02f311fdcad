package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ContainerLog;
import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs one pod on its node, from its arrival until its object is removed. */
final class PodWorker {
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
    private static final int LAST_LINES = 80;
    private static final System.Logger LOG = System.getLogger(PodWorker.class.getName());

    private final LocalPod pod;
    private final ContainerFiles files;
    private final PodRunner runner;
    private final PacedClock clock;
    private final Optional<PodFailure> failure;
    private final PodStartup startup;
    private final String address;
    private final String hostAddress;
    private final SignalQueue signalQueue;
    private final ContainerLog log = new ContainerLog();
    private final Thread thread;
    private volatile RunningContainer container;
    private volatile Throwable defect;

    PodWorker(LocalPod pod, PodRunner runner, PodFaults faults, PacedClock clock, String address, String hostAddress) {
        this.pod = pod;
        this.runner = runner;
        this.clock = clock;
        this.address = address;
        this.hostAddress = hostAddress;
        this.failure = faults.take();
        this.signalQueue = new SignalQueue();
        this.files = new ContainerFiles(pod.pod(), pod.objects());
        this.startup = new PodStartup(pod, files, signalQueue, clock, faults.pulling(), address);
        this.thread = Thread.ofVirtual().name("test-kubelet-" + pod.name()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    LocalPod pod() {
        return pod;
    }

    void signal(PodSignal signal) {
        signalQueue.add(signal);
    }

    /** Reports that the object was removed: running containers end at once. */
    void gone() {
        signalQueue.add(new PodSignal.Gone());
        RunningContainer running = container;
        if (running != null) {
            running.kill();
        }
    }

    boolean isRunning() {
        return container != null && !container.exit().isDone();
    }

    /** Returns the container's log, once it exists. */
    Optional<ContainerLog> log() {
        return container == null ? Optional.empty() : Optional.of(log);
    }

    // ---- its life

    private void run() {
        try {
            liveAndEnd();
        } catch (InterruptedException interrupted) {
            // The cluster ends, and its close method kills the running containers.
        } catch (RuntimeException | Error failure) {
            giveUp(failure);
        } finally {
            log.end();
            files.close();
        }
    }

    private void liveAndEnd() throws InterruptedException {
        try {
            live();
        } catch (SignalQueue.Deleted deleted) {
            end(deleted.grace());
        }
    }

    /** Makes a pod fail that has no worker any more, so that no test waits for it. */
    private void giveUp(Throwable broken) {
        defect = broken;
        LOG.log(System.Logger.Level.ERROR, "the test kubelet broke on pod " + pod.name(), broken);
        RunningContainer running = container;
        if (running != null) {
            running.kill();
        }
        pod.edit(present -> PodStatuses.failed(present, "KubeletDefect", "the test kubelet broke: " + broken));
    }

    private void live() throws SignalQueue.Deleted, InterruptedException {
        if (failure.orElse(null) instanceof PodFailure.AtStart atStart) {
            StartFailures.show(atStart, pod);
            signalQueue.awaitEnd();
        }
        container = startup.start(runner, log);
        pod.edit(present -> PodStatuses.running(present, address, hostAddress, pod.now()));
        // This comes before it can be ready.
        if (failure.orElse(null) instanceof PodFailure.Running running) {
            signalQueue.add(new PodSignal.Fail(running));
        }
        container.ready().thenRun(() -> signalQueue.add(new PodSignal.Ready()));
        container.exit().thenAccept(code -> signalQueue.add(new PodSignal.Exited(code)));
        Exit exit = watch();
        pod.edit(present -> PodStatuses.ended(present, exit, pod.now()));
        log.end();
        signalQueue.awaitEnd();
    }

    /** Follows the container to its end. */
    private Exit watch() throws SignalQueue.Deleted, InterruptedException {
        Syncs syncs = new Syncs(clock, ThreadLocalRandom.current());
        Optional<Exit> exit = Optional.empty();
        while (exit.isEmpty()) {
            Optional<PodSignal> signal = signalQueue.next(syncs.untilNext());
            if (syncs.take()) {
                files.mount();
            }
            exit = signal.isPresent() ? take(signal.get()) : Optional.empty();
        }
        return exit.get();
    }

    /** Handles a signal. Returns the end of the container by it, if it ended. */
    private Optional<Exit> take(PodSignal signal) throws SignalQueue.Deleted, InterruptedException {
        return switch (signal) {
            case PodSignal.Ready() -> {
                pod.edit(present -> PodStatuses.ready(present, pod.now()));
                yield Optional.empty();
            }
            case PodSignal.TimeMoved() -> Optional.empty();
            case PodSignal.Exited(int code) -> Optional.of(Exit.of(code, lastMessage(code)));
            case PodSignal.Fail(PodFailure.Running running) ->
                new RunningFailures(pod, container, log, signalQueue).happen(running);
            case PodSignal.Delete deleted -> throw new AssertionError("the mailbox throws " + deleted);
            case PodSignal.Gone gone -> throw new AssertionError("the mailbox throws " + gone);
        };
    }

    /** Returns the container's message, or the end of its log if it has none and its specification asks for that. */
    private String lastMessage(int code) {
        String written = files.lastMessage();
        boolean fallBack =
                "FallbackToLogsOnError".equals(PodStatuses.container(pod.pod()).getTerminationMessagePolicy());
        return written.isEmpty() && code != 0 && fallBack ? String.join("\n", log.tail(LAST_LINES)) : written;
    }

    // ---- its end

    /** Ends the containers within the grace period, and removes the object if it still exists. */
    private void end(Optional<Duration> grace) {
        if (isRunning()) {
            pod.report("Killing", "Stopping container " + pod.container());
            container.terminate();
            if (!awaitExit(grace.orElse(Duration.ZERO))) {
                container.kill();
                awaitExit(KILL_TIMEOUT);
            }
            int code = container.exit().getNow(Exit.KILLED);
            pod.edit(present -> PodStatuses.ended(present, Exit.of(code, lastMessage(code)), pod.now()));
        }
        if (grace.isPresent()) {
            pod.objects().remove(pod.pod());
        }
    }

    private boolean awaitExit(Duration atMost) {
        try {
            container.exit().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException ignored) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Kills the containers and waits for their end; throws an earlier failure. */
    void close() throws InterruptedException {
        thread.interrupt();
        thread.join(KILL_TIMEOUT);
        if (container != null) {
            container.kill();
            awaitExit(KILL_TIMEOUT);
        }
        if (defect != null) {
            throw new IllegalStateException("the test kubelet broke on pod " + pod.name(), defect);
        }
    }
}
