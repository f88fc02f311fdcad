package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.outpost.backend.outbound.TenantHttp;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.webhook.DeliveryState;
import dev.outpost.support.tests.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the delivery of events to a receiver. */
class WebhooksTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final Vertx VERTX = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    @AfterAll
    static void closeVertx() {
        VERTX.close();
    }

    private record Received(String id, String timestamp, String signature, String body) {}

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final SealKeys seals = new SealKeys(SealKeys.draw(new SecureRandom()), new SecureRandom());
    private final TenantHttp http = new TenantHttp(VERTX, PublicAddresses.allowing("127.0.0.0/8"));
    private final Webhooks webhooks = new Webhooks(test.database(), seals, http);
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private HttpServer receiver;

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(new Received(
                    exchange.getRequestHeaders().getFirst("webhook-id"),
                    exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                    exchange.getRequestHeaders().getFirst("webhook-signature"),
                    body));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.start();
    }

    @AfterEach
    void close() {
        receiver.stop(0);
        webhooks.close();
        http.close();
        test.close();
    }

    private UUID webhook(Optional<String> project, String... types) {
        return insert("acme", project, "/hook", types);
    }

    private UUID insert(String organisation, Optional<String> project, String path, String... types) {
        UUID id = UUID.randomUUID();
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
        test.database()
                .run(sql -> WebhookRows.insert(
                        sql,
                        new WebhookRows.Stored(
                                id,
                                1,
                                organisation,
                                project,
                                url,
                                List.of(types),
                                seals.seal(WebhookRows.place(id), KEY),
                                false,
                                sql.now())));
        return id;
    }

    /** Sends the events that are due, and waits until all are sent. */
    private void send() {
        webhooks.round();
        try {
            webhooks.awaitIdle();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private void machine() {
        MachineRequestFixtures.create(backend.database, backend.machines, MachineRequestFixtures.of("vision", "A100"));
    }

    private List<WebhookRows.Delivery> deliveries(UUID webhook, DeliveryState state) {
        return test.database()
                .transact(sql -> WebhookRows.deliveries(sql, webhook, Optional.of(state), Long.MAX_VALUE, 100));
    }

    @Test
    void eventIsSentOnceAndSigned() {
        UUID id = webhook(Optional.empty());
        machine();
        send();
        send();
        assertEquals(1, received.size());
        Received one = received.getFirst();
        assertTrue(one.body().contains("\"type\":\"machine.created\""), one.body());
        assertEquals(
                Webhooks.signature(KEY, UUID.fromString(one.id()), Long.parseLong(one.timestamp()), one.body()),
                one.signature());
        assertEquals(1, deliveries(id, DeliveryState.DELIVERED).size());
    }

    @Test
    void signatureCoversIdTimeAndBody() {
        UUID id = new UUID(0, 1);
        // Computed by Python's hmac.
        assertEquals("v1,GrPJQAAvU/NVAeZSPOxs3WsdPhpQzJIFNFCb1Qh7/e0=", Webhooks.signature(KEY, id, 1, "{}"));
        assertTrue(!Webhooks.signature(KEY, id, 1, "{}").equals(Webhooks.signature(KEY, id, 2, "{}")));
        assertTrue(!Webhooks.signature(KEY, id, 1, "{}").equals(Webhooks.signature(KEY, new UUID(0, 2), 1, "{}")));
    }

    @Test
    void webhookHearsOfItsProjectAndItsTypes() {
        webhook(Optional.empty(), "job.");
        webhook(Optional.empty(), "machine.created");
        machine();
        send();
        assertEquals(1, received.size(), received::toString);
    }

    @Test
    void refusedEventIsTriedLaterAndThenKeptAsADeadLetter() {
        UUID id = webhook(Optional.empty());
        status = 500;
        machine();
        for (int i = 0; i < Webhooks.TRIES + 3; i++) {
            send();
            test.advance(Duration.ofHours(5));
        }
        assertEquals(Webhooks.TRIES, received.size());
        assertEquals(1, received.stream().map(Received::id).distinct().count(), "a receiver tells by the id");
        WebhookRows.Delivery dead = deliveries(id, DeliveryState.DEAD).getFirst();
        assertEquals("it answered with status 500", dead.text());

        status = 204;
        test.database().run(sql -> WebhookRows.again(sql, id, dead.id()));
        send();
        assertEquals(1, deliveries(id, DeliveryState.DELIVERED).size());
    }

    @Test
    void receiverThatIsAwayIsToldOfInASentence() {
        UUID id = webhook(Optional.empty());
        receiver.stop(0);
        machine();
        send();
        assertEquals(
                "no connection could be made",
                deliveries(id, DeliveryState.PENDING).getFirst().text());
    }

    @Test
    void failedTryIsNotRepeatedAtOnce() {
        webhook(Optional.empty());
        status = 500;
        machine();
        send();
        send();
        assertEquals(1, received.size());
        test.advance(Duration.ofSeconds(16));
        send();
        assertEquals(2, received.size());
    }

    @Test
    void deliveryOfAKilledReplicaIsDueAgain() {
        webhook(Optional.empty());
        machine();
        test.database().run(sql -> WebhookRows.claim(sql, UUID.randomUUID(), Duration.ofSeconds(60), "acme"));
        send();
        assertEquals(0, received.size());
        test.advance(Duration.ofSeconds(61));
        send();
        assertEquals(1, received.size());
    }

    /** The body of the answer never ends. Only the status counts. */
    @Test
    void endlessBodyHoldsUpNothing() {
        UUID id = webhook(Optional.empty());
        receiver.removeContext("/");
        receiver.createContext("/", exchange -> {
            received.add(new Received("", "", "", ""));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 0);
            byte[] some = new byte[8192];
            try {
                while (true) {
                    exchange.getResponseBody().write(some);
                }
            } catch (IOException ignored) {
                exchange.close();
            }
        });
        machine();
        send();
        assertEquals(1, deliveries(id, DeliveryState.DELIVERED).size());
    }

    /** A receiver that does not answer occupies the lanes of its organisation and no others. */
    @Test
    void receiverThatHangsHoldsUpItsOrganisationAlone() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        receiver.createContext("/hang", exchange -> {
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        try {
            test.database().run(sql -> {
                TenantRows.addOrganisation(sql, "hostile");
                TenantRows.addProject(sql, "hostile", "vision", 0);
            });
            insert("hostile", Optional.empty(), "/hang");
            for (int i = 0; i < 40; i++) {
                enqueueEvent("hostile");
            }
            webhooks.round();
            UUID id = webhook(Optional.empty());
            machine();
            webhooks.round();
            Await.until(
                    "the other organisation's event is delivered",
                    () -> !deliveries(id, DeliveryState.DELIVERED).isEmpty());
        } finally {
            release.countDown();
        }
        webhooks.awaitIdle();
    }

    private void enqueueEvent(String organisation) {
        test.database()
                .run(sql -> WebhookRows.enqueue(
                        sql,
                        WebhookRows.Told.of(
                                organisation, Optional.empty(), "job.ended", sql.now(), "job", "one", "it is over")));
    }

    @Test
    void addressThatOnlyTheBackendReachesIsRefused() throws Exception {
        try (TenantHttp strict = new TenantHttp(VERTX, PublicAddresses.ONLY)) {
            for (String url : List.of(
                    "https://127.0.0.1/x",
                    "https://localhost/x",
                    "https://10.0.0.1/x",
                    "https://169.254.169.254/x",
                    "https://168.63.129.16/x",
                    "https://192.0.0.192/x",
                    "https://0.0.0.1/x",
                    "https://[::1]/x",
                    "https://[64:ff9b::a9fe:a9fe]/x",
                    "https://[fd00::1]/x",
                    "https://100.64.0.1/x",
                    "http://1.1.1.1/x",
                    "file:///etc/passwd",
                    "https://user@1.1.1.1/x")) {
                assertThrows(TenantHttp.RefusedException.class, () -> strict.check(URI.create(url)), url);
            }
            strict.check(URI.create("https://1.1.1.1/x"));
        }
    }

    /** A redirect is not followed, because its target was not checked. */
    @Test
    void redirectIsNotFollowed() {
        UUID id = webhook(Optional.empty());
        receiver.removeContext("/");
        receiver.createContext("/", exchange -> {
            received.add(new Received("", "", "", exchange.getRequestURI().getPath()));
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        machine();
        send();
        assertEquals(List.of("/hook"), received.stream().map(Received::body).toList());
        assertEquals(
                "it answered with status 307",
                deliveries(id, DeliveryState.PENDING).getFirst().text());
    }

    @Test
    void hostIsCheckedWheneverItIsCalled() throws Exception {
        URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
        try (TenantHttp strict = new TenantHttp(VERTX, PublicAddresses.ONLY)) {
            assertThrows(
                    TenantHttp.RefusedException.class,
                    () -> strict.post(url, java.util.Map.of(), "{}", Duration.ofSeconds(10)));
        }
        assertEquals(List.of(), received);
    }
}
