package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.op.Fill;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.emulation.IdleGpu;
import dev.outpost.runtime.cuda.launch.KernelCache;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("quick")
class KernelCacheTest {
    private final List<String> compiled = new ArrayList<>();
    private final KernelCache cache = cache(compiler(compiled::add));

    private static KernelCache cache(KernelCompiler compiler) {
        return new KernelCache(new IdleGpu(), compiler, Optional.empty(), 2);
    }

    private static KernelCompiler compiler(Consumer<String> heard) {
        return new KernelCompiler() {
            @Override
            public String identity() {
                return "fake";
            }

            @Override
            public byte[] compile(String source) {
                heard.accept(source);
                return new byte[1];
            }
        };
    }

    private static CudaSource source(String tail) {
        return new CudaSource("", List.of(), tail);
    }

    private void load(String tail) {
        assertThrows(KernelCache.MissingException.class, () -> cache.kernel(source(tail), "map"));
        cache.compile(source(tail));
        assertSame(cache.kernel(source(tail), "map"), cache.kernel(source(tail), "map"));
    }

    @Test
    void aSourceIsCompiledOnceAndLoadedOnce() {
        load("a");
        load("b");
        assertEquals(List.of("a", "b"), compiled);
    }

    @Test
    void theLongestUnusedIsDropped() {
        load("a");
        load("b");
        cache.kernel(source("a"), "map");
        load("c");
        cache.kernel(source("a"), "map");
        load("b");
        assertEquals(List.of("a", "b", "c", "b"), compiled);
    }

    /** Sources are equal if their parts are equal. */
    @Test
    void sourcesThatDifferInAPartAreDifferent() {
        cache.compile(new CudaSource("", List.of(Part.VALUES), "a"));
        assertThrows(KernelCache.MissingException.class, () -> cache.kernel(source("a"), "map"));
    }

    /** This holds even if their hashes are equal. The test runs on a separate thread, because a wait for a lock ignores interrupts. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void othersAreCompiledWhileOneIs() throws InterruptedException {
        assertEquals(source("Aa").hashCode(), source("BB").hashCode());
        CountDownLatch compiling = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        KernelCache shared = cache(compiler(text -> {
            if (text.endsWith("Aa")) {
                compiling.countDown();
                awaitQuietly(gate);
            }
            done.add(text);
        }));
        Thread first = Thread.ofPlatform().daemon().start(() -> shared.compile(source("Aa")));
        compiling.await();
        shared.compile(source("BB"));
        Thread second = Thread.ofPlatform().daemon().start(() -> shared.compile(source("Aa")));
        gate.countDown();
        first.join();
        second.join();
        assertEquals(List.of("BB", "Aa"), done);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void waiterForAFailedCompilationCompilesAgain() throws InterruptedException {
        CountDownLatch compiling = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        KernelCache shared = cache(compiler(text -> {
            if (calls.incrementAndGet() == 1) {
                compiling.countDown();
                awaitQuietly(gate);
                throw new IllegalStateException("out of disk");
            }
        }));
        Thread failing = Thread.ofPlatform()
                .start(() -> assertThrows(IllegalStateException.class, () -> shared.compile(source("a"))));
        compiling.await();
        Thread waiting = Thread.ofPlatform().start(() -> shared.compile(source("a")));
        gate.countDown();
        failing.join();
        waiting.join();
        shared.compile(source("a"));
        assertEquals(2, calls.get());
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void othersComputeWhileAKernelIsCompiled() throws InterruptedException {
        CountDownLatch compiling = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        KernelCompiler slow = compiler(text -> {
            if (text.contains("#define STORED u64")) {
                compiling.countDown();
                awaitQuietly(gate);
            }
        });
        try (CudaEngine engine = new CudaEngine(new IdleGpu(), slow, new NoMultiplier(), Optional.empty())) {
            Thread waiting = Thread.ofPlatform().start(() -> fill(engine, DType.INT64));
            compiling.await();
            fill(engine, DType.INT32);
            gate.countDown();
            waiting.join();
        }
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void fill(CudaEngine engine, DType dtype) {
        Fill op = new Fill(Shape.of(3), Scalar.of(dtype, 1L));
        Array out = Array.contiguous(engine.allocate(dtype, 3), Shape.of(3));
        engine.compile(EngineComparison.instruction(Case.of(op))).run(op, new Array[0], new Array[] {out});
    }
}
