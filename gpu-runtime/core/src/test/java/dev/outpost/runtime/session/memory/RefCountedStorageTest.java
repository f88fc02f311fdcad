package dev.outpost.runtime.session.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class RefCountedStorageTest {
    private static final int ROUNDS = 5_000;

    private final ReferenceEngine engine = new ReferenceEngine();
    private final SharedQuota.Part quota = new SharedQuota(1 << 20, 0, 1).part(1 << 20);

    private RefCountedStorage storage() {
        assertTrue(quota.reserve(Float.BYTES));
        return new RefCountedStorage(engine.allocate(DType.FLOAT32, 1), Float.BYTES, engine, quota);
    }

    @Test
    void watcherHearsOfEachOwnerThatLeaves() {
        Queue<RefCountedStorage> heard = new ConcurrentLinkedQueue<>();
        RefCountedStorage storage = storage().retain();
        storage.watch(heard::add);
        storage.release();
        assertEquals(1, heard.size());
        storage.release();
        assertEquals(2, heard.size());
        assertEquals(0, quota.used());
    }

    @Test
    void aRematerializationMayBeTheOnlyOwner() {
        RefCountedStorage storage = storage();
        storage.expectsRematerializations(1);
        storage.retain();
        assertFalse(storage.isHeldByRematerializations());
        storage.release();
        assertTrue(storage.isHeldByRematerializations());
    }

    /** The worker begins to hold and to watch the storage while a thread of the network releases it: one of them notices the other. */
    @Test
    void noOwnerLeavesUnseen() throws Exception {
        RefCountedStorage[] storages = new RefCountedStorage[ROUNDS];
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread other = Thread.ofPlatform().start(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                meet(barrier);
                storages[round].release();
                meet(barrier);
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            Queue<RefCountedStorage> heard = new ConcurrentLinkedQueue<>();
            RefCountedStorage storage = storage().retain();
            storages[round] = storage;
            storage.expectsRematerializations(1);
            meet(barrier);
            storage.watch(heard::add);
            boolean isSeen = storage.isHeldByRematerializations();
            meet(barrier);
            assertTrue(isSeen || heard.contains(storage), "round " + round);
            storage.release();
        }
        other.join();
        assertEquals(0, quota.used());
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
