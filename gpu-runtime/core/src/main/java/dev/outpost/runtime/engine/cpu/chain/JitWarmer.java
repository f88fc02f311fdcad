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
 * Runs the loops of chains over a few elements that nobody needs, again and again, until the JIT has compiled them. On a thread of its
 * own, one loop after the other, so that kernels are held up by none; it ends when there is nothing to do.
 */
final class JitWarmer {
    private static final int MAX_WAITING = 1024;
    private static final long IDLE_SECONDS = 5;
    /** A few elements: the JIT counts calls more than elements. */
    private static final int FEW = 64;
    /** As many as show how fast a loop is. */
    private static final int MANY = 2048;

    private static final int CALLS = 100;
    private static final long PAUSE_MILLIS = 2;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A loop that the JIT has not done well with may be compiled better by another start. */
    private static final int STARTS = 3;

    /** How often each is timed: the shortest time is that of a processor that nobody else was using. */
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

    /** Hands the loop of a chain over when it is compiled; never where the JIT does not do well with it. */
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
                    // The elements behind the last whole register have code of their own.
                    run(chain, loop, FEW - 1);
                }
            }
            // A few first, so that no time is lost on what is far too slow.
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
     * Whether a loop takes less than a nanosecond an instruction; in registers it takes a fraction of that, and ten times as long
     * where each vector is an object. Even that may be quicker than loops one by one which are not compiled yet.
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

    /** The answer is how long it took. */
    private static long run(Chain chain, ChainLoop loop, int count) {
        float[][] arrays = new float[chain.arrays()][count];
        float[] numbers = new float[chain.room()];
        Arrays.fill(numbers, 1);
        long start = System.nanoTime();
        loop.run(arrays, new int[arrays.length], numbers, count);
        return System.nanoTime() - start;
    }

    /** The JIT compiles on threads of its own, which may be waiting for this processor. */
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
