package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedSetTest {
    private static final int MAX = 3000;

    @Test
    void aSetThatWasAddedDoesNotChangeWithTheOther() {
        SharedSet first = new SharedSet();
        first.add(700);
        SharedSet second = new SharedSet();
        assertTrue(second.addAll(first));
        second.add(701);
        assertFalse(first.contains(701));
        assertFalse(second.addAll(first));
        assertTrue(first.addAll(second));
        assertTrue(first.contains(701));
    }

    @Test
    void nothingIsContainedBeyondTheEnd() {
        SharedSet set = new SharedSet();
        assertFalse(set.contains(0));
        set.add(5);
        assertFalse(set.contains(5 + 512));
        assertFalse(set.contains(1 << 20));
    }

    @Test
    void sharedSetIsASet() {
        Random random = new Random(1);
        List<SharedSet> sets = new ArrayList<>();
        List<BitSet> right = new ArrayList<>();
        for (int set = 0; set < 20; set++) {
            sets.add(new SharedSet());
            right.add(new BitSet());
        }
        for (int step = 0; step < 5_000; step++) {
            int one = random.nextInt(sets.size());
            int other = random.nextInt(sets.size());
            if (random.nextInt(20) == 0) {
                int known = right.get(one).cardinality();
                right.get(one).or(right.get(other));
                boolean isChanged = right.get(one).cardinality() > known;
                assertEquals(isChanged, sets.get(one).addAll(sets.get(other)), "step " + step);
            } else {
                int number = random.nextInt(MAX);
                sets.get(one).add(number);
                right.get(one).set(number);
            }
        }
        for (int set = 0; set < sets.size(); set++) {
            for (int number = 0; number < MAX; number++) {
                assertEquals(right.get(set).get(number), sets.get(set).contains(number));
            }
        }
    }
}
