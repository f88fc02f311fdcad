package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.support.tests.Await;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SchemaCompilerTest {
    private final AtomicInteger compilations = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final SchemaCompiler compiler = new SchemaCompiler((schema, isCancelled) -> {
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
        return TokenConstraint.endingAfter(1, 4, Set.of(0), Set.of());
    });

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
}
