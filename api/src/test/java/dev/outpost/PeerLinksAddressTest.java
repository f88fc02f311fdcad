package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeerLinksAddressTest {
    private static String address(String text, String host) {
        return PeerLinks.address(text.getBytes(StandardCharsets.UTF_8), Optional.ofNullable(host));
    }

    @Test
    void theHostThatIsGivenReplacesTheOneThatWasSaid() {
        assertEquals("tls3 10.0.0.7 4711 ab /run/a b", address("tls3 127.0.0.1 4711 ab /run/a b", "10.0.0.7"));
        assertEquals("tls3 10.0.0.7 4711 ab ", address("tls3 127.0.0.1 4711 ab ", "10.0.0.7"), "without a socket");
    }

    @Test
    void withoutAHostTheAddressStaysAsItIs() {
        assertEquals("tls3 127.0.0.1 4711 ab", address("tls3 127.0.0.1 4711 ab", null));
    }

    /** GPUs need the same order of exchanges on all machines, which links do not guarantee. */
    @Test
    void whatAGpuOffersIsLeftOut() {
        assertEquals("tls3 10.0.0.7 4711 ab ", address("tls3 127.0.0.1 4711 ab \nNCCL 2;GPU-1;01", "10.0.0.7"));
        assertEquals("local 12 ab", address("local 12 ab\nNCCL 2;GPU-1;01", null));
    }

    @Test
    void anAddressWithinOneProcessHasNoHost() {
        assertEquals("local 12 ab", address("local 12 ab", "10.0.0.7"));
    }
}
