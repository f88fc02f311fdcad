package dev.outpost.runtime.session.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedQuotaTest {
    /** 100 in total: 10 for each of 4 sessions, 60 shared. */
    private final SharedQuota quota = new SharedQuota(100, 10, 4);

    @Test
    void greedySessionLeavesOthersTheirParts() {
        SharedQuota.Part greedy = quota.part(1000);
        assertTrue(greedy.reserve(70));
        assertFalse(greedy.reserve(1));
        assertEquals("over 100 bytes by all sessions", greedy.obstacle(1, "bytes"));
        SharedQuota.Part other = quota.part(1000);
        assertEquals(10, other.free());
        assertTrue(other.reserve(10));
        assertFalse(other.reserve(1));
        greedy.release(5);
        assertTrue(other.reserve(5));
        assertEquals(80, quota.used());
    }

    /** Bytes move between sessions and grants, and the sum of all sessions is correct at any moment. */
    @Test
    void shiftedBytesAreChargedToSessionAndGrant() {
        var grant = new GrantMemory(1000);
        var otherGrant = new GrantMemory(1000);
        SharedQuota.Part one = quota.part(1000, grant);
        SharedQuota.Part other = quota.part(1000, otherGrant);
        assertTrue(one.reserve(40));
        one.shift(-20);
        assertTrue(other.reserveHeld(20));
        assertEquals(40, quota.used());
        assertEquals(20, grant.used());
        one.shift(-20);
        other.shift(20);
        assertEquals(40, quota.used());
        assertEquals(0, grant.used());
        assertEquals(40, otherGrant.used());
        other.release(40);
        assertEquals(0, otherGrant.used());
        assertEquals(0, quota.used());
        assertTrue(one.reserve(70));
        assertFalse(one.reserve(1));
    }

    @Test
    void aSessionKeepsToItsOwnBound() {
        SharedQuota.Part bounded = quota.part(20);
        assertFalse(bounded.reserve(21));
        assertEquals("over 20 bytes", bounded.obstacle(21, "bytes"));
        assertTrue(bounded.reserve(20));
        assertEquals(0, bounded.free());
    }

    @Test
    void memoryOfManyThreadsIsAllGivenBack() {
        List<SharedQuota.Part> parts =
                IntStream.range(0, 4).mapToObj(each -> quota.part(60)).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                SharedQuota.Part part = parts.get(thread / 2);
                var random = new SplittableRandom(thread);
                threads.submit(() -> takeAndGiveBack(part, random));
            }
        }
        assertEquals(0, quota.used());
        assertTrue(parts.getFirst().reserve(60));
        assertTrue(parts.get(1).reserve(20));
        assertFalse(parts.get(1).reserve(1));
    }

    private static void takeAndGiveBack(SharedQuota.Part part, SplittableRandom random) {
        for (int time = 0; time < 100_000; time++) {
            int amount = random.nextInt(40);
            if (part.reserve(amount)) {
                part.release(amount);
            }
        }
    }
}
