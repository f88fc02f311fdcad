package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RuntimeArgumentsTest {
    @Test
    void optionsStandForSettings() {
        assertEquals(
                Optional.of(Map.of(
                        "outpost.runtime.management-port", "8443",
                        "outpost.runtime.limits.quota-bytes", "1000000",
                        "outpost.runtime.lan.announce", "true")),
                RuntimeArguments.OPTIONS.parse("--management-port=8443", "--quota", "1000000", "--announce"));
    }

    /** The image sets an engine and an address, and later arguments override them. */
    @Test
    void theLastOfTwoCounts() {
        assertEquals(
                Optional.of(Map.of("outpost.runtime.engine", "reference")),
                RuntimeArguments.OPTIONS.parse("--engine", "cpu", "--engine", "reference"));
    }
}
