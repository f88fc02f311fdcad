package dev.outpost.runtime.engine.cpu.memory;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.lang.foreign.Arena;
import java.util.concurrent.Semaphore;

/**
 * Limits the native memory that factorizations use at the same time, by default to a quarter of the heap's size. A caller that finds too
 * little memory left waits for others. This cannot deadlock, because each caller takes all its memory at once.
 */
public final class NativeMemoryLimiter {
    private static final int UNIT = 1 << 12;

    private final long bytes;
    private final Semaphore units;

    public NativeMemoryLimiter() {
        this(Math.min(Runtime.getRuntime().maxMemory() / 4, (long) Integer.MAX_VALUE * UNIT));
    }

    public NativeMemoryLimiter(long bytes) {
        this.bytes = bytes;
        units = new Semaphore((int) (bytes / UNIT), true);
    }

    /** A part of the memory, which is returned when the share is closed. */
    public static final class Share implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final Runnable giveBack;

        private Share(Runnable giveBack) {
            this.giveBack = giveBack;
        }

        public Arena arena() {
            return arena;
        }

        @Override
        public void close() {
            arena.close();
            giveBack.run();
        }
    }

    public Share take(String what, double wanted) {
        if (wanted > bytes - UNIT) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    what + ": out of memory, requested " + Math.round(wanted)
                            + " bytes outside of the heap for one matrix; all matrices" + " together may take "
                            + bytes);
        }
        int count = (int) Math.ceil(wanted / UNIT);
        units.acquireUninterruptibly(count);
        return new Share(() -> units.release(count));
    }
}
