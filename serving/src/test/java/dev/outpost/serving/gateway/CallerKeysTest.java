package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.provider.outpost.BackendAccess;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many callers come at once with one key that the gateway does not know yet. */
class CallerKeysTest {
    private static final String KEY = "op_0123456789_" + "x".repeat(43);
    private static final int CALLERS = 50;

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();
    private int status = 200;
    private HttpServer backend;
    private CallerKeys keys;

    @BeforeEach
    void start() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        backend.createContext("/", this::answer);
        backend.start();
        URI address = URI.create("http://127.0.0.1:" + backend.getAddress().getPort());
        keys = new CallerKeys(
                TestModels.config(Map.of("gateway", "true")),
                new UnknownKeys(System::nanoTime),
                new BackendClient(new BackendAccess(address, KEY, Optional.empty())));
    }

    @AfterEach
    void end() {
        answer.countDown();
        backend.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        asked.incrementAndGet();
        try {
            answer.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        byte[] said = (status == 200
                        ? "{\"keyId\": \"a\", \"billed\": \"default\"}"
                        : "{\"code\": \"forbidden\", \"message\": \"no\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private void callAll() throws Exception {
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            callers.add(Thread.ofPlatform().start(this::call));
        }
        Await.until(
                "one asks and the others wait",
                () -> asked.get() >= 1
                        && callers.stream()
                                .allMatch(caller -> caller.getState() == Thread.State.BLOCKED
                                        || caller.getState() == Thread.State.WAITING
                                        || caller.getState() == Thread.State.TIMED_WAITING));
        answer.countDown();
        for (Thread caller : callers) {
            Await.ended("the caller has its answer", caller);
        }
    }

    private void call() {
        try {
            outcomes.add(keys.find(KEY, "192.0.2.1").orElseThrow().id());
        } catch (UnavailableException away) {
            outcomes.add("away");
        }
    }

    @Test
    void oneOfManyCallersAsksForAll() throws Exception {
        callAll();
        assertEquals(CALLERS, outcomes.stream().filter("a"::equals).count());
        assertEquals(1, asked.get());
    }

    /** Or each would wait for its own question, one behind the other. */
    @Test
    void callersThatWaitedForAnAnswerThatDidNotComeAskNoMore() throws Exception {
        status = 403;
        callAll();
        assertEquals(CALLERS, outcomes.stream().filter("away"::equals).count());
        assertTrue(asked.get() < CALLERS / 2, () -> asked + " questions");
    }
}
