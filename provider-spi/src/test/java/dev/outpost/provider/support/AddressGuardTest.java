package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.support.AddressGuard.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class AddressGuardTest {
    private static final Optional<Refusal> ADDRESS = Optional.of(new Refusal(false, Duration.ofSeconds(1)));
    private static final Optional<Refusal> ALL = Optional.of(new Refusal(true, Duration.ofMillis(100)));

    private final AtomicLong nanos = new AtomicLong();
    private final AddressGuard guard = new AddressGuard(1, 2, 10, 5, nanos::get);

    private void use(String address, int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(Optional.empty(), guard.take(address), address + " " + i);
        }
    }

    @Test
    void addressIsRefusedAfterItsBurstAndOthersAreNot() {
        use("192.0.2.1", 2);
        assertEquals(ADDRESS, guard.take("192.0.2.1"));
        use("192.0.2.2", 2);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        use("192.0.2.1", 1);
    }

    @Test
    void addressesOfOneIpv6NetworkCountAsOne() {
        use("2001:db8::1", 1);
        use("2001:db8:0:0:ffff::2%eth7", 1);
        assertEquals(ADDRESS, guard.take("2001:db8::3"));
        use("2001:db8:0:1::1", 2);
    }

    @Test
    void mappedAddressIsOneOfIpv4() {
        use("192.0.2.1", 1);
        use("::ffff:192.0.2.1", 1);
        assertEquals(ADDRESS, guard.take("192.0.2.1"));
    }

    @Test
    void allAddressesTogetherAreLimited() {
        use("192.0.2.1", 2);
        use("192.0.2.2", 2);
        use("192.0.2.3", 1);
        assertEquals(ALL, guard.take("192.0.2.4"));
        nanos.addAndGet(Duration.ofMillis(200).toNanos());
        use("192.0.2.4", 2);
    }

    @Test
    void refusalByAllTakesNothingOfTheAddress() {
        use("192.0.2.1", 2);
        use("192.0.2.2", 2);
        use("192.0.2.3", 1);
        for (int i = 0; i < 5; i++) {
            assertEquals(ALL, guard.take("192.0.2.4"));
        }
        nanos.addAndGet(Duration.ofMillis(200).toNanos());
        use("192.0.2.4", 2);
    }

    @Test
    void harmlessEventsAreNotCounted() {
        for (int i = 0; i < 20; i++) {
            use("192.0.2.1", 1);
            guard.refund("192.0.2.1");
        }
    }
}
