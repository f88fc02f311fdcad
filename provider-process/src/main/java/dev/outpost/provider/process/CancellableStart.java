package dev.outpost.provider.process;

import dev.outpost.provider.process.state.MachineFolder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** A start on a thread of its own. What it began is ended again when it fails, or when its subscriber cancels. */
final class CancellableStart<T> {
    /** Longer than the end of a machine that has no client may take. */
    private static final Duration UNDOING = Duration.ofSeconds(20);

    private final UniEmitter<? super T> emitter;
    private final Consumer<MachineFolder> undo;
    private final Thread thread;
    private MachineFolder begun;
    private boolean cancelled;
    private boolean handedOver;

    /** The work of a start, which tells by {@link #began} what is to be undone. */
    @FunctionalInterface
    interface Work {
        MachineFolder run(CancellableStart<?> start) throws IOException, InterruptedException;
    }

    private CancellableStart(
            String name,
            UniEmitter<? super T> emitter,
            Work work,
            Consumer<MachineFolder> undo,
            Function<MachineFolder, T> result) {
        this.emitter = emitter;
        this.undo = undo;
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(work, result));
    }

    /** Begins anew with each subscription. */
    static <T> Uni<T> uni(String name, Work work, Consumer<MachineFolder> undo, Function<MachineFolder, T> result) {
        return Uni.createFrom().emitter(emitter -> new CancellableStart<T>(name, emitter, work, undo, result).begin());
    }

    private void begin() {
        emitter.onTermination(this::terminated);
        thread.start();
    }

    /** From here on a failure ends this machine. */
    synchronized MachineFolder began(MachineFolder machine) throws InterruptedException {
        begun = machine;
        if (cancelled) {
            throw new InterruptedException("nobody wants the machine any more");
        }
        return machine;
    }

    private void run(Work work, Function<MachineFolder, T> result) {
        try {
            T made = handOver(work.run(this), result);
            emitter.complete(made);
        } catch (InterruptedException interrupted) {
            undo();
        } catch (IOException | RuntimeException | Error failure) {
            undo();
            emitter.fail(failure);
        }
    }

    private synchronized T handOver(MachineFolder machine, Function<MachineFolder, T> result)
            throws InterruptedException {
        if (cancelled) {
            throw new InterruptedException("nobody wants the machine any more");
        }
        handedOver = true;
        return result.apply(machine);
    }

    private void undo() {
        if (begun != null) {
            undo.accept(begun);
        }
    }

    /** Called after a result as well, then by the very thread that gave it. */
    private void terminated() {
        if (Thread.currentThread() == thread) {
            return;
        }
        if (cancel()) {
            undo();
            return;
        }
        thread.interrupt();
        awaitEnd();
    }

    /** Whether the machine was handed over, just when nobody wanted it any more. */
    private synchronized boolean cancel() {
        cancelled = true;
        return handedOver;
    }

    /** The caller that cancelled may be the last that the JVM does. */
    private void awaitEnd() {
        try {
            thread.join(UNDOING);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
