package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SkylineTest {
    @Test
    void skylineIsTheMaximum() {
        for (int tasks : new int[] {1, 2, 3, 7, 8, 9, 100}) {
            check(tasks, new Random(tasks));
        }
    }

    private static void check(int tasks, Random random) {
        Skyline skyline = new Skyline(tasks);
        long[] right = new long[tasks];
        for (int step = 0; step < 300; step++) {
            int from = random.nextInt(tasks);
            int to = from + random.nextInt(tasks - from);
            long end = random.nextInt(1000);
            assertEquals(Arrays.stream(right, from, to + 1).max().orElseThrow(), skyline.highest(from, to));
            skyline.raise(from, to, end);
            for (int task = from; task <= to; task++) {
                right[task] = Math.max(right[task], end);
            }
        }
    }
}
