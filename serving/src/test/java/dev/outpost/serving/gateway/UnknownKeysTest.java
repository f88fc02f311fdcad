package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class UnknownKeysTest {
    private final AtomicLong nanos = new AtomicLong();
    private final UnknownKeys unknown = new UnknownKeys(nanos::get);

    private void show(String address, int times) {
        for (int i = 0; i < times; i++) {
            unknown.require(address);
            unknown.count(address);
        }
    }

    @Test
    void addressMayShowSomeKeysThatAreNone() {
        show("192.0.2.1", 20);
        var refused = assertThrows(UnknownKeys.TooManyException.class, () -> unknown.require("192.0.2.1"));
        assertEquals("too many unknown API keys came from this address", refused.getMessage());
        assertEquals(2, refused.seconds());
        show("192.0.2.2", 20);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        show("192.0.2.1", 1);
    }

    /** Or many addresses could use up the rate of the gateway's own key. */
    @Test
    void allAddressesTogetherMayShowNoMoreThanTheGatewayMayAsk() {
        for (int address = 0; address < 10; address++) {
            show("192.0.2." + address, 20);
        }
        assertThrows(UnknownKeys.TooManyException.class, () -> unknown.require("198.51.100.1"));
    }
}
