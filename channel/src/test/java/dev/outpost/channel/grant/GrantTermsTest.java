package dev.outpost.channel.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.grant.GrantTerms.Role;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class GrantTermsTest {
    private static final Instant END = Instant.parse("2026-01-01T00:00:00Z");

    private static final GrantTerms EVERYTHING_SAID = GrantTerms.ALL
            .withRole(Role.MANAGE)
            .withProject("acme/vision")
            .withMemoryBytes(1L << 30)
            .withWeight(200)
            .withSessions(2)
            .withExpires(END);

    @Test
    void writtenTermsAreReadBack() {
        assertEquals("", GrantTerms.ALL.text());
        assertEquals(GrantTerms.ALL, GrantTerms.parse(""));
        assertEquals(
                "role=manage project=acme/vision memory=1073741824 weight=200 sessions=2 expires=2026-01-01T00:00:00Z",
                EVERYTHING_SAID.text());
        assertEquals(EVERYTHING_SAID, GrantTerms.parse(EVERYTHING_SAID.text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "expires=tomorrow",
                "memory=0",
                "memory=much",
                "memory=99999999999999999999",
                "weight=0",
                "weight=10001",
                "sessions=-1",
                "role=admin",
                "project=a,b",
                "colour=blue",
                "memory",
                "=1",
                "memory=1 memory=2",
            })
    void otherTextIsRefusedAndNotQuoted(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> GrantTerms.parse(text));
        assertTrue(refused.getMessage().startsWith("grant: expected words such as"), refused::getMessage);
    }

    @Test
    void itIsOverFromItsEndOn() {
        assertFalse(EVERYTHING_SAID.isOver(END.minusNanos(1)));
        assertTrue(EVERYTHING_SAID.isOver(END));
        assertFalse(GrantTerms.ALL.isOver(END));
    }
}
