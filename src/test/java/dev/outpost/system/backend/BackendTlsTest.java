package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.server.TestCertificateAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a certificate the API is available by HTTPS, but not by HTTP. */
class BackendTlsTest {
    private static final TestCertificateAuthority AUTHORITY = new TestCertificateAuthority("backends");

    @TempDir
    Path folder;

    @Test
    void theApiIsServedByHttpsOnly() throws Exception {
        Path keys = Files.createDirectories(folder.resolve("keys"));
        AUTHORITY.vouchFor("localhost", keys);
        try (BackendHost backend = BackendHost.start(
                        folder.resolve("backend"),
                        "OUTPOST_BACKEND_HOST",
                        "localhost",
                        "OUTPOST_BACKEND_TLS_CERTIFICATE",
                        keys.resolve("certificate.pem").toString(),
                        "OUTPOST_BACKEND_TLS_KEY",
                        keys.resolve("key.pem").toString());
                HttpClient plain = HttpClient.newHttpClient()) {
            BackendAccess access = backend.access();
            assertEquals("https", access.address().getScheme());
            URI http = URI.create("http://localhost:" + access.address().getPort() + "/q/health/ready");
            assertThrows(IOException.class, () -> status(plain, http));
            assertOnlyItsAuthorityIsBelieved(access);
            assertTheCommandLineBelievesIt(access);
        }
    }

    private void assertOnlyItsAuthorityIsBelieved(BackendAccess access) throws IOException {
        Path authority = Files.writeString(folder.resolve("authority.pem"), AUTHORITY.certificates());
        BackendAccess trusting = access.withAuthority(authority);
        assertTrue(new BackendClient(trusting).get("/v1/machines").path("items").isEmpty());
        BackendException unknown =
                assertThrows(BackendException.class, () -> new BackendClient(access).get("/v1/machines"));
        assertTrue(unknown.getMessage().contains("OUTPOST_API_CA"), unknown::getMessage);
        assertFalse(unknown.isRetryable());
        Path other =
                Files.writeString(folder.resolve("other.pem"), new TestCertificateAuthority("others").certificates());
        BackendException foreign = assertThrows(
                BackendException.class, () -> new BackendClient(access.withAuthority(other)).get("/v1/gpus"));
        assertTrue(foreign.getMessage().contains("none of the authorities in " + other), foreign::getMessage);
    }

    private void assertTheCommandLineBelievesIt(BackendAccess access) throws Exception {
        ProcessBuilder plan = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.outpost.cli.Outpost",
                        "plan",
                        "any")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        plan.environment().put("OUTPOST_API", access.address().toString());
        plan.environment().put("OUTPOST_API_KEY", access.key());
        plan.environment().put("OUTPOST_API_CA", folder.resolve("authority.pem").toString());
        assertEquals(0, plan.start().waitFor(), Files.readString(folder.resolve("said")));
    }

    private static int status(HttpClient client, URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
