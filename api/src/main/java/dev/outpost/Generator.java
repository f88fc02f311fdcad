package dev.outpost;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.DrawSource;
import dev.outpost.types.OpException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A random number stream that the program owns (torch.Generator), separate from the stream of a machine. Equal seeds give equal numbers
 * on every machine and every engine. They are the same numbers as after {@link RemoteMachine#manualSeed} with that seed. Thread-safe;
 * threads that share a generator draw in the order of their calls.
 *
 * <p>A traced {@link Program} draws from the machine's random stream at each call and refuses a generator.
 */
public final class Generator extends DrawSource {
    /**
     * The position of a generator in its stream.
     *
     * @param seed the seed of the stream
     * @param draws the number of tensors drawn so far, at least 0
     */
    public record State(long seed, long draws) {
        public State {
            if (draws < 0) {
                throw new OpException("generator", "the number of draws must not be negative, got " + draws);
            }
        }

        private State next() {
            return new State(seed, draws + 1);
        }
    }

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final AtomicReference<State> state;

    /**
     * Begins a stream.
     *
     * {@snippet file="OpExamplesTest.java" region="generator"}
     *
     * @param seed the seed; equal seeds give equal numbers
     */
    public Generator(long seed) {
        state = new AtomicReference<>(new State(seed, 0));
    }

    /** Restarts the stream with a new seed. */
    public Generator manualSeed(long seed) {
        state.set(new State(seed, 0));
        return this;
    }

    /** Returns the seed of the stream. */
    public long seed() {
        return state.get().seed();
    }

    /** Returns the current position. {@link #state(State)} continues from it. */
    public State state() {
        return state.get();
    }

    /** Continues from a position. */
    public Generator state(State newState) {
        if (newState == null) {
            throw new OpException("generator", "the state must not be null");
        }
        state.set(newState);
        return this;
    }

    /**
     * Returns a new generator whose seed follows from this generator's seed and position, so equal programs fork
     * equal generators. Consumes one draw, so that each fork differs.
     */
    public Generator fork() {
        RandomStream.Position from = take();
        return new Generator(mixed(from.seed() + mixed(from.draws() + GOLDEN_RATIO)));
    }

    /** @hidden */
    @Override
    protected RandomStream.Position take() {
        HostStates.ofThread()
                .refuseTraced(
                        "generator",
                        "a program draws from the stream of each call, so it cannot draw from a generator; draw outside and"
                                + " hand the tensor in");
        State at = state.getAndUpdate(State::next);
        return new RandomStream.Position(at.seed(), at.draws());
    }

    /**
     * Mixes bits by the finalizer of SplitMix64 (Steele et al., "Fast splittable pseudorandom number generators",
     * 2014).
     */
    private static long mixed(long bits) {
        long once = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
        return twice ^ twice >>> 31;
    }

    @Override
    public String toString() {
        State at = state.get();
        return "Generator(seed=" + at.seed() + ", draws=" + at.draws() + ")";
    }
}
