package dev.outpost.support.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final List<Integer> HUNDRED = IntStream.range(0, 100).boxed().toList();

    @Test
    void keepsExactlyWhatIsNeeded() {
        List<Integer> needed = List.of(3, 41, 42, 99);
        assertEquals(needed, new Shrinker<Integer>(1_000, some -> some.containsAll(needed)).shrink(HUNDRED));
        assertEquals(List.of(), new Shrinker<Integer>(1_000, some -> true).shrink(HUNDRED));
        assertEquals(HUNDRED, new Shrinker<Integer>(1_000, some -> some.size() == 100).shrink(HUNDRED));
    }

    @Test
    void triesNoMoreListsThanAllowed() {
        AtomicInteger trials = new AtomicInteger();
        List<Integer> shorter = new Shrinker<Integer>(10, some -> {
                    trials.incrementAndGet();
                    return some.contains(50);
                })
                .shrink(HUNDRED);
        assertEquals(10, trials.get());
        assertTrue(shorter.contains(50));
    }
}
