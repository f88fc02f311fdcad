package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class GrantsTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String OTHER = "fedcba9876543210";

    @TempDir
    Path folder;

    private Path file;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void chooseTheFile() {
        file = folder.resolve("grants");
    }

    @Test
    void aGrantedTokenOpensAsTheOwnOneDoes() throws Exception {
        replace(hash(TOKEN) + "\n");
        Secret secret = Secret.of("own-own-own-own-").with(grants());
        assertTrue(secret.isBorneBy("Bearer own-own-own-own-"));
        assertTrue(secret.isBorneBy("Bearer " + TOKEN));
        assertFalse(secret.isBorneBy("Bearer " + OTHER));
        assertFalse(secret.isBorneBy("Bearer " + hash(TOKEN)), "the hash is no token");
    }

    @Test
    void bindingAndRevokingTakeEffectAtOnce() throws Exception {
        Grants grants = grants();
        assertFalse(admits(grants, TOKEN), "a file that is not there yet grants nothing");
        replace(hash(TOKEN) + "\n");
        assertTrue(admits(grants, TOKEN));
        replace(hash(OTHER) + "\n");
        assertFalse(admits(grants, TOKEN));
        assertTrue(admits(grants, OTHER));
        Files.delete(file);
        assertFalse(admits(grants, OTHER));
    }

    @Test
    void aGrantEndsWhenItExpires() throws Exception {
        replace(hash(TOKEN) + " expires=2026-01-01T00:00:10Z\n");
        Grants grants = grants();
        now = now.plusSeconds(9);
        assertTrue(admits(grants, TOKEN));
        now = now.plusSeconds(1);
        assertFalse(admits(grants, TOKEN));
    }

    @Test
    void aMalformedFileIsRefusedAtTheStartAndNotRepeated() throws Exception {
        for (String line : new String[] {TOKEN, hash(TOKEN).toUpperCase(), hash(TOKEN) + " expires=tomorrow"}) {
            replace(line + "\n");
            var refused = assertThrows(IllegalArgumentException.class, this::grants);
            assertEquals(
                    "outpost.runtime.grants-file: expected lines of 64 lower-case hex digits and perhaps "
                            + "expires=2026-01-01T00:00:00Z, got something else",
                    refused.getMessage());
        }
    }

    @Test
    void aMalformedFileLaterLeavesTheGrantsAsTheyWere() throws Exception {
        replace(hash(TOKEN) + "\n");
        Grants grants = grants();
        replace("nonsense\n");
        assertTrue(admits(grants, TOKEN));
    }

    private Grants grants() throws IOException {
        return Grants.in(file, () -> now);
    }

    private void replace(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean admits(Grants grants, String token) throws NoSuchAlgorithmException {
        return grants.admit(HexFormat.of().parseHex(hash(token)));
    }

    private static String hash(String token) throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(hash);
    }
}
