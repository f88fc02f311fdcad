package dev.outpost.runtime.engine.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.cpu.product.LapackRoutines;
import dev.outpost.runtime.engine.cpu.product.OpenBlas;
import dev.outpost.runtime.engine.factorization.MatrixView;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class NativeMemoryLimiterTest {
    @Test
    void requestLargerThanTheRoomIsRefused() {
        NativeMemoryLimiter room = new NativeMemoryLimiter(1 << 20);
        OutpostException full = assertThrows(OutpostException.class, () -> room.take("svd", 3e6));
        assertEquals(FaultKind.RESOURCES, full.kind());
        assertEquals(
                "svd: out of memory, requested 3000000 bytes outside of the heap for one matrix; all matrices together may take 1048576",
                full.getMessage());
        assertThrows(OutpostException.class, () -> room.take("svd", 1e300));
        room.take("svd", 1e6).close();
    }

    @Test
    void requestWaitsUntilMemoryIsGivenBack() throws InterruptedException {
        NativeMemoryLimiter room = new NativeMemoryLimiter(1 << 20);
        NativeMemoryLimiter.Share first = room.take("qr", 6e5);
        CountDownLatch taken = new CountDownLatch(1);
        Thread second = Thread.ofPlatform().start(() -> {
            try (NativeMemoryLimiter.Share share = room.take("qr", 6e5)) {
                assertTrue(share.arena().scope().isAlive());
                taken.countDown();
            }
        });
        assertFalse(taken.await(50, TimeUnit.MILLISECONDS));
        first.close();
        Await.opened("the second takes its share", taken);
        second.join();
    }

    /** Allocates the bytes that a factorization needs, newly each time. */
    @Test
    void everythingIsGivenBack() {
        NativeMemoryLimiter room = new NativeMemoryLimiter(1 << 16);
        LapackRoutines routines = new LapackRoutines(OpenBlas.load().orElseThrow(), room);
        MatrixView matrix = new MatrixView(HeapBuffer.allocate(DType.FLOAT64, 16), 0, 4, 4, 4, 1);
        MatrixView vectors = new MatrixView(HeapBuffer.allocate(DType.FLOAT64, 16), 0, 4, 4, 4, 1);
        for (int time = 0; time < 1000; time++) {
            assertTrue(routines.eigenvalues(matrix, new double[4], vectors));
            assertTrue(routines.singularValues(matrix, new double[4], vectors, vectors.transposed()));
        }
    }
}
