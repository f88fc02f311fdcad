package dev.outpost.runtime.engine.cpu;

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
final class ChainTrainer {
    private static final int MOST_WAITING = 1024;
    private static final long IDLE_SECONDS = 5;
    /** A few elements: the JIT counts calls more than elements. */
    private static final int FEW = 64;
    /** As many as show how fast a loop is. */
    private static final int MANY = 2048;

    private static final int CALLS = 200;
    private static final int ROUNDS = 2000;
    private static final long PAUSE_MILLIS = 2;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Nanoseconds an element and 16 lanes that a compiled loop stays below: it takes a third, and one that makes objects far more. */
    private static final double BASE = 0.6;

    private static final double EACH = 0.03;

    private final ThreadPoolExecutor thread;

    ChainTrainer() {
        thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                task -> Thread.ofPlatform().daemon().name("outpost-chains").unstarted(task),
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Hands the loop of a chain over when it is compiled; never where the JIT does not do well with it. */
    void train(Chain chain, Consumer<ChainLoop> trained) {
        thread.execute(() -> {
            ChainLoop loop = define(chain);
            if (isCompiled(chain, loop)) {
                trained.accept(loop);
            }
        });
    }

    /** A hidden class is unloaded when its loop is collected. */
    static ChainLoop define(Chain chain) {
        try {
            return (ChainLoop) MethodHandles.lookup()
                    .defineHiddenClass(ChainGenerator.generate(chain), true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a generated loop cannot be instantiated", impossible);
        }
    }

    private static boolean isCompiled(Chain chain, ChainLoop loop) {
        float[][] arrays = new float[chain.arrays()][MANY];
        float[] numbers = new float[chain.numbers()];
        Arrays.fill(numbers, 1);
        int[] offsets = new int[arrays.length];
        long begin = System.nanoTime();
        for (int round = 0; round < ROUNDS && System.nanoTime() - begin < PATIENCE_NANOS; round++) {
            for (int call = 0; call < CALLS && isFew(call, begin); call++) {
                loop.run(arrays, offsets, numbers, FEW);
                // What is left over behind whole registers is code of its own.
                loop.run(arrays, offsets, numbers, FEW - 1);
            }
            if (isFast(chain, loop, arrays, offsets, numbers)) {
                return true;
            }
            pause();
        }
        return false;
    }

    private static boolean isFew(int call, long begin) {
        return call < CALLS / 4 || System.nanoTime() - begin < PATIENCE_NANOS;
    }

    private static boolean isFast(Chain chain, ChainLoop loop, float[][] arrays, int[] offsets, float[] numbers) {
        int weight = chain.operations().stream()
                .mapToInt(operation -> operation.step().weight())
                .sum();
        double bound = (BASE + EACH * weight) * 16 / VectorMath.SPECIES.length();
        // One by one more elements, so that no time is lost on what is slow.
        for (int count = FEW; count <= MANY; count *= 2) {
            long start = System.nanoTime();
            loop.run(arrays, offsets, numbers, count);
            long nanos = System.nanoTime() - start;
            if (nanos > bound * count + 500) {
                return false;
            }
        }
        return true;
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
