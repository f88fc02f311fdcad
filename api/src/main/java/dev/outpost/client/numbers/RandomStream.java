package dev.outpost.client.numbers;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The random numbers of a machine: equal seeds give equal numbers on every engine. Thread-safe. */
public final class RandomStream {
    private final AtomicLong draws = new AtomicLong();
    private volatile long seed = 0x5DEECE66DL;

    /** A position of the stream. */
    public record Position(long seed, long draws) {}

    /** Draws that a thread repeats, such as those of a checkpointed function. */
    private static final class Replay {
        private final long seed;
        private long draws;

        Replay(Position from) {
            seed = from.seed;
            draws = from.draws;
        }
    }

    private final ThreadLocal<Replay> replay = new ThreadLocal<>();

    /** Returns the present position for this thread. */
    public Position position() {
        Replay replayed = replay.get();
        return replayed == null ? new Position(seed, draws.get()) : new Position(replayed.seed, replayed.draws);
    }

    /** Returns the present position of the stream, even if this thread repeats earlier draws. */
    public Position sharedPosition() {
        return new Position(seed, draws.get());
    }

    /**
     * Runs a body in which this thread repeats the draws from an earlier position. Afterwards the stream continues
     * from its previous position.
     */
    public <T> T replay(Position from, Supplier<T> body) {
        Replay before = replay.get();
        replay.set(new Replay(from));
        try {
            return body.get();
        } finally {
            if (before == null) {
                replay.remove();
            } else {
                replay.set(before);
            }
        }
    }

    /** Begins a new stream. */
    public void restart(long newSeed) {
        seed = newSeed;
        draws.set(0);
    }

    /** Continues from a position. */
    public void restart(Position from) {
        seed = from.seed;
        draws.set(from.draws);
    }

    public long seed() {
        Replay replayed = replay.get();
        return replayed == null ? seed : replayed.seed;
    }

    /** Consumes {@code count} draws. Returns the index of the first draw. */
    public long take(long count) {
        Replay replayed = replay.get();
        if (replayed != null) {
            long first = replayed.draws;
            replayed.draws += count;
            return first;
        }
        return draws.getAndAdd(count);
    }
}
