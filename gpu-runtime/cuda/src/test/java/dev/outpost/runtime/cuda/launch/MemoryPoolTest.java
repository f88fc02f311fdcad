package dev.outpost.runtime.cuda.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MemoryPoolTest {
    private static final long ANNE = 1;
    private static final long BEN = 2;

    private final EmulatedGpu gpu = new EmulatedGpu(10_000);
    private final MemoryPool pool = new MemoryPool(gpu, new StreamDependencies(gpu));

    @Test
    void releasedMemoryIsReused() {
        DeviceAllocation allocation = pool.allocate(1000, ANNE);
        gpu.calls();
        pool.release(allocation, ANNE);
        assertEquals(1024, pool.heldBytes());
        assertEquals(allocation, pool.allocate(990, ANNE));
        assertEquals(List.of(), gpu.calls());
    }

    /** Like a training step whose gradients exist until the next gradients exist. */
    @Test
    void aUseGetsItsBlocksInTurnsWhateverElseComesAndGoes() {
        DeviceAllocation first = pool.allocate(100, ANNE, 7);
        DeviceAllocation second = pool.allocate(100, ANNE, 7);
        pool.release(first, ANNE);
        for (int other = 0; other < 5; other++) {
            DeviceAllocation passing = pool.allocate(100, ANNE);
            DeviceAllocation kept = pool.allocate(100, ANNE, 7);
            assertEquals(other % 2 == 0 ? first : second, kept);
            pool.release(other % 2 == 0 ? second : first, ANNE);
            pool.release(passing, ANNE);
        }
    }

    /** Otherwise a plan that has ended would keep its memory. */
    @Test
    void muchThatAUseHadIsTakenWhereThereIsNothingElse() {
        EmulatedGpu large = new EmulatedGpu(1 << 20);
        MemoryPool most = new MemoryPool(large, new StreamDependencies(large));
        DeviceAllocation allocation = most.allocate(100_000, ANNE, 7);
        most.release(allocation, ANNE);
        assertEquals(allocation, most.allocate(100_000, BEN));
    }

    @Test
    void theOldestOfManyUsesIsForgotten() {
        EmulatedGpu large = new EmulatedGpu(1 << 24);
        MemoryPool most = new MemoryPool(large, new StreamDependencies(large));
        DeviceAllocation oldest = most.allocate(100, ANNE, 1);
        most.release(oldest, ANNE);
        for (int use = 2; use <= MemoryPool.MAX_USES + 1; use++) {
            most.allocate(100, ANNE, use);
        }
        assertEquals(oldest, most.allocate(100, ANNE));
    }

    @Test
    void littleThatAUseHadIsKeptForIt() {
        DeviceAllocation allocation = pool.allocate(100, ANNE, 7);
        pool.release(allocation, ANNE);
        assertNotEquals(allocation, pool.allocate(100, ANNE));
        assertEquals(allocation, pool.allocate(100, ANNE, 7));
    }

    @Test
    void anotherOwnerFindsNothing() {
        DeviceAllocation allocation = pool.allocate(1000, ANNE);
        pool.release(allocation, ANNE);
        gpu.calls();
        assertEquals(allocation, pool.allocate(1000, BEN));
        assertEquals(List.of("fill 1024 with 0"), gpu.calls());
    }

    /** Memory that the engine itself used may contain a copy of a user's value, so it is wiped as well. */
    @Test
    void memoryOfTheEngineIsWipedForASession() {
        DeviceAllocation allocation = pool.allocate(1000, MemoryPool.ENGINE);
        pool.release(allocation, MemoryPool.ENGINE);
        gpu.calls();
        pool.allocate(1000, BEN);
        assertEquals(List.of("fill 1024 with 0"), gpu.calls());
    }

    @Test
    void freshMemoryIsWiped() {
        pool.allocate(300, ANNE);
        assertEquals(List.of("allocate 512", "fill 512 with 0"), gpu.calls());
    }

    @Test
    void unusedMemoryIsGivenBackToMakeRoom() {
        DeviceAllocation unused = pool.allocate(8000, ANNE);
        pool.release(unused, ANNE);
        assertThrows(MemoryPool.FullException.class, () -> pool.allocate(5000, ANNE));
        assertEquals(List.of(unused), pool.takeUnused());
        assertEquals(0, pool.heldBytes());
        gpu.release(unused.address());
        pool.allocate(5000, ANNE);
        assertEquals(1, gpu.liveBlocks());
    }

    @Test
    void whereThereIsNoRoomBothNumbersAreSaid() {
        pool.allocate(5000, ANNE);
        OutpostException full = assertThrows(MemoryPool.FullException.class, () -> pool.allocate(8000, ANNE))
                .refusal();
        assertEquals(FaultKind.RESOURCES, full.kind());
        assertEquals(
                "allocate: out of memory, requested 8000 bytes; the device has 4880 bytes free of 10000 bytes",
                full.getMessage());
    }

    @Test
    void sizesAreRoundedByAnEighthAtMost() {
        assertEquals(256, MemoryPool.roundUp(0));
        assertEquals(256, MemoryPool.roundUp(256));
        assertEquals(512, MemoryPool.roundUp(257));
        assertEquals(1L << 20, MemoryPool.roundUp(1 << 20));
        assertEquals((1L << 20) + (1 << 17), MemoryPool.roundUp((1 << 20) + 1));
        for (long bytes = 4096; bytes < 1L << 40; bytes = bytes * 3 / 2 + 1) {
            long rounded = MemoryPool.roundUp(bytes);
            assertEquals(true, rounded >= bytes && rounded - bytes <= bytes / 8, bytes + " to " + rounded);
        }
    }
}
