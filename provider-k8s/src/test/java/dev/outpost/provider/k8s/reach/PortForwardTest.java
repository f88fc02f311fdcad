package dev.outpost.provider.k8s.reach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a local port whose WebSockets are never opened. */
class PortForwardTest {
    private static final URI POD = URI.create("http://cluster.test/api/v1/namespaces/test/pods/outpost-1");

    private final AtomicReference<URI> asked = new AtomicReference<>();
    private final AtomicLong now = new AtomicLong();
    private PortForward forward = open(Duration.ofMillis(50));

    @AfterEach
    void close() {
        forward.close();
    }

    /** The next connection is accepted too: the port stays open. */
    @Test
    void aWebSocketThatNeitherComesNorIsRefusedIsGivenUp() throws IOException {
        for (int connection = 0; connection < 3; connection++) {
            asked.set(null);
            try (Socket program = connect()) {
                assertEquals(-1, program.getInputStream().read());
            }
            assertEquals(URI.create(POD + "/portforward?ports=50051"), asked.get());
        }
    }

    @Test
    void connectWaitsWithoutALimit() throws IOException {
        forward.close();
        forward = open(Duration.ZERO);
        try (Socket program = connect()) {
            program.setSoTimeout(200);
            assertThrows(
                    SocketTimeoutException.class, () -> program.getInputStream().read());
        }
    }

    @Test
    void closeCancelsAPendingConnection() throws IOException {
        forward.close();
        forward = open(Duration.ofMinutes(1));
        try (Socket program = connect()) {
            forward.close();
            assertEnds(program);
        }
        Await.until(
                "the port is closed, also in a process that is being started and has a copy of it", this::isRefused);
    }

    private boolean isRefused() {
        try (Socket program = connect()) {
            return false;
        } catch (IOException ignored) {
            return true;
        }
    }

    @Test
    void forwardThatOpensNoConnectionIsCutOffForAsLong() throws IOException {
        assertEquals(Duration.ZERO, forward.cutOff());
        now.addAndGet(Duration.ofSeconds(7).toNanos());
        try (Socket program = connect()) {
            assertEquals(-1, program.getInputStream().read());
        }
        assertEquals(Duration.ofSeconds(7), forward.cutOff());
    }

    /** The connection may be accepted, or still be in the queue of a port that is closed. */
    private static void assertEnds(Socket program) {
        int read;
        try {
            read = program.getInputStream().read();
        } catch (IOException ignored) {
            read = -1;
        }
        assertEquals(-1, read);
    }

    private Socket connect() throws IOException {
        return new Socket(forward.host(), forward.port());
    }

    private PortForward open(Duration connectTimeout) {
        return PortForward.open(silent(), POD, 50051, connectTimeout, now::get);
    }

    /** Never answers. */
    private HttpClient silent() {
        return fake(HttpClient.class, (method, arguments) -> fake(WebSocket.Builder.class, this::answer));
    }

    private Object answer(String method, Object[] arguments) {
        if (method.equals("buildAsync")) {
            return new CompletableFuture<WebSocket>();
        }
        if (method.equals("uri")) {
            asked.set((URI) arguments[0]);
        }
        return fake(WebSocket.Builder.class, this::answer);
    }

    private static <T> T fake(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName(), arguments)));
    }
}
