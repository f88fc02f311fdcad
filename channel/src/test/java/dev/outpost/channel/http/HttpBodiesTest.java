package dev.outpost.channel.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests servers that stop at several places within a body. */
class HttpBodiesTest {
    private static final int LENGTH = 1000;
    private static final Pace SHORT = new Pace(Duration.ofMillis(300), 1);
    private static final Pace LONG = new Pace(Await.GUARD, 1);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch isOver = new CountDownLatch(1);

    @AfterEach
    void close() {
        isOver.countDown();
        client.shutdownNow();
        threads.shutdownNow();
    }

    /** A body that a server sends after the head of its answer, which announces {@link #LENGTH} bytes. */
    private interface Body {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    private HttpRequest serve(Body body) throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        threads.submit(() -> {
            try (server;
                    Socket one = server.accept()) {
                InputStream in = one.getInputStream();
                for (int seen = 0; seen != 4; ) {
                    int next = in.read();
                    seen = next == "\r\n\r\n".charAt(seen) ? seen + 1 : next == '\r' ? 1 : 0;
                }
                one.getOutputStream().write(("HTTP/1.1 200 OK\r\nContent-Length: " + LENGTH + "\r\n\r\n").getBytes());
                body.write(one.getOutputStream());
                isOver.await();
            }
            return null;
        });
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                .build();
    }

    private byte[] read(HttpRequest request, Pace pace) throws IOException, InterruptedException {
        return HttpBodies.send(client, request, HttpResponse.BodyHandlers.ofByteArray(), pace, LENGTH)
                .body();
    }

    @Test
    void aStallBehindTheHeadEnds() throws IOException {
        HttpRequest request = serve(out -> {});
        String message =
                assertThrows(StalledException.class, () -> read(request, SHORT)).getMessage();
        assertEquals("the answer stalled: less than 1 bytes came within 300 ms", message);
    }

    @Test
    void aStallWithinTheBodyEnds() throws IOException {
        HttpRequest request = serve(out -> out.write(new byte[LENGTH - 1]));
        assertThrows(StalledException.class, () -> read(request, SHORT));
    }

    /** The server sends a byte every 20 ms: this is progress, but slower than 16 KiB a second. */
    @Test
    void aTrickleEndsWhereThePaceIsOne() throws IOException {
        HttpRequest request = serve(out -> {
            while (isOver.getCount() > 0) {
                out.write(0);
                out.flush();
                Thread.sleep(20);
            }
        });
        assertThrows(StalledException.class, () -> read(request, new Pace(Duration.ofMillis(500), 16 << 10)));
    }

    @Test
    void aBodyInPiecesIsRead() throws Exception {
        HttpRequest request = serve(out -> {
            for (int piece = 0; piece < 10; piece++) {
                out.write(new byte[LENGTH / 10]);
                out.flush();
                Thread.sleep(10);
            }
        });
        assertArrayEquals(new byte[LENGTH], read(request, LONG));
    }

    @Test
    void aStreamThatStallsFailsItsReader() throws Exception {
        HttpRequest request = serve(out -> out.write(new byte[10]));
        try (InputStream body = HttpBodies.send(
                        client, request, HttpResponse.BodyHandlers.ofInputStream(), SHORT, LENGTH)
                .body()) {
            IOException failed = assertThrows(IOException.class, body::readAllBytes);
            assertTrue(failed.toString().contains("the answer stalled"), failed::toString);
        }
    }

    @Test
    void aStreamThatTricklesFailsItsReader() throws Exception {
        HttpRequest request = serve(out -> {
            while (isOver.getCount() > 0) {
                out.write(0);
                out.flush();
                Thread.sleep(20);
            }
        });
        Pace pace = new Pace(Duration.ofMillis(500), 16 << 10);
        try (InputStream body = HttpBodies.send(
                        client, request, HttpResponse.BodyHandlers.ofInputStream(), pace, LENGTH)
                .body()) {
            IOException failed = assertThrows(IOException.class, body::readAllBytes);
            assertTrue(failed.toString().contains("the answer stalled"), failed::toString);
        }
    }

    /** The reader pauses, not the server. */
    @Test
    void aReaderThatPausesIsNoStall() throws Exception {
        HttpRequest request = serve(out -> out.write(new byte[LENGTH]));
        try (InputStream body = HttpBodies.send(
                        client, request, HttpResponse.BodyHandlers.ofInputStream(), SHORT, LENGTH)
                .body()) {
            assertEquals(0, body.read());
            Thread.sleep(SHORT.time().multipliedBy(3));
            assertEquals(LENGTH - 1, body.readAllBytes().length);
        }
    }

    @Test
    void anAnswerThatIsTooLongIsRefused() throws IOException {
        HttpRequest request = serve(out -> out.write(new byte[LENGTH]));
        String message = assertThrows(
                        TooLongException.class,
                        () -> HttpBodies.send(
                                client, request, HttpResponse.BodyHandlers.ofByteArray(), LONG, LENGTH - 1))
                .getMessage();
        assertTrue(message.contains("longer than the 999 bytes"), message);
    }

    @Test
    void anInterruptEndsAtOnce() throws Exception {
        CountDownLatch isSent = new CountDownLatch(1);
        HttpRequest request = serve(out -> {
            out.write(new byte[10]);
            out.flush();
            isSent.countDown();
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                read(request, LONG);
                ended.complete(null);
            } catch (IOException | InterruptedException failure) {
                ended.complete(failure);
            }
        });
        Await.opened("the server has sent a part", isSent);
        reader.interrupt();
        assertTrue(ended.get() instanceof InterruptedException);
    }

    @Test
    void closingTheClientEndsAtOnce() throws Exception {
        CountDownLatch isSent = new CountDownLatch(1);
        HttpRequest request = serve(out -> {
            out.write(new byte[10]);
            out.flush();
            isSent.countDown();
        });
        Future<byte[]> reading = threads.submit(() -> read(request, LONG));
        Await.opened("the server has sent a part", isSent);
        client.shutdownNow();
        assertTrue(assertThrows(ExecutionException.class, reading::get).getCause() instanceof IOException);
    }
}
