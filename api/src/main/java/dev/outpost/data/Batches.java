package dev.outpost.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The batches of an epoch, in order. A batch that cannot be loaded throws when its turn has come; the next call then returns the batch
 * after it. Only loads that were begun hold memory and threads, so an iteration that is abandoned leaves nothing behind once they have
 * ended.
 *
 * <p>Used by one thread.
 *
 * @param <B> a batch
 */
public final class Batches<B> implements Iterator<B>, AutoCloseable {
    private final List<int[]> indices;
    private final Function<int[], B> read;
    private final int ahead;
    private final int workers;
    private final Deque<Load<B>> loads = new ArrayDeque<>();
    private int begun;
    private int taken;

    private record Load<B>(FutureTask<B> task, Thread thread) {}

    /** @param workers the number of batches that are loaded at a time */
    Batches(List<int[]> indices, Function<int[], B> read, int ahead, int workers) {
        this.indices = indices;
        this.read = read;
        this.ahead = ahead;
        this.workers = workers;
    }

    @Override
    public boolean hasNext() {
        return taken < indices.size();
    }

    /**
     * Returns the next batch, and begins to load a later one. Waits if the batch is not loaded yet.
     *
     * @throws OutpostException if the batch cannot be loaded, or if this thread is interrupted, which ends the iteration
     */
    @Override
    public B next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the epoch has no more batches");
        }
        if (ahead == 0) {
            return read.apply(indices.get(taken++));
        }
        begin();
        Load<B> load = loads.removeFirst();
        taken++;
        try {
            B batch = load.task.get();
            begin();
            return batch;
        } catch (ExecutionException failure) {
            throw rethrown(failure.getCause());
        } catch (InterruptedException interrupted) {
            loads.addFirst(load);
            cancel();
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "DataLoader: interrupted while a batch was loaded", interrupted);
        }
    }

    private void begin() {
        while (loads.size() < ahead && begun < indices.size()) {
            int[] batch = indices.get(begun++);
            @Nullable
            Thread earlier = loads.size() < workers
                    ? null
                    : loads.stream()
                            .skip(loads.size() - (long) workers)
                            .findFirst()
                            .orElseThrow()
                            .thread;
            FutureTask<B> task = new FutureTask<>(() -> {
                if (earlier != null) {
                    earlier.join();
                }
                return read.apply(batch);
            });
            // Loads that compute on virtual threads would take the carriers of the session's sender.
            Thread.Builder thread = Thread.ofPlatform().daemon().name("outpost-data-" + begun);
            loads.addLast(new Load<>(task, thread.start(task)));
        }
    }

    private static RuntimeException rethrown(Throwable cause) {
        return switch (cause) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(cause);
        };
    }

    /**
     * Ends the iteration. Interrupts loads under way and waits until they have ended, so the dataset may be closed afterwards. Waits no
     * longer if this thread is interrupted.
     */
    @Override
    public void close() {
        List<Load<B>> ended = List.copyOf(loads);
        cancel();
        try {
            for (Load<B> load : ended) {
                load.thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancel() {
        loads.forEach(load -> load.task.cancel(true));
        loads.clear();
        taken = indices.size();
    }
}
