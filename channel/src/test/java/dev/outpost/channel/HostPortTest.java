package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class HostPortTest {
    @Test
    void addressOfVersion6IsInBrackets() {
        assertEquals("[fd00::7]:443", HostPort.text("fd00::7", 443));
        assertEquals(
                "[fd00::7]",
                URI.create("https://" + HostPort.text("fd00::7", 443)).getHost());
    }

    @Test
    void namesAndOtherAddressesAreAsTheyStand() {
        assertEquals("gpu.example.org:443", HostPort.text("gpu.example.org", 443));
        assertEquals("10.0.0.7:443", HostPort.text("10.0.0.7", 443));
    }
}
