package dev.outpost.channel.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SecretDerivationTest {
    @Test
    void secretsHave256BitsAsText() {
        SecureRandom random = new SecureRandom();
        String secret = Secrets.draw(random);
        assertTrue(secret.matches("[A-Za-z0-9_-]{43}"), secret);
        assertNotEquals(secret, Secrets.draw(random));
    }

    /** Test case 2 of RFC 4231, in base64url. */
    @Test
    void derivedSecretIsAnHmac() {
        assertEquals(
                "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM", Secrets.derive("Jefe", "what do ya want for nothing?"));
    }

    /** The example of FIPS 180. */
    @Test
    void hashesAreSha256() {
        String hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assertEquals(hash, Secrets.sha256Hex("abc"));
        assertEquals(hash, HexFormat.of().formatHex(Secrets.sha256("abc")));
        assertEquals(hash, HexFormat.of().formatHex(Secrets.sha256(new byte[] {'a', 'b', 'c'})));
    }
}
