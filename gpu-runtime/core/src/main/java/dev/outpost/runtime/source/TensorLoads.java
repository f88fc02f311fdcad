package dev.outpost.runtime.source;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.op.Load;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Buffer;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Brings tensors from sources into an engine's memory, part by part. A few parts are under way at a time, whoever wants
 * them: that is all the memory it takes beside the tensors.
 */
public final class TensorLoads {
    /** The bytes that are read at once. */
    static final int PART_BYTES = 8 << 20;

    /** How many parts are under way. */
    static final int PARTS = 8;

    private final Sources sources;
    private final Engine engine;
    private final Semaphore room = new Semaphore(PARTS, true);
    private volatile boolean isClosed;

    public TensorLoads(Sources sources, Engine engine) {
        this.sources = sources;
        this.engine = engine;
    }

    /**
     * Begins to fill a buffer.
     *
     * @param target of the load's dtype and as many elements as it has
     * @param isCancelled whether nobody wants it any more; asked between parts
     * @param read hears of bytes that were read
     * @return done when the engine was handed all of it; nothing is written any more once it is done or has failed
     */
    public CompletableFuture<Void> start(Load load, Buffer target, BooleanSupplier isCancelled, LongConsumer read) {
        Run run = new Run(load, target, isCancelled, read);
        Thread.ofVirtual().name("outpost-load").start(run::begin);
        return run.done;
    }

    /** Nothing more is begun; waits, for a while, for the parts that are under way. */
    public void close(Duration atMost) throws InterruptedException {
        isClosed = true;
        if (room.tryAcquire(PARTS, atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            room.release(PARTS);
        }
        sources.close();
    }

    private final class Run {
        private final Load load;
        private final Buffer target;
        private final BooleanSupplier isCancelled;
        private final LongConsumer read;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final AtomicInteger left = new AtomicInteger(1);
        private volatile Throwable failure;

        Run(Load load, Buffer target, BooleanSupplier isCancelled, LongConsumer read) {
            this.load = load;
            this.target = target;
            this.isCancelled = isCancelled;
            this.read = read;
        }

        void begin() {
            try {
                OpenSource source = sources.open(load.uri(), load.version());
                TensorBox box = TensorBox.of(source.tensor(load.file(), load.tensor()), load);
                int unit = Math.max(load.type().dtype().bytes(), box.dtype().bytes());
                int most = PART_BYTES / unit;
                for (long first = 0; first < box.elements() && failure == null; first += most) {
                    room.acquire();
                    left.incrementAndGet();
                    long start = first;
                    int count = (int) Math.min(most, box.elements() - first);
                    Thread.ofVirtual().name("outpost-load").start(() -> part(source, box, start, count));
                }
            } catch (Throwable problem) {
                failure = problem;
            } finally {
                leave();
            }
        }

        private void part(OpenSource source, TensorBox box, long first, int count) {
            try {
                if (failure == null) {
                    copy(source, box, first, count);
                }
            } catch (Throwable problem) {
                failure = problem;
            } finally {
                room.release();
                leave();
            }
        }

        private void copy(OpenSource source, TensorBox box, long first, int count)
                throws IOException, InterruptedException {
            if (isClosed || isCancelled.getAsBoolean()) {
                throw new OutpostException(FaultKind.USER, "load: " + load.tensor() + ": loading was cancelled");
            }
            byte[] bytes;
            try (ReadableBytes file = source.open(load.file())) {
                bytes = new TensorReader(file, box, load.type().dtype()).read(first, count);
            }
            read.accept((long) count * box.dtype().bytes());
            Completion written = engine.writeLater(target, first, new Slice(bytes));
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
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(told(failure));
            }
        }

        private Throwable told(Throwable problem) {
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
