package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SchemaCompilerTest {
    private final AtomicInteger compilations = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ConstraintCache cache = new ConstraintCache(1 << 20);
    private final SchemaCompiler compiler = new SchemaCompiler(this::compile, cache);

    private TokenConstraint compile(String schema, BooleanSupplier isCancelled) {
        compilations.incrementAndGet();
        if (schema.startsWith("slow")) {
            try {
                release.await(Await.GUARD.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
        if (isCancelled.getAsBoolean()) {
            throw new IllegalStateException("cancelled");
        }
        if (schema.endsWith("refused")) {
            throw new OutpostException(FaultKind.USER, "refused");
        }
        return TokenConstraint.endingAfter(1, 4, Set.of(0), Set.of());
    }

    @Test
    void aSchemaIsCompiledOnce() {
        TokenConstraint first = compiler.constraint("a", "caller", () -> false);
        assertSame(first, compiler.constraint("a", "another", () -> false));
        assertEquals(1, compilations.get());
    }

    @Test
    void aCallerHasFewCompilationsAtATimeAndDelaysNoOther() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<TokenConstraint> one = threads.submit(() -> compiler.constraint("slow 1", "caller", () -> false));
            Future<TokenConstraint> two = threads.submit(() -> compiler.constraint("slow 2", "caller", () -> false));
            Await.until("both are being compiled", () -> compilations.get() == 2);
            assertThrows(TooManySchemasException.class, () -> compiler.constraint("b", "caller", () -> false));
            compiler.constraint("c", "another", () -> false);
            // A cached constraint needs no compilation.
            compiler.constraint("c", "caller", () -> false);
            release.countDown();
            one.get();
            two.get();
            compiler.constraint("b", "caller", () -> false);
        }
    }

    @Test
    void aCancelledCompilationIsNotKeptAndMakesRoom() {
        for (int time = 0; time < 5; time++) {
            assertThrows(IllegalStateException.class, () -> compiler.constraint("a", "caller", () -> true));
        }
        compiler.constraint("a", "caller", () -> false);
        assertEquals(6, compilations.get());
    }

    private void startWaiting(Thread... threads) {
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            Await.until(
                    "it waits",
                    () -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        }
    }

    @Test
    void equalSchemasAtTheSameTimeShareOneCompilation() throws Exception {
        List<TokenConstraint> constraints = new CopyOnWriteArrayList<>();
        AtomicBoolean isFirstGone = new AtomicBoolean();
        Thread first = new Thread(() -> constraints.add(compiler.constraint("slow", "caller", isFirstGone::get)));
        startWaiting(first);
        // Callers that wait for the compilation of another request do not count.
        Thread second = new Thread(() -> constraints.add(compiler.constraint("slow", "caller", () -> false)));
        Thread third = new Thread(() -> constraints.add(compiler.constraint("slow", "caller", () -> false)));
        startWaiting(second, third);
        compiler.constraint("b", "caller", () -> false);
        // The compilation continues for the others after the client that began it has disconnected.
        isFirstGone.set(true);
        release.countDown();
        first.join();
        second.join();
        third.join();
        assertEquals(2, compilations.get());
        assertEquals(3, constraints.size());
        assertEquals(1, new HashSet<>(constraints).size());
    }

    @Test
    void aSharedCompilationThatFailsFailsForAllAndIsNotKept() throws Exception {
        List<String> failures = new CopyOnWriteArrayList<>();
        Runnable request = () -> failures.add(
                assertThrows(OutpostException.class, () -> compiler.constraint("slow refused", "caller", () -> false))
                        .getMessage());
        Thread first = new Thread(request);
        startWaiting(first);
        Thread second = new Thread(request);
        startWaiting(second);
        release.countDown();
        first.join();
        second.join();
        assertEquals(List.of("refused", "refused"), failures);
        assertEquals(1, compilations.get());
        request.run();
        assertEquals(2, compilations.get());
        assertEquals(0, cache.bytes());
    }

    @Test
    void aSharedCompilationEndsWhenAllClientsAreGone() throws Exception {
        Runnable request = () ->
                assertThrows(IllegalStateException.class, () -> compiler.constraint("slow", "caller", () -> true));
        Thread first = new Thread(request);
        startWaiting(first);
        Thread second = new Thread(request);
        startWaiting(second);
        release.countDown();
        first.join();
        second.join();
        assertEquals(1, compilations.get());
        compiler.constraint("slow", "caller", () -> false);
        assertEquals(2, compilations.get());
    }

    @Test
    void theCacheIsBoundedInBytesAndKeepsWhatWasUsedLast() {
        TokenConstraint small = TokenConstraint.endingAfter(1, 100, Set.of(0), Set.of());
        ConstraintCache bounded = new ConstraintCache(3 * small.bytes() + 30);
        for (String key : List.of("a", "b", "c")) {
            bounded.add(key, 10, small);
        }
        assertEquals(3 * small.bytes() + 30, bounded.bytes());
        assertSame(small, bounded.find("a"));
        bounded.add("d", 10, small);
        assertNull(bounded.find("b"));
        assertSame(small, bounded.find("a"));
        // An equal key replaces its entry.
        bounded.add("d", 10, small);
        assertEquals(3 * small.bytes() + 30, bounded.bytes());
        TokenConstraint large = TokenConstraint.endingAfter(1, 10_000, Set.of(0), Set.of());
        bounded.add("large", 10, large);
        assertNull(bounded.find("large"));
        assertSame(small, bounded.find("a"));
    }
}
