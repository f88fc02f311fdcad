package dev.outpost.backend.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SealKeysTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] VALUE = "hunter2".getBytes(StandardCharsets.UTF_8);

    private static String key(String name) {
        return name + SealKeys.draw(RANDOM).replaceFirst("^[^:]*", "");
    }

    @Test
    void sealedValueOpensAtItsPlaceAlone() {
        SealKeys keys = new SealKeys(key("a"), RANDOM);
        Sealed sealed = keys.seal("secret/acme/vision/TOKEN", VALUE);
        assertArrayEquals(VALUE, keys.open("secret/acme/vision/TOKEN", sealed));
        assertThrows(IllegalStateException.class, () -> keys.open("secret/other/vision/TOKEN", sealed));
        assertFalse(new String(sealed.bytes(), StandardCharsets.ISO_8859_1).contains("hunter2"));
        assertFalse(keys.seal("x", VALUE).equals(keys.seal("x", VALUE)), "each has a nonce of its own");
    }

    @Test
    void newKeyInFrontSealsAndTheOldOneStillOpens() {
        String old = key("a");
        Sealed sealed = new SealKeys(old, RANDOM).seal("x", VALUE);
        SealKeys rotated = new SealKeys(key("b") + "," + old, RANDOM);
        assertEquals("b", rotated.current());
        assertArrayEquals(VALUE, rotated.open("x", sealed));
        IllegalStateException lost =
                assertThrows(IllegalStateException.class, () -> new SealKeys(key("b"), RANDOM).open("x", sealed));
        assertTrue(lost.getMessage().contains("sealed by key a"), lost.getMessage());
    }

    @Test
    void changedValueDoesNotOpen() {
        SealKeys keys = new SealKeys(key("a"), RANDOM);
        Sealed sealed = keys.seal("x", VALUE);
        sealed.bytes()[15] ^= 1;
        assertThrows(IllegalStateException.class, () -> keys.open("x", sealed));
    }

    @Test
    void malformedKeyIsRefusedWithoutShowingIt() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new SealKeys("a:c2hvcnQ", RANDOM));
        assertFalse(refused.getMessage().contains("c2hvcnQ"), refused.getMessage());
    }
}
