package dev.outpost.provider.k8s.task;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Work on a thread of its own whose result somebody subscribed to, and may come to not want. The work cleans up behind
 * itself when it fails or is withdrawn; a result that nobody takes is undone.
 */
public final class CancellableTask<T> {
    /** How long whoever cancels waits for the work to be undone, which is bounded by itself. */
    private static final Duration UNDOING = Duration.ofSeconds(10);

    private final CancellableDeadline deadline;
    private final UniEmitter<? super T> emitter;
    private final Consumer<T> undo;
    private final Thread thread;
    private volatile T result;
    private volatile boolean settled;

    private CancellableTask(
            String name,
            CancellableDeadline deadline,
            UniEmitter<? super T> emitter,
            Function<CancellableDeadline, T> work,
            Consumer<T> undo) {
        this.deadline = deadline;
        this.emitter = emitter;
        this.undo = undo;
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(work));
    }

    /** Begins anew with each subscription. */
    public static <T> Uni<T> uni(
            String name,
            Supplier<CancellableDeadline> demand,
            Function<CancellableDeadline, T> work,
            Consumer<T> undo) {
        return Uni.createFrom()
                .emitter(emitter -> new CancellableTask<>(name, demand.get(), emitter, work, undo).begin());
    }

    private void begin() {
        emitter.onTermination(this::terminated);
        thread.start();
    }

    private void run(Function<CancellableDeadline, T> work) {
        try {
            result = work.apply(deadline);
            undoIfUnwanted();
            settled = true;
            emitter.complete(result);
        } catch (CancellableDeadline.WithdrawnException ignored) {
            // The caller that cancelled needs no answer.
        } catch (RuntimeException | Error failure) {
            settled = true;
            emitter.fail(failure);
        }
    }

    /** Called when it is cancelled; and once more at the end that this thread tells of itself. */
    private void terminated() {
        boolean own = Thread.currentThread() == thread;
        if (!own || !settled) {
            deadline.withdraw();
            undoIfUnwanted();
        }
        if (!own) {
            awaitEnd();
        }
    }

    /** Either the work or the cancellation comes second, and that one sees the other. */
    private void undoIfUnwanted() {
        T unwanted = result;
        if (unwanted != null && deadline.isWithdrawn()) {
            undo.accept(unwanted);
        }
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
