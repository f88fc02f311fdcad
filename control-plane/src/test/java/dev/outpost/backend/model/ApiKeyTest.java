package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ApiKeyTest {
    @Test
    void keyTextRoundTrips() {
        ApiKey key = ApiKey.draw(new SecureRandom());
        assertEquals(Optional.of(key), ApiKey.parse(key.text()));
        assertTrue(key.text().startsWith("op_" + key.id() + "_"), key::text);
    }

    @Test
    void anotherSecretDoesNotMatch() {
        ApiKey key = ApiKey.draw(new SecureRandom());
        assertTrue(key.matches(key.hash()));
        assertFalse(ApiKey.draw(new SecureRandom()).matches(key.hash()));
    }

    @Test
    void malformedKeyIsNotParsed() {
        assertEquals(Optional.empty(), ApiKey.parse("op_short_secret"));
        assertEquals(Optional.empty(), ApiKey.parse(""));
    }

    @Test
    void aSecretIsNotPrinted() {
        ApiKey key = ApiKey.draw(new SecureRandom());
        assertFalse(key.toString().contains(key.secret()));
    }
}
