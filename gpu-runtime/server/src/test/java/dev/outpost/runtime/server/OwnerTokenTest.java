package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class OwnerTokenTest {
    private static final String TEXT = "0123456789abcdef";
    private static final MachineIdentity IDENTITY = IdentityLoader.create();

    @Test
    void onlyAHeaderWithTheSecretMatches() {
        OwnerToken ownerToken = OwnerToken.of(TEXT);
        assertTrue(ownerToken.matches("Bearer " + TEXT));
        assertFalse(ownerToken.matches(null));
        assertFalse(ownerToken.matches(""));
        assertFalse(ownerToken.matches(TEXT));
        assertFalse(ownerToken.matches("bearer " + TEXT));
        assertFalse(ownerToken.matches("Bearer " + TEXT + "0"));
        assertFalse(ownerToken.matches("Bearer " + TEXT.substring(1)));
        assertFalse(ownerToken.matches("Bearer  " + TEXT));
    }

    @Test
    void secretsOfMachinesDiffer() {
        String one = OwnerToken.random().connectionToken(IDENTITY);
        assertNotEquals(one, OwnerToken.random().connectionToken(IDENTITY));
        assertEquals(43 + 1 + 64, one.length());
    }

    @Test
    void aShortOneIsRefusedAndNotRepeated() {
        var refused = assertThrows(IllegalArgumentException.class, () -> OwnerToken.of("short"));
        assertEquals(
                "outpost.runtime.token: expected 16 or more letters, digits, - and _, got something else",
                refused.getMessage());
    }

    @Test
    void standsInAFileWithOrWithoutALineFeed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), TEXT + "\n");
        assertTrue(OwnerToken.read(file).matches("Bearer " + TEXT));
        Files.writeString(file, "short");
        var refused = assertThrows(IllegalArgumentException.class, () -> OwnerToken.read(file));
        assertEquals(
                "outpost.runtime.token-file: expected 16 or more letters, digits, - and _, got something else",
                refused.getMessage());
    }

    @Test
    void tokenIsNeverPrinted() {
        assertEquals("Secret[hidden]", OwnerToken.of(TEXT).toString());
        assertEquals("MachineIdentity[" + IDENTITY.sha256() + "]", IDENTITY.toString());
    }
}
