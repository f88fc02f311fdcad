package dev.outpost.backend.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.support.tests.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests calls to addresses that tenants provide. All names resolve to addresses of this host. */
class TenantHttpTest {
    private static final String PASSWORD = "changeit";
    private static final String HOST = "receiver.test";

    /** Nothing listens on the port there. */
    private static final String DEAF = "127.0.0.77";

    private static final Vertx VERTX = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    @AfterAll
    static void closeVertx() {
        VERTX.close();
    }

    private static TenantHttp resolving(HttpClientOptions options, String... addresses) {
        return new TenantHttp(
                VERTX,
                PublicAddresses.allowing("127.0.0.0/8"),
                host -> new PublicAddresses.Checked(host, parse(addresses)),
                options);
    }

    private static List<InetAddress> parse(String... addresses) throws UnknownHostException {
        List<InetAddress> parsed = new ArrayList<>();
        for (String address : addresses) {
            parsed.add(InetAddress.getByName(address));
        }
        return parsed;
    }

    private static int post(TenantHttp http, String url, Duration timeout) throws Exception {
        return http.post(URI.create(url), Map.of(), "{}", timeout);
    }

    private static String failure(TenantHttp http, String url, Duration timeout) {
        return assertThrows(IOException.class, () -> post(http, url, timeout)).getMessage();
    }

    private static HttpServer answering(HttpServer server) {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    private static HttpServer plain() throws IOException {
        return HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 200);
    }

    private static int portOf(HttpServer server) {
        return server.getAddress().getPort();
    }

    // ---- names and certificates

    /** A store with a key and a certificate for {@link #HOST}. */
    private static Path keys(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("keys.p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "receiver",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + HOST,
                        "-ext",
                        "SAN=dns:" + HOST,
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.txt").toFile())
                .start();
        assertEquals(0, Await.ended("keytool", made), () -> folder + "/keytool.txt says why");
        return store;
    }

    private static HttpServer secure(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return answering(server);
    }

    /** The connection goes to a checked address, and the certificate must match the name. */
    @Test
    void certificateOfAnotherNameIsRefused(@TempDir Path folder) throws Exception {
        Path store = keys(folder);
        HttpServer server = secure(store);
        HttpClientOptions trusting = new HttpClientOptions()
                .setTrustOptions(new PfxOptions().setPath(store.toString()).setPassword(PASSWORD));
        try (TenantHttp http = resolving(trusting, "127.0.0.1");
                TenantHttp distrusting = resolving(new HttpClientOptions(), "127.0.0.1")) {
            assertEquals(204, post(http, "https://" + HOST + ":" + portOf(server) + "/hook", Await.GUARD));
            String refused = failure(http, "https://other.test:" + portOf(server) + "/hook", Await.GUARD);
            assertTrue(refused.startsWith("its certificate is refused"), refused);
            String untrusted = failure(distrusting, "https://" + HOST + ":" + portOf(server) + "/hook", Await.GUARD);
            assertTrue(untrusted.startsWith("its certificate is refused"), untrusted);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void secondAddressIsCalledIfTheFirstRefuses() throws Exception {
        HttpServer server = answering(plain());
        String url = "http://" + HOST + ":" + portOf(server) + "/hook";
        try (TenantHttp http = resolving(new HttpClientOptions(), DEAF, "127.0.0.1");
                TenantHttp deaf = resolving(new HttpClientOptions(), DEAF)) {
            assertEquals(204, post(http, url, Await.GUARD));
            assertEquals("no connection could be made", failure(deaf, url, Await.GUARD));
        } finally {
            server.stop(0);
        }
    }

    // ---- slow ones

    private static final Duration SHORT = Duration.ofMillis(200);

    /** The server accepts the connection and never sends a byte of HTTP or TLS. */
    @Test
    void serverThatStallsIsGivenUp() throws Exception {
        try (ServerSocket stalled = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
                TenantHttp http = resolving(new HttpClientOptions(), "127.0.0.1")) {
            for (String scheme : List.of("http", "https")) {
                assertEquals(
                        "it did not answer in time",
                        failure(http, scheme + "://" + HOST + ":" + stalled.getLocalPort() + "/hook", SHORT));
            }
        }
    }

    @Test
    void nameThatIsNotResolvedIsGivenUp() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TenantHttp http = new TenantHttp(
                VERTX,
                PublicAddresses.ONLY,
                host -> {
                    awaitOpened(release);
                    throw new UnknownHostException(host);
                },
                new HttpClientOptions())) {
            assertEquals("its name was not resolved in time", failure(http, "https://" + HOST + "/hook", SHORT));
            release.countDown();
            assertEquals(
                    "url: " + HOST + " is not known",
                    assertThrows(
                                    TenantHttp.RefusedException.class,
                                    () -> post(http, "https://" + HOST + "/hook", Await.GUARD))
                            .getMessage());
        }
    }

    /** An organisation can make the backend check many addresses whose name servers do not answer. */
    @Test
    void namesThatAreOnlyCheckedHoldUpNoCall() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch heldOrRefused = new CountDownLatch(TenantHttp.MAX_CALLS);
        HttpServer server = answering(plain());
        try (TenantHttp http = new TenantHttp(
                        VERTX,
                        PublicAddresses.allowing("127.0.0.0/8"),
                        host -> {
                            if (!host.equals(HOST)) {
                                heldOrRefused.countDown();
                                awaitOpened(release);
                            }
                            return new PublicAddresses.Checked(host, parse("127.0.0.1"));
                        },
                        new HttpClientOptions());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < TenantHttp.MAX_CALLS; i++) {
                URI slow = URI.create("https://slow" + i + ".test/hook");
                threads.submit(() -> {
                    try {
                        http.check(slow);
                    } catch (TenantHttp.RefusedException refused) {
                        if (refused.getMessage().contains("too many")) {
                            heldOrRefused.countDown();
                        }
                    }
                    return null;
                });
            }
            Await.opened("all names are resolved or refused", heldOrRefused);
            assertEquals(204, post(http, "http://" + HOST + ":" + portOf(server) + "/hook", Await.GUARD));
            release.countDown();
        } finally {
            server.stop(0);
        }
    }

    private static void awaitOpened(CountDownLatch latch) {
        try {
            Await.opened("the test", latch);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Many organisations may have webhooks at one host. */
    @Test
    void asManyCallsOfOneHostGoOnAtATimeAsOfAll() throws Exception {
        int calls = 100;
        CountDownLatch there = new CountDownLatch(calls);
        HttpServer server = plain();
        server.createContext("/", exchange -> {
            there.countDown();
            awaitOpened(there);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        try (TenantHttp http = resolving(new HttpClientOptions(), "127.0.0.1");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(threads.submit(
                        () -> post(http, "http://" + HOST + ":" + portOf(server) + "/hook", Await.GUARD)));
            }
            for (Future<Integer> answer : answers) {
                assertEquals(204, Await.result("an answer", answer));
            }
        } finally {
            server.stop(0);
        }
    }

    /** Only the status counts. */
    @Test
    void bodyWithoutAnEndIsNotRead() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        HttpServer server = plain();
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[8192]);
                }
            } catch (IOException ignored) {
                gone.countDown();
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        try (TenantHttp http = resolving(new HttpClientOptions(), "127.0.0.1")) {
            assertEquals(200, post(http, "http://" + HOST + ":" + portOf(server) + "/hook", Await.GUARD));
            Await.opened("the connection is closed", gone);
        } finally {
            server.stop(0);
        }
    }
}
