package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.code.HiddenClass;
import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs the loops of chains over a few dummy elements repeatedly, until the JIT has compiled them. A separate thread
 * warms up one loop after the other, so that no kernel is delayed. The thread ends when no loop is left.
 */
final class JitWarmer {
    private static final int MAX_WAITING = 1024;
    private static final long IDLE_SECONDS = 5;
    /** The number of elements in a warm-up run. It is small because the JIT counts calls rather than elements. */
    private static final int FEW = 64;
    /** The number of elements that is enough to measure a loop's speed. */
    private static final int MANY = 2048;

    private static final int CALLS = 100;
    private static final long PAUSE_MILLIS = 2;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The number of attempts. If the JIT compiles a loop badly, another attempt may succeed. */
    private static final int STARTS = 3;

    /**
     * The number of measurements of each loop. The shortest one counts, because other processes have disturbed it
     * least.
     */
    private static final int TIMES = 5;

    private final ThreadPoolExecutor thread;

    JitWarmer() {
        thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                task -> Thread.ofPlatform().daemon().name("outpost-chains").unstarted(task),
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Warms up the loop of a chain, and passes it to the consumer when it is compiled. If the JIT compiles it badly,
     * it is never passed.
     */
    void train(Chain chain, Consumer<ChainLoop> trained) {
        thread.execute(() -> {
            for (int start = 0; start < STARTS; start++) {
                ChainLoop loop = define(chain);
                if (awaitCompiled(chain, loop)) {
                    trained.accept(loop);
                    return;
                }
            }
        });
    }

    static ChainLoop define(Chain chain) {
        return HiddenClass.instance(MethodHandles.lookup(), ChainLoop.class, ChainGenerator.generate(chain));
    }

    private static boolean awaitCompiled(Chain chain, ChainLoop loop) {
        ChainLoop oneByOne = new UnfusedChain(chain, MANY);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TIMEOUT_NANOS) {
            for (int call = 0; call < CALLS; call++) {
                run(chain, loop, FEW);
                if (chain.folds().isEmpty()) {
                    // The elements after the last whole register have separate code.
                    run(chain, loop, FEW - 1);
                }
            }
            // A short measurement comes first, so that no time is lost on a loop that is far too slow.
            if (isQuicker(chain, loop, oneByOne, 4 * FEW)
                    && isQuicker(chain, loop, oneByOne, MANY)
                    && isInRegisters(chain, loop)) {
                return true;
            }
            pause();
        }
        return false;
    }

    /**
     * Returns true if a loop takes less than a nanosecond for each instruction. In registers it takes a fraction of that. If each vector is
     * an object, it takes ten times as long. Even that may beat single loops that are not compiled yet.
     */
    static boolean isInRegisters(Chain chain, ChainLoop loop) {
        long registers = MANY / VectorMath.SPECIES.length();
        return shortest(chain, loop, MANY) < registers * (chain.weight() + 2);
    }

    private static boolean isQuicker(Chain chain, ChainLoop loop, ChainLoop other, int count) {
        return shortest(chain, loop, count) < shortest(chain, other, count);
    }

    private static long shortest(Chain chain, ChainLoop loop, int count) {
        long shortest = Long.MAX_VALUE;
        for (int time = 0; time < TIMES; time++) {
            shortest = Math.min(shortest, run(chain, loop, count));
        }
        return shortest;
    }

    /** Returns the duration in nanoseconds. */
    private static long run(Chain chain, ChainLoop loop, int count) {
        float[][] arrays = new float[chain.arrays()][count];
        float[] numbers = new float[chain.room()];
        Arrays.fill(numbers, 1);
        long start = System.nanoTime();
        loop.run(arrays, new int[arrays.length], numbers, count);
        return System.nanoTime() - start;
    }

    /** Sleeps briefly, because the compiler threads of the JIT may wait for this processor. */
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
