package dev.outpost.runtime.engine.cpu.memory;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.lang.foreign.Arena;
import java.util.concurrent.Semaphore;

/**
 * How much native memory factorizations may have at once: a quarter of the heap's, beside which it is. Who finds none left waits
 * for others, each of whom has all that it needs.
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

    /** A part of it, until it is closed. */
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
                    what + ": no room, asked " + Math.round(wanted)
                            + " bytes beside the heap for one matrix; all matrices" + " together may take " + bytes);
        }
        int count = (int) Math.ceil(wanted / UNIT);
        units.acquireUninterruptibly(count);
        return new Share(() -> units.release(count));
    }
}
