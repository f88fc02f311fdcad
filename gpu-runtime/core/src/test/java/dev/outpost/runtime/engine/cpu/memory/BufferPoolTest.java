package dev.outpost.runtime.engine.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BufferPoolTest {
    private static final int ELEMENTS = 4096;
    private static final long BYTES = 4 * ELEMENTS;

    @Test
    void aReleasedBufferComesBackForTheSameDtypeAndLength() {
        BufferPool pool = new BufferPool(4 * BYTES);
        HeapBuffer first = pool.allocate(DType.FLOAT32, ELEMENTS);
        pool.release(first);
        assertNotSame(first, pool.allocate(DType.INT32, ELEMENTS));
        assertNotSame(first, pool.allocate(DType.FLOAT32, ELEMENTS + 1));
        assertSame(first, pool.allocate(DType.FLOAT32, ELEMENTS));
        assertEquals(0, pool.heldBytes());
    }

    @Test
    void theBoundDropsWhatWasAskedForLongestAgo() {
        BufferPool pool = new BufferPool(2 * BYTES);
        HeapBuffer oldest = pool.allocate(DType.FLOAT32, ELEMENTS);
        HeapBuffer middle = pool.allocate(DType.INT32, ELEMENTS);
        HeapBuffer newest = pool.allocate(DType.INT64, ELEMENTS / 2);
        pool.release(oldest);
        pool.release(middle);
        pool.release(newest);
        assertEquals(2 * BYTES, pool.heldBytes());
        assertNotSame(oldest, pool.allocate(DType.FLOAT32, ELEMENTS));
        assertSame(middle, pool.allocate(DType.INT32, ELEMENTS));
        assertSame(newest, pool.allocate(DType.INT64, ELEMENTS / 2));
    }

    @Test
    void moreThanAnArrayHoldsIsAFaultOfResources() {
        OutpostException fault =
                assertThrows(OutpostException.class, () -> new BufferPool(0).allocate(DType.FLOAT32, 1L << 33));
        assertEquals(FaultKind.RESOURCES, fault.kind());
    }
}
