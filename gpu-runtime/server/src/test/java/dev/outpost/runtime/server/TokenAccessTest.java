package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class TokenAccessTest {
    private static final String OWN = "own-own-own-own-";
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
    void aGrantedTokenOpensAndTheOwnOneIsTheOwners() throws Exception {
        replace(hash(TOKEN) + " memory=1024 project=acme/vision\n");
        TokenAccess access = access();
        GrantAccount owner = access.find("Bearer " + OWN).orElseThrow();
        assertEquals(GrantTerms.ALL, owner.terms());
        GrantAccount granted = access.find("Bearer " + TOKEN).orElseThrow();
        assertEquals(GrantTerms.ALL.withMemoryBytes(1024).withProject("acme/vision"), granted.terms());
        assertTrue(access.find("Bearer " + OTHER).isEmpty());
        assertTrue(access.find("Bearer " + hash(TOKEN)).isEmpty(), "the hash is no token");
        assertTrue(access.find(null).isEmpty());
        assertTrue(access.find(TOKEN).isEmpty());
    }

    @Test
    void managerIsTheOwnerOrIsNamed() throws Exception {
        replace(hash(TOKEN) + " role=manage\n" + hash(OTHER) + "\n");
        TokenAccess access = access();
        assertTrue(access.mayManage(access.find("Bearer " + OWN).orElseThrow()));
        assertTrue(access.mayManage(access.find("Bearer " + TOKEN).orElseThrow()));
        assertFalse(access.mayManage(access.find("Bearer " + OTHER).orElseThrow()));
    }

    @Test
    void boundAndRevokedTokensCountAtOnce() throws Exception {
        TokenAccess access = access();
        assertFalse(admits(access, TOKEN), "a file that is not there yet grants nothing");
        replace(hash(TOKEN) + "\n");
        assertTrue(admits(access, TOKEN));
        replace(hash(OTHER) + "\n");
        assertFalse(admits(access, TOKEN));
        assertTrue(admits(access, OTHER));
        Files.delete(file);
        assertFalse(admits(access, OTHER));
    }

    @Test
    void aGrantEndsWhenItExpires() throws Exception {
        replace(hash(TOKEN) + " expires=2026-01-01T00:00:10Z\n");
        TokenAccess access = access();
        now = now.plusSeconds(9);
        assertTrue(admits(access, TOKEN));
        now = now.plusSeconds(1);
        assertFalse(admits(access, TOKEN));
    }

    @Test
    void aMalformedFileIsRefusedAtTheStartAndNotRepeated() throws Exception {
        for (String line : new String[] {
            TOKEN, hash(TOKEN).toUpperCase(Locale.ROOT), hash(TOKEN) + " expires=tomorrow", hash(TOKEN) + " " + OTHER
        }) {
            replace(line + "\n");
            var refused = assertThrows(IllegalArgumentException.class, this::access);
            assertEquals(
                    "outpost.runtime.grants-file: expected lines of 64 lower-case hex digits and perhaps words such as "
                            + "memory=1073741824 expires=2026-01-01T00:00:00Z, got something else",
                    refused.getMessage());
        }
    }

    @Test
    void aMalformedFileLaterLeavesTheGrantsAsTheyWere() throws Exception {
        replace(hash(TOKEN) + "\n");
        TokenAccess access = access();
        replace("nonsense\n");
        assertTrue(admits(access, TOKEN));
    }

    /** A caller that arrives while another one reads the file is not checked against the earlier text. */
    @Test
    void ofManyWhoComeAtOnceNoneIsRefusedForWhatTheFileSaidBefore() throws Exception {
        TokenAccess access = access();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 50; round++) {
                String token = TOKEN + round;
                replace(hash(token) + "\n");
                CyclicBarrier together = new CyclicBarrier(4);
                List<Future<Boolean>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    all.add(threads.submit(() -> {
                        together.await(Await.GUARD.toSeconds(), TimeUnit.SECONDS);
                        return admits(access, token);
                    }));
                }
                for (Future<Boolean> one : all) {
                    assertTrue(Await.result("a caller is judged", one), "round " + round);
                }
            }
        }
    }

    private TokenAccess access() throws IOException {
        return TokenAccess.of(OwnerToken.of(OWN), new GrantRegistry(() -> now), file);
    }

    private void replace(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean admits(TokenAccess access, String token) {
        return access.find("Bearer " + token).isPresent();
    }

    private static String hash(String token) throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(hash);
    }
}
