package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DurationsTest {
    @Test
    void durationsAreRead() {
        assertEquals(Duration.ofMinutes(90), Durations.parse("1h30m"));
        assertEquals(Duration.ofMillis(500), Durations.parse(" 500ms "));
        assertEquals(Duration.ofSeconds(30), Durations.parse("PT30S"));
        assertEquals(Duration.ofSeconds(90), Durations.parse("90s"));
        assertEquals(Duration.ofHours(36), Durations.parse("1d12h"));
        assertThrows(IllegalArgumentException.class, () -> Durations.parse("30"));
        assertThrows(IllegalArgumentException.class, () -> Durations.parse("1s".repeat(100_000)));
    }

    @Test
    void durationsAreWritten() {
        assertEquals("12 ms", Durations.text(Duration.ofMillis(12)));
        assertEquals("1.0 s", Durations.text(Duration.ofMillis(1000)));
        assertEquals("41.2 s", Durations.text(Duration.ofMillis(41_249)));
    }
}
