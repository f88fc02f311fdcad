package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantRegistry;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GrantRegistryTest {
    private static final String HASH = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);
    private static final GrantTerms FEW = GrantTerms.ALL.withSessions(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final GrantRegistry grants = new GrantRegistry(() -> now);

    private Optional<GrantAccount> find(String hash) {
        return grants.find(HexFormat.of().parseHex(hash));
    }

    @Test
    void aBookIsEmptyAtFirst() {
        assertTrue(find(HASH).isEmpty());
        assertEquals(GrantTerms.ALL, grants.owner().terms());
    }

    @Test
    void aConfigurationIsReplacedAsAWhole() {
        grants.replace(Map.of(HASH, GrantTerms.ALL));
        GrantAccount account = find(HASH).orElseThrow();
        grants.replace(Map.of(OTHER, GrantTerms.ALL));
        assertTrue(find(HASH).isEmpty());
        assertTrue(account.isRevoked(), "its sessions end");
        assertTrue(find(OTHER).isPresent());
    }

    @Test
    void changedTermsHoldForTheSameAccount() {
        grants.replace(Map.of(HASH, GrantTerms.ALL));
        GrantAccount account = find(HASH).orElseThrow();
        grants.bind(HASH, FEW);
        assertSame(account, find(HASH).orElseThrow());
        assertEquals(FEW, account.terms());
    }

    /** The cluster's configuration may show new and revoked grants a minute late. */
    @Test
    void managersTermsOverrideTheConfiguration() {
        grants.replace(Map.of(HASH, GrantTerms.ALL));
        grants.revoke(HASH);
        grants.bind(OTHER, FEW);
        grants.replace(Map.of(HASH, GrantTerms.ALL));
        assertTrue(find(HASH).isEmpty());
        assertEquals(FEW, find(OTHER).orElseThrow().terms());
        grants.bind(HASH, FEW);
        assertEquals(FEW, find(HASH).orElseThrow().terms(), "bound again");
    }

    @Test
    void revokingWhatIsNotThereSucceeds() {
        grants.revoke(HASH);
        assertTrue(find(HASH).isEmpty());
    }

    @Test
    void aGrantEndsWhenItExpiresAndCanBeProlonged() {
        grants.bind(HASH, GrantTerms.ALL.withExpires(now.plusSeconds(10)));
        GrantAccount account = find(HASH).orElseThrow();
        now = now.plusSeconds(10);
        assertTrue(find(HASH).isEmpty());
        assertEquals(Optional.of("the grant has expired at 2026-01-01T00:00:10Z"), account.over(now));
        grants.bind(HASH, GrantTerms.ALL.withExpires(now.plusSeconds(10)));
        assertSame(account, find(HASH).orElseThrow());
        assertTrue(account.over(now).isEmpty());
    }

    @Test
    void thereIsABoundAndWhatIsOverMakesRoom() {
        for (int i = 0; i < GrantRegistry.MAX; i++) {
            grants.bind(String.format("%064x", i), GrantTerms.ALL);
        }
        IllegalArgumentException full =
                assertThrows(IllegalArgumentException.class, () -> grants.bind(HASH, GrantTerms.ALL));
        assertEquals("grants: a machine keeps 1024 at the most; revoke one first", full.getMessage());
        assertFalse(find(HASH).isPresent());
        grants.revoke(String.format("%064x", 7));
        grants.bind(HASH, GrantTerms.ALL);
        assertTrue(find(HASH).isPresent());
    }

    @Test
    void malformedHashIsRefused() {
        for (String hash : new String[] {"", "AB".repeat(32), "ab".repeat(31)}) {
            assertThrows(IllegalArgumentException.class, () -> grants.bind(hash, GrantTerms.ALL));
            assertThrows(IllegalArgumentException.class, () -> grants.revoke(hash));
            assertThrows(IllegalArgumentException.class, () -> grants.replace(Map.of(hash, GrantTerms.ALL)));
        }
    }
}
