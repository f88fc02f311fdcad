package dev.outpost.runtime.source;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.op.Load;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Loads tensors from sources into an engine's memory, part by part. The number of parts that are loaded at the same time is
 * limited for all sessions together, so loading needs little memory in addition to the tensors.
 */
public final class TensorLoads {
    /** The number of bytes that are read at once. */
    static final int PART_BYTES = 8 << 20;

    /** The maximum number of parts that are loaded at the same time. */
    static final int PARTS = 8;

    /**
     * The number of permits for a part of a tensor whose elements have another order in the file. Such parts are
     * larger, so that consecutive elements form longer runs.
     */
    static final int PARTS_OF_REORDERED = 4;

    private final Sources sources;
    private final Engine engine;
    private final Semaphore room = new Semaphore(PARTS, true);
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    public TensorLoads(Sources sources, Engine engine) {
        this.sources = sources;
        this.engine = engine;
    }

    /** A load that has begun. */
    public interface Loading {
        /** Completes when the engine has all bytes of the load. After that, successful or not, the load writes nothing more. */
        CompletableFuture<Void> done();

        /** Makes the load fail soon, even if it waits for a store. Does not wait. */
        void cancel();
    }

    /**
     * Begins to fill a buffer.
     *
     * @param target the destination, with the load's dtype and number of elements
     * @param read the receiver of the number of bytes of each read
     */
    public Loading start(Load load, EngineBuffer target, LongConsumer read) {
        Run run = new Run(load, target, read);
        runs.add(run);
        Thread.ofVirtual().name("outpost-load").start(run::begin);
        return run;
    }

    /** Cancels all loads, and waits for at most the given time until none of them writes to the engine. */
    public void close(Duration atMost) throws InterruptedException {
        isClosed = true;
        runs.forEach(Run::cancel);
        sources.close();
        if (room.tryAcquire(PARTS, atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            room.release(PARTS);
        }
    }

    /** A request to a store. */
    private interface StoreCall<T> {
        T get() throws IOException;
    }

    private final class Run implements Loading {
        private final Load load;
        private final EngineBuffer target;
        private final LongConsumer read;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final AtomicInteger left = new AtomicInteger(1);
        /** The threads that wait for a store. A cancellation interrupts them. Guarded by this. */
        private final Set<Thread> readers = new HashSet<>();

        private volatile boolean isCancelled;
        private volatile Throwable failure;

        Run(Load load, EngineBuffer target, LongConsumer read) {
            this.load = load;
            this.target = target;
            this.read = read;
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public synchronized void cancel() {
            isCancelled = true;
            readers.forEach(Thread::interrupt);
        }

        private OutpostException cancelled() {
            return new OutpostException(FaultKind.USER, "load: " + load.tensor() + ": loading was cancelled");
        }

        /** Calls a store, unless the load is cancelled. A cancellation interrupts only this call, never a write to the engine. */
        private <T> T reading(StoreCall<T> call) throws IOException, InterruptedException {
            Thread reader = Thread.currentThread();
            synchronized (this) {
                if (isClosed || isCancelled) {
                    throw cancelled();
                }
                readers.add(reader);
            }
            try {
                return call.get();
            } finally {
                synchronized (this) {
                    readers.remove(reader);
                }
                if (isCancelled) {
                    Thread.interrupted();
                }
            }
        }

        void begin() {
            try {
                OpenSource source = reading(() -> sources.open(load.uri(), load.version()));
                TensorBox box = TensorBox.of(source.tensor(load.file(), load.tensor()), load);
                int unit = Math.max(load.type().dtype().bytes(), box.dtype().bytes());
                int max = PART_BYTES / unit;
                if (!box.isRowMajor() && beginReordered(source, box, max * PARTS_OF_REORDERED)) {
                    return;
                }
                for (long first = 0; first < box.elements() && failure == null; first += max) {
                    long start = first;
                    int count = (int) Math.min(max, box.elements() - first);
                    begin(1, () -> copy(source, box, start, count));
                }
            } catch (Throwable problem) {
                fail(problem);
            } finally {
                leave();
            }
        }

        private void fail(Throwable problem) {
            failure = isCancelled ? cancelled() : problem;
        }

        /**
         * Begins to load the box as a {@link ReorderedBox}. Returns false, and begins nothing, if it is better read as
         * a row-major box.
         */
        private boolean beginReordered(OpenSource source, TensorBox box, int max) throws InterruptedException {
            ReorderedBox reordered = box.reordered();
            List<ReorderedBox.Part> parts = reordered.parts(max);
            if (!reordered.hasLongRuns(parts)) {
                return false;
            }
            for (ReorderedBox.Part part : parts) {
                if (failure == null) {
                    begin(PARTS_OF_REORDERED, () -> copy(source, box, part));
                }
            }
            return true;
        }

        /** A part of the load. */
        private interface Copying {
            void run() throws IOException, InterruptedException;
        }

        /** Copies a part on a separate thread as soon as there is room for it. */
        private void begin(int permits, Copying part) throws InterruptedException {
            room.acquire(permits);
            left.incrementAndGet();
            Thread.ofVirtual().name("outpost-load").start(() -> {
                try {
                    if (failure == null) {
                        part.run();
                    }
                } catch (Throwable problem) {
                    fail(problem);
                } finally {
                    room.release(permits);
                    leave();
                }
            });
        }

        private void copy(OpenSource source, TensorBox box, long first, int count)
                throws IOException, InterruptedException {
            byte[] bytes = reading(() -> {
                try (ReadableBytes file = source.open(load.file())) {
                    return new TensorReader(file, box, load.type().dtype()).read(first, count);
                }
            });
            read.accept((long) count * box.dtype().bytes());
            await(engine.writeLater(target, first, new Slice(bytes)));
        }

        private void copy(OpenSource source, TensorBox box, ReorderedBox.Part part)
                throws IOException, InterruptedException {
            DType dtype = load.type().dtype();
            byte[] bytes = reading(() -> {
                try (ReadableBytes file = source.open(load.file())) {
                    return ElementCast.cast(box.dtype(), part.read(file), dtype);
                }
            });
            read.accept((long) part.count() * box.dtype().bytes());
            int unit = dtype.bytes();
            List<Completion> written = new ArrayList<>();
            for (int element = 0; element < part.count(); element += part.run()) {
                Slice run = new Slice(bytes, element * unit, part.run() * unit);
                written.add(engine.writeLater(target, part.inTensor(element), run));
            }
            for (Completion each : written) {
                await(each);
            }
        }

        private void await(Completion written) throws InterruptedException {
            written.await();
            if (written.failure().isPresent()) {
                throw new IllegalStateException(
                        "load: the engine did not take " + load.tensor(),
                        written.failure().get());
            }
        }

        private void leave() {
            if (left.decrementAndGet() > 0) {
                return;
            }
            runs.remove(this);
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(describe(failure));
            }
        }

        private Throwable describe(Throwable problem) {
            boolean isExternal = problem instanceof IOException
                    || problem instanceof IllegalArgumentException
                    || problem instanceof InterruptedException;
            return isExternal
                    ? new OutpostException(
                            FaultKind.EXTERNAL, "load: " + load.tensor() + ": " + problem.getMessage(), problem)
                    : problem;
        }
    }
}
