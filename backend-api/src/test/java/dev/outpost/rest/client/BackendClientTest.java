package dev.outpost.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.client.TestReplica.Treatment;
import dev.outpost.support.tests.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose backend's replicas die and hang. */
class BackendClientTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static SSLContext server;
    private static Path certificate;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = folder.resolve("server.p12");
        certificate = folder.resolve("server.pem");
        keytool(
                store,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=backend",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "30");
        keytool(store, "-exportcert", "-rfc", "-file", certificate.toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        server = SSLContext.getInstance("TLS");
        server.init(managers.getKeyManagers(), null, null);
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        ProcessBuilder keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        keytool.command().addAll(List.of(arguments));
        keytool.command().addAll(List.of("-alias", "server", "-keystore", store.toString()));
        keytool.command().addAll(List.of("-storepass", PASSWORD));
        Process process = keytool.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, Await.ended("keytool", process), text);
    }

    /** The JDK's client makes a GET once more by itself. */
    @Test
    void replicaThatEndsInAHandshakeIsAnOutage() {
        try (TestReplica replica = new TestReplica(Optional.of(server), Treatment.CLOSED, Treatment.CLOSED)) {
            BackendClient client = client(replica, "localhost");
            BackendException ended = assertThrows(BackendException.class, () -> client.get("/v1/machines"));
            assertEquals("unreachable", ended.code(), ended.getMessage());
            assertTrue(ended.isRetryable(), ended.getMessage());
            assertTrue(client.persist(() -> client.get("/v1/machines")).isEmpty());
            assertEquals(3, replica.connections());
        }
    }

    @Test
    void streamWhoseHandshakeEndsIsAnOutage() {
        try (TestReplica replica = new TestReplica(Optional.of(server), Treatment.CLOSED, Treatment.CLOSED)) {
            BackendClient client = client(replica, "localhost");
            assertTrue(assertThrows(BackendException.class, () -> client.open("/v1/machines/m/logs"))
                    .isRetryable());
        }
    }

    @Test
    void certificateForAnotherNameIsNotTrusted() {
        try (TestReplica replica = new TestReplica(Optional.of(server))) {
            BackendException refused = assertThrows(
                    BackendException.class,
                    () -> client(replica, "127.0.0.1")
                            .persist(() -> client(replica, "127.0.0.1").get("/v1/machines")));
            assertEquals("untrusted", refused.code(), refused.getMessage());
            assertTrue(
                    refused.getMessage().contains("No subject alternative names matching IP address 127.0.0.1"),
                    refused::getMessage);
        }
    }

    @Test
    void certificateOfAnUnknownAuthorityIsNotTrusted() {
        try (TestReplica replica = new TestReplica(Optional.of(server))) {
            BackendClient client = new BackendClient(replica.access("localhost"));
            BackendException refused = assertThrows(BackendException.class, () -> client.get("/v1/machines"));
            assertEquals("untrusted", refused.code(), refused.getMessage());
            assertFalse(refused.isRetryable(), refused.getMessage());
            assertTrue(refused.getMessage().contains("OUTPOST_API_CA"), refused::getMessage);
        }
    }

    /** The connection to the silent replica was kept, and would be taken again. */
    @Test
    void requestThatIsNotAnsweredIsMadeAgainByANewConnection() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(200), timeout -> {
            try (TestReplica replica =
                    new TestReplica(Optional.empty(), Treatment.SILENT_AFTER_ONE, Treatment.SILENT)) {
                BackendClient client = new BackendClient(replica.access("127.0.0.1")).within(timeout);
                client.get("/v1/machines");
                assertTrue(client.persist(() -> client.get("/v1/machines")).isEmpty());
                assertEquals(3, replica.connections());
            }
        });
    }

    @Test
    void downloadThatStallsIsAnOutageAndLeavesNothing(@TempDir Path place) throws Exception {
        try (TestReplica replica = new TestReplica(Optional.empty(), Treatment.STALLED, Treatment.STALLED)) {
            BackendClient client = new BackendClient(replica.access("127.0.0.1")).within(Duration.ofMillis(300));
            BackendException stalled = assertThrows(
                    BackendException.class,
                    () -> client.download("/v1/backup", place.resolve("backup"), received -> {}));
            assertTrue(stalled.isRetryable(), stalled::getMessage);
            assertTrue(stalled.getMessage().contains("the download stalled for 300 ms"), stalled::getMessage);
            assertThrows(BackendException.class, () -> client.get("/v1/machines"));
        }
        try (Stream<Path> left = Files.list(place)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void outageLastsLongerThanTwoUnansweredRequests() {
        try (TestReplica replica = new TestReplica(Optional.empty())) {
            Duration timeout = Duration.ofSeconds(40);
            BackendClient client = new BackendClient(replica.access("127.0.0.1"));
            assertTrue(client.outage().compareTo(timeout.multipliedBy(2)) > 0, client.outage()::toString);
            assertTrue(client.within(timeout).outage().equals(client.outage()), "the request timeout is 40 s");
        }
    }

    private static BackendClient client(TestReplica replica, String host) {
        return new BackendClient(replica.access(host).withAuthority(certificate));
    }
}
