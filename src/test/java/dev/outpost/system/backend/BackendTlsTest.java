package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.system.server.Authority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a certificate the API is there by HTTPS, and not by HTTP. */
class BackendTlsTest {
    private static final Authority AUTHORITY = new Authority("backends");

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
                HttpClient client =
                        HttpClient.newBuilder().sslContext(trusting()).build()) {
            URI address = backend.access().address();
            assertEquals("https", address.getScheme());
            assertEquals(200, status(client, address.resolve("/q/health/ready")));
            assertEquals(401, status(client, address.resolve("/v1/machines")));
            URI plain = URI.create("http://localhost:" + address.getPort() + "/q/health/ready");
            assertThrows(IOException.class, () -> status(client, plain));
        }
    }

    private static int status(HttpClient client, URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static SSLContext trusting() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(
                                AUTHORITY.certificates().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
