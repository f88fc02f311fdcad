package dev.outpost.client.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void offsetIsWithinHalfTheRoundTripTime() {
        ClockOffset offset = new ClockOffset();
        // 300 on the way there, 100 back, and the machine's clock is 10,000 ahead.
        offset.add(1_000, 11_300, 11_900, 2_000);
        assertEquals(10_100, offset.firstNanos());
        assertEquals(200, offset.errorNanos());
        assertEquals(1_200, offset.toOurs(11_300));
    }

    @Test
    void theFastestRoundTripOfASecondCounts() {
        ClockOffset offset = new ClockOffset();
        offset.add(0, 5_000, 5_000, 100);
        offset.add(1_000, 1_510, 1_510, 1_020);
        offset.add(2_000, 9_000, 9_000, 2_900);
        assertEquals(500, offset.firstNanos());
        assertEquals(10, offset.errorNanos());
        assertEquals(3, offset.samples());
    }

    /** A clock that is days ahead and gains 40 µs a second, over a network that is anything but even. */
    @Test
    void followsAClockThatRunsFaster() {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ClockOffset offset = new ClockOffset();
            for (long now = 0; now < 60 * SECOND; now += 20_000_000) {
                long there = 50_000 + random.nextLong(random.nextInt(20) == 0 ? 30_000_000 : 400_000);
                long work = random.nextLong(3_000_000);
                long back = 50_000 + random.nextLong(400_000);
                offset.add(now, theirs(now + there), theirs(now + there + work), now + there + work + back);
            }
            long drift = 40_000;
            for (long now = 0; now < 60 * SECOND; now += 7_654_321) {
                long error = Math.abs(offset.toOurs(theirs(now)) - now);
                assertTrue(error <= offset.errorNanos() + drift, "seed " + seed + " at " + now + ": off by " + error);
            }
            assertTrue(offset.errorNanos() < 300_000, "seed " + seed + ": " + offset.errorNanos());
        }
    }

    @Test
    void orderOfEventsIsKept() {
        SplittableRandom random = new SplittableRandom(7);
        ClockOffset offset = new ClockOffset();
        for (long now = 0; now < 20 * SECOND; now += 20_000_000) {
            offset.add(now, theirs(now + random.nextLong(100_000_000)), theirs(now + 100_000_000), now + 200_000_000);
        }
        long before = Long.MIN_VALUE;
        for (long now = 0; now < 21 * SECOND; now += 1_000_003) {
            long mapped = offset.toOurs(theirs(now));
            assertTrue(mapped >= before, "at " + now);
            before = mapped;
        }
    }

    private static long theirs(long ours) {
        return ours + ours / 25_000 + 400_000 * SECOND;
    }
}
