package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class MachineOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PT0S",
                "PT0.000999999S",
                "PT-1S",
                "PT24H0.000000001S",
                "PT2562047788015215H",
                "PT-2562047788015215H"
            })
    void peerTimeoutOutOfItsRangeIsRefused(String timeout) {
        Duration refused = Duration.parse(timeout);
        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> new MachineOptions().peerTimeout(refused));
        assertEquals("peerTimeout: expected from 1 ms to PT24H, got " + refused, failure.getMessage());
    }

    @Test
    void boundsOfPeerTimeoutAreAccepted() {
        for (Duration bound : new Duration[] {Duration.ofMillis(1), Duration.ofDays(1)}) {
            assertEquals(
                    Optional.of(bound), new MachineOptions().peerTimeout(bound).peerTimeout());
        }
    }
}
