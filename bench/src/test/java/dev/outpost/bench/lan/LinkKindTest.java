package dev.outpost.bench.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkKindTest {
    @ParameterizedTest
    @CsvSource({"1gbit, 1000, 0", "100mbit, 100, 0", "100mbit+2ms, 100, 2", "none, 0, 0", "none+2ms, 0, 2"})
    void aKindIsARateAndADelay(String text, int megabits, long millis) {
        LinkKind kind = LinkKind.parse(text);
        assertEquals(megabits, kind.megabits());
        assertEquals(Duration.ofMillis(millis), kind.delay());
        assertEquals(text, kind.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100", "1tbit", "100mbit+", "100mbit+2", "+2ms", "-1mbit"})
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> LinkKind.parse(text));
    }
}
