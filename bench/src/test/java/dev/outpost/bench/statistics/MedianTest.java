package dev.outpost.bench.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MedianTest {
    @Test
    void theMiddleOneWhateverTheOrder() {
        assertEquals(2, median(9, 1, 2));
    }

    @Test
    void betweenTheTwoInTheMiddle() {
        assertEquals(2.5, median(9, 2, 1, 3));
    }

    private static double median(double... samples) {
        Median median = new Median();
        for (double sample : samples) {
            median.add(sample);
        }
        return median.value();
    }
}
