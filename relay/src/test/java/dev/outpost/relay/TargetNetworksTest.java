package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TargetNetworksTest {
    private static List<Boolean> has(TargetNetworks networks, String... addresses) {
        return Stream.of(addresses)
                .map(address -> networks.has(new InetSocketAddress(address, 1)))
                .toList();
    }

    @Test
    void withoutASettingThisHostAndItsLinkAreLeftOut() {
        assertEquals(
                List.of(true, true, false, false, false, false, false),
                has(
                        TargetNetworks.anyMachine(),
                        "10.0.0.1",
                        "fd00::1",
                        "127.0.0.1",
                        "::1",
                        "169.254.169.254",
                        "0.0.0.0",
                        "224.0.0.1"));
    }

    @Test
    void onlyWhatIsListedIsReached() {
        assertEquals(
                List.of(true, false, true, false),
                has(TargetNetworks.parse("10.0.0.0/8, fd00::/8"), "10.9.8.7", "11.0.0.1", "fd12::1", "fe80::1"));
    }

    @Test
    void aMalformedNetworkIsNamed() {
        for (String text : List.of("10.0.0.0", "10.0.0.0/33", "ten/8", "")) {
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class, () -> TargetNetworks.parse("10.0.0.0/8," + text + "x"));
            assertEquals(
                    "targets: expected networks such as 10.0.0.0/8,fd00::/8, got \"" + text + "x\"",
                    refused.getMessage());
        }
    }
}
