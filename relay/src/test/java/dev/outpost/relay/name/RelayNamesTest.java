package dev.outpost.relay.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SNIHostName;
import org.junit.jupiter.api.Test;

class RelayNamesTest {
    private final RelaySecret secret = RelaySecret.draw(new SecureRandom());
    private final RelayNames names = new RelayNames(List.of(secret));

    @Test
    void aNameStandsForItsAddress() throws UnknownHostException {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
            random.nextBytes(bytes);
            InetSocketAddress target =
                    new InetSocketAddress(InetAddress.getByAddress(bytes), 1 + random.nextInt(65_535));
            String name = names.of(target.getAddress(), target.getPort());
            assertEquals(Optional.of(target), names.resolve(name), name);
            assertEquals(name, new SNIHostName(name).getAsciiName());
        }
    }

    @Test
    void aNameDoesNotChange() throws UnknownHostException {
        assertEquals(name(), name());
    }

    private String name() throws UnknownHostException {
        return names.of(InetAddress.getByName("10.1.2.3"), 50_051);
    }

    @Test
    void nothingIsChangedInAName() throws UnknownHostException {
        String label = name().substring(0, name().indexOf('.'));
        for (int i = 0; i < label.length(); i++) {
            for (char other : "0123456789abcdefghijklmnopqrstuv".toCharArray()) {
                if (other != label.charAt(i)) {
                    String changed = label.substring(0, i) + other + label.substring(i + 1);
                    assertTrue(names.resolve(changed + ".relay").isEmpty(), changed);
                }
            }
        }
    }

    @Test
    void aNameOfAnotherSecretIsNone() throws UnknownHostException {
        RelayNames others = new RelayNames(List.of(RelaySecret.draw(new SecureRandom())));
        assertTrue(others.resolve(name()).isEmpty());
    }

    @Test
    void asLongAsASecretIsThereItsNamesAreGood() throws UnknownHostException {
        RelaySecret next = RelaySecret.draw(new SecureRandom());
        RelayNames both = new RelayNames(List.of(next, secret));
        assertTrue(both.resolve(name()).isPresent());
        assertTrue(names.resolve(both.of(InetAddress.getByName("10.1.2.3"), 1)).isEmpty());
    }

    @Test
    void otherNamesAreNone() {
        for (String name : List.of("", ".", "a", "localhost", "relay.outpost.internal", "-", "1".repeat(63), "\0.x")) {
            assertTrue(names.resolve(name).isEmpty(), name);
        }
    }

    @Test
    void aSecretIsReadAsItIsWrittenAndNeverShown() {
        assertEquals(secret, RelaySecret.parse(secret.text()));
        assertFalse(secret.toString().contains(secret.text()));
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> RelaySecret.parse("hunter2"));
        assertEquals(
                "relay secret: expected 43 characters as ./outpost relay --new-secret prints them, got 7 others",
                refused.getMessage());
    }
}
