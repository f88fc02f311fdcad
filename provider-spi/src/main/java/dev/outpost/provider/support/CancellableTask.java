package dev.outpost.provider.support;

import io.opentelemetry.context.Context;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work on a virtual thread for one subscriber, who may cancel it. Its effects are undone if it fails or is cancelled; see {@link #began}.
 */
public final class CancellableTask<T> {
    /** The maximum time for which a caller that cancels waits; the process of a machine may take this long to end. */
    private static final Duration UNDOING = Duration.ofSeconds(20);

    private final UniEmitter<? super T> emitter;
    private final Thread thread;
    private Runnable stop;
    private Runnable undo = () -> {};
    private boolean isSettled;
    private boolean isCancelled;

    /** The work of a task. */
    @FunctionalInterface
    public interface Work<T> {
        @Nullable
        T run(CancellableTask<?> task) throws Exception;
    }

    private CancellableTask(String name, UniEmitter<? super T> emitter, Work<? extends T> work) {
        this.emitter = emitter;
        this.thread = Thread.ofVirtual().name(name).unstarted(Context.current().wrap(() -> run(work)));
        this.stop = thread::interrupt;
    }

    /**
     * Runs the work with each subscription. Cancelling interrupts the thread, and returns when the work has ended or
     * after 20 seconds, because the JVM may end right afterwards.
     */
    public static <T> Uni<T> uni(String name, Work<? extends T> work) {
        return Uni.createFrom().emitter(emitter -> {
            CancellableTask<T> task = new CancellableTask<>(name, emitter, work);
            emitter.onTermination(task::terminated);
            task.start();
        });
    }

    /** Runs work that needs no undo, like {@link #uni(String, Work)}. */
    public static <T> Uni<T> uni(String name, Callable<? extends @Nullable T> work) {
        return uni(name, (Work<T>) task -> work.call());
    }

    /** Makes a cancellation stop the work by this action instead of an interrupt of its thread. */
    public synchronized void stopBy(Runnable action) {
        stop = action;
        if (isCancelled) {
            Thread.interrupted();
            action.run();
        }
    }

    /**
     * Registers a thing to undo if the work fails or is cancelled later, even if it is cancelled after its result is
     * known but before the subscriber has received it.
     *
     * @param undo undoes the thing, on the thread of the work or on the thread that cancels
     * @return the thing
     * @throws CancellationException if it was cancelled before
     */
    public synchronized <R> R began(R thing, Consumer<? super R> undo) {
        this.undo = () -> undo.accept(thing);
        if (isCancelled) {
            throw new CancellationException("the subscriber has cancelled");
        }
        return thing;
    }

    /** Starts the work, unless the subscriber has cancelled already. */
    private synchronized void start() {
        if (!isCancelled) {
            thread.start();
        }
    }

    private void run(Work<? extends T> work) {
        try {
            T made = work.run(this);
            if (settle()) {
                emitter.complete(made);
            } else {
                undo();
            }
        } catch (Exception | Error failure) {
            undoAfter(failure);
            settle();
            // A subscriber that has cancelled does not receive the failure.
            emitter.fail(failure);
        }
    }

    private void undoAfter(Throwable cause) {
        try {
            undo();
        } catch (RuntimeException | Error failure) {
            cause.addSuppressed(failure);
        }
    }

    /** Called when the subscriber cancels, and by the thread of the work after a result or a failure. */
    private void terminated() {
        boolean isOwn = Thread.currentThread() == thread;
        if (isOwn && isSettled()) {
            return;
        }
        if (cancel()) {
            undo();
        } else if (!isOwn) {
            awaitEnd();
        }
    }

    private synchronized boolean isSettled() {
        return isSettled;
    }

    /** Marks the task as settled. Returns true if the subscriber has not cancelled. */
    private synchronized boolean settle() {
        isSettled = true;
        return !isCancelled;
    }

    /** Cancels the task. Returns true if the work had ended already. */
    private synchronized boolean cancel() {
        isCancelled = true;
        if (!isSettled) {
            stop.run();
        }
        return isSettled;
    }

    private void undo() {
        takeUndo().run();
    }

    private synchronized Runnable takeUndo() {
        Runnable taken = undo;
        undo = () -> {};
        // The work has ended. An interrupt would now abort the undo.
        stop = () -> {};
        return taken;
    }

    private void awaitEnd() {
        try {
            if (thread.isAlive()) {
                thread.join(UNDOING);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
