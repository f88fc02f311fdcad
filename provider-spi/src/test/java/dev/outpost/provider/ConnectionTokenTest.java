package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.Trust;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class ConnectionTokenTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @Test
    void carriesTheSecretAndTheHashOfTheCertificate() {
        ConnectionToken token = ConnectionToken.parse(" s3cret_-." + HASH + "\n");
        assertEquals("s3cret_-", token.secret());
        assertEquals(Optional.of(new Trust.Pin(HASH)), token.pin());
        assertEquals("s3cret_-." + HASH, token.text());
    }

    @Test
    void mayLeaveTheCertificateToAnAuthority() {
        ConnectionToken token = ConnectionToken.parse("s3cret");
        assertEquals(Optional.empty(), token.pin());
        assertEquals("s3cret", token.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "s3cret.", "s3 cret", "s3cret.0123", "s3cret.zz", "a.b.c", "ключ"})
    void aMalformedOneIsNotRepeated(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> ConnectionToken.parse(text));
        assertEquals(
                "token: expected letters, digits, - and _, then perhaps a dot and the 64 hex digits of a SHA-256",
                refused.getMessage());
    }

    @Test
    void tokenIsNeverPrinted() {
        assertFalse(ConnectionToken.parse("s3cret." + HASH).toString().contains("s3cret"));
    }
}
