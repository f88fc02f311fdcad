package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.inference.QueueFullException;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.engine.UnknownModelException;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests callers that request missing deployments to keep the gateway and its backend busy. */
class UnknownNamesTest {
    private static final String NOTHING = "{\"deployments\": [], \"complete\": true}";

    /** Runs an exchange for each permit. */
    private final Semaphore permits = new Semaphore(0);

    private final AtomicInteger exchanges = new AtomicInteger();
    private HttpServer backend;
    private GatewayModels gateway;

    @BeforeEach
    void start() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        backend.createContext("/", this::answer);
        backend.start();
        gateway = new GatewayModels(
                TestModels.config(Map.of("waiting", "2")),
                new ServingMetrics(new SimpleMeterRegistry()),
                new TestRequest());
        URI address = URI.create("http://127.0.0.1:" + backend.getAddress().getPort());
        gateway.start(
                new BackendClient(new BackendAccess(address, "op_0123456789_" + "x".repeat(43), Optional.empty())),
                names -> {});
    }

    @AfterEach
    void end() {
        permits.release(1_000_000);
        gateway.close();
        backend.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        permits.acquireUninterruptibly();
        exchanges.incrementAndGet();
        byte[] said = NOTHING.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private void ask() {
        assertThrows(UnknownModelException.class, () -> gateway.await("none"));
    }

    /** Once each waiting request woke all others, which woke it again, until the backend answered. */
    @Test
    void requestsThatWaitForTheBackendUseNoProcessor() throws Exception {
        List<Thread> waiting = new ArrayList<>();
        List<Long> nanos = new ArrayList<>();
        for (int request = 0; request < 2; request++) {
            waiting.add(Thread.ofPlatform().start(() -> {
                ask();
                synchronized (nanos) {
                    nanos.add(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
                }
            }));
        }
        for (Thread request : waiting) {
            Await.ended("the request is refused when the backend does not answer in time", request);
        }
        assertEquals(2, nanos.size());
        for (long used : nanos) {
            assertTrue(used < Duration.ofMillis(500).toNanos(), () -> "used " + nanos + " ns");
        }
    }

    @Test
    void moreRequestsThanMayWaitAreRefused() throws Exception {
        List<Thread> waiting = List.of(
                Thread.ofPlatform().start(this::ask), Thread.ofPlatform().start(this::ask));
        Await.until(
                "both wait",
                () -> waiting.stream().allMatch(request -> request.getState() == Thread.State.TIMED_WAITING));
        assertThrows(QueueFullException.class, () -> gateway.await("none"));
        permits.release(1_000_000);
        for (Thread request : waiting) {
            Await.ended("the request is answered", request);
        }
    }

    /** A caller that repeats requests would make the gateway use up its rate at the backend. */
    @Test
    void exchangesHaveAPauseWhateverCallersAsk() {
        permits.release(1_000_000);
        long begin = System.nanoTime();
        int before = exchanges.get();
        for (int request = 0; request < 20; request++) {
            ask();
        }
        long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        int done = exchanges.get() - before;
        assertTrue(done <= millis / 20 + 2, () -> done + " exchanges in " + millis + " ms");
    }
}
