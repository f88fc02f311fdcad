package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpanTest {
    @Test
    void largestExactUnitIsChosen() {
        assertEquals("15 min", Span.text(Duration.ofMinutes(15)));
        assertEquals("90 s", Span.text(Duration.ofSeconds(90)));
        assertEquals("2 h", Span.text(Duration.ofHours(2)));
        assertEquals("90 min", Span.text(Duration.ofMinutes(90)));
        assertEquals("250 ms", Span.text(Duration.ofMillis(250)));
        assertEquals("0 s", Span.text(Duration.ZERO));
    }
}
