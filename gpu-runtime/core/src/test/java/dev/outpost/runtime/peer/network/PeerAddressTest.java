package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeerAddressTest {
    @Test
    void anAddressIsReadAsItWasWritten() throws IOException {
        PeerAddress plain = new PeerAddress("10.0.0.7", 4711, "ab", Optional.empty());
        PeerAddress local = new PeerAddress("10.0.0.7", 4711, "ab", Optional.of(Path.of("/run/a b")));
        assertEquals(plain, PeerAddress.parse(plain.toString()));
        assertEquals(local, PeerAddress.parse(local.toString()));
    }

    /** Clients replace the second word by another host. */
    @Test
    void theHostIsTheSecondWord() {
        String text = new PeerAddress("10.0.0.7", 4711, "ab", Optional.empty()).toString();
        assertTrue(text.matches("tls\\d+ 10\\.0\\.0\\.7 4711 .*"), text);
    }

    @Test
    void anAddressOfAnotherVersionIsRefused() {
        String text = assertThrows(IOException.class, () -> PeerAddress.parse("tls2 10.0.0.7 4711 ab "))
                .getMessage();
        assertTrue(text.contains("use one version on all machines of a group"), text);
    }
}
