package dev.outpost.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class BackendAccessTest {
    private static final String KEY = "op_abcdefghij_0123456789012345678901234567890123456789012";

    @TempDir
    Path folder;

    private BackendAccess configured(Map<String, String> environment) {
        return BackendAccess.configured(environment::get, new LoginFile(folder.resolve("login")));
    }

    private static String refusal(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }

    @Test
    void addressAndKeyComeFromTheEnvironment() {
        BackendAccess access = configured(Map.of("OUTPOST_API", "https://gpu.example.org/", "OUTPOST_API_KEY", KEY));
        assertEquals("https://gpu.example.org", access.address().toString());
        assertEquals(KEY, access.key());
    }

    @Test
    void loginFileIsReadableByItsOwnerOnly() throws IOException {
        LoginFile file = new LoginFile(folder.resolve("deep").resolve("login"));
        file.write(BackendAccess.of("https://gpu.example.org", KEY));
        assertEquals(KEY, file.read().orElseThrow().key());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.file())));
        file.write(BackendAccess.of("https://other.example.org", KEY));
        assertEquals(
                "https://other.example.org", file.read().orElseThrow().address().toString());
    }

    @Test
    void missingAccessNamesBothRemedies() {
        String text = refusal(() -> configured(Map.of()));
        assertTrue(text.contains("OUTPOST_API") && text.contains("./outpost login"), text);
    }

    @Test
    void addressWithoutKeyIsRefused() {
        assertTrue(refusal(() -> configured(Map.of("OUTPOST_API", "https://gpu.example.org")))
                .contains("belong together"));
    }

    /** A listener on the way would have the key. */
    @Test
    void aKeyDoesNotTravelInClearOverANetwork() {
        String text = refusal(() -> BackendAccess.of("http://192.0.2.1:8750", KEY));
        assertTrue(text.contains("in clear"), text);
        assertEquals(
                "http://127.0.0.1:8750",
                BackendAccess.of("http://127.0.0.1:8750", KEY).address().toString());
    }

    @Test
    void malformedAddressOrKeyIsRefused() {
        assertTrue(refusal(() -> BackendAccess.of("gpu example", KEY)).contains("expected an address"));
        assertTrue(refusal(() -> BackendAccess.of("ftp://gpu.example.org", KEY)).contains("expected an address"));
        String text = refusal(() -> BackendAccess.of("https://gpu.example.org", "my secret"));
        assertTrue(text.contains("expected a key"), text);
        assertFalse(text.contains("my secret"), text);
    }

    @Test
    void aKeyIsNotPrinted() {
        assertFalse(BackendAccess.of("https://gpu.example.org", KEY).toString().contains(KEY));
    }

    @Test
    void authorityIsKeptByALoginAndTheEnvironmentGoesBefore() throws IOException {
        LoginFile file = new LoginFile(folder.resolve("login"));
        Path kept = folder.resolve("kept.pem");
        file.write(BackendAccess.of("https://gpu.example.org", KEY).withAuthority(kept));
        assertEquals(Optional.of(kept), configured(Map.of()).authority());
        Path other = folder.resolve("other.pem");
        assertEquals(
                Optional.of(other),
                configured(Map.of("OUTPOST_API_CA", other.toString())).authority());
        file.write(BackendAccess.of("https://gpu.example.org", KEY));
        assertEquals(Optional.empty(), configured(Map.of()).authority());
    }

    @Test
    void authorityThatCannotBeUsedIsRefused() throws IOException {
        BackendAccess access = BackendAccess.of("https://gpu.example.org", KEY);
        Path missing = folder.resolve("missing.pem");
        assertEquals(
                "OUTPOST_API_CA: " + missing + " cannot be read",
                refusal(() -> new BackendClient(access.withAuthority(missing))));
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertEquals(
                "OUTPOST_API_CA: " + empty + " holds no certificate",
                refusal(() -> new BackendClient(access.withAuthority(empty))));
        Path text = Files.writeString(folder.resolve("text.pem"), "-----BEGIN CERTIFICATE-----\nnot\n");
        assertEquals(
                "OUTPOST_API_CA: " + text + " holds something else than certificates in PEM",
                refusal(() -> new BackendClient(access.withAuthority(text))));
        assertTrue(refusal(() -> BackendAccess.of("http://127.0.0.1:1", KEY).withAuthority(empty))
                .contains("has no certificate"));
    }
}
