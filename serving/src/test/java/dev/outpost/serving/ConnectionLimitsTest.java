package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.restassured.http.ContentType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests connections that send nothing, little or too much, beside a correct client. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionLimitsTest {
    private static final String POST = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    private static final String HALF_BODY = POST + "Content-Length: 1000\r\n\r\n{";
    private static final String HALF_CHUNKS = POST + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"mod\r\n";

    private static ServingProcess start(String... variables) {
        return ServingProcess.start(List.of(variables), "--model", "text=" + TestModels.text());
    }

    /** The servers that several tests use, by their variables. */
    private static final Map<List<String>, ServingProcess> SERVERS = new HashMap<>();

    private static ServingProcess shared(String... variables) {
        return SERVERS.computeIfAbsent(List.of(variables), ignored -> start(variables));
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(ServingProcess::close);
    }

    /** Only the time of bodies ends a connection soon. */
    private static ServingProcess withShortBodies() {
        return shared(
                "OUTPOST_SERVING_CONNECTIONS_BODY_TIMEOUT=2s",
                "OUTPOST_SERVING_CONNECTIONS_HEAD_TIMEOUT=10m",
                "OUTPOST_SERVING_CONNECTIONS_IDLE_TIMEOUT=10m");
    }

    private static Socket send(ServingProcess server, String text) throws IOException {
        URI root = URI.create(server.root());
        Socket socket = new Socket(root.getHost(), root.getPort());
        socket.setSoTimeout((int) Await.GUARD.toMillis());
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException ignored) {
            return true;
        }
    }

    private static void assertServes(ServingProcess server) {
        given().baseUri(server.root()).get("/v1/models").then().statusCode(200);
        given().baseUri(server.root()).get("/health/ready").then().statusCode(200);
    }

    @Test
    void connectionsThatSayLittleKeepNobodyOut() throws IOException {
        ServingProcess server = shared();
        List<Socket> held = new ArrayList<>();
        for (int count = 0; count < 600; count++) {
            held.add(send(server, "G"));
            if (count % 100 == 99) {
                assertServes(server);
            }
        }
        // The oldest connection was closed for newer ones of the address.
        assertTrue(isClosed(held.getFirst()));
        for (Socket socket : held) {
            socket.close();
        }
    }

    /** Tests bodies that do not end, also in chunks, beside a text that is being generated and correct clients. */
    @Test
    void halfBodiesKeepNobodyOut() throws IOException {
        ServingProcess server = shared();
        try (Socket writing = send(server, stream("192.0.2.1"))) {
            assertEquals("HTTP/1.1 200 OK", firstLine(writing));
            List<Socket> held = new ArrayList<>();
            for (int count = 0; count < 600; count++) {
                held.add(send(server, count % 2 == 0 ? HALF_BODY : HALF_CHUNKS));
                if (count % 100 == 99) {
                    assertServes(server);
                    given().baseUri(server.root())
                            .contentType(ContentType.JSON)
                            .body("{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 1}")
                            .post("/v1/completions")
                            .then()
                            .statusCode(200);
                }
            }
            assertTrue(isClosed(held.getFirst()));
            assertFalse(isClosed(writing));
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void slowBodiesEnd() throws IOException, InterruptedException {
        ServingProcess server = withShortBodies();
        try (Socket slow = send(server, HALF_BODY);
                Socket slowChunks = send(server, HALF_CHUNKS)) {
            assertTrue(endsWhileSending(slow, "x".getBytes(StandardCharsets.US_ASCII)));
            assertTrue(endsWhileSending(slowChunks, "1\r\nx\r\n".getBytes(StandardCharsets.US_ASCII)));
            assertServes(server);
        }
    }

    /** An HTTP/2 stream with headers and no data, on a connection that is never idle. */
    @Test
    void streamsWithoutDataEnd() throws IOException, InterruptedException {
        byte[] path = "/v1/completions".getBytes(StandardCharsets.US_ASCII);
        byte[] type = "application/json".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer headers = ByteBuffer.allocate(64)
                .put(new byte[] {(byte) 0x83, (byte) 0x86, 0x04, (byte) path.length})
                .put(path)
                .put(new byte[] {0x01, 0x01, 'x', 0x0F, 0x10, (byte) type.length})
                .put(type)
                .flip();
        byte[] block = new byte[headers.remaining()];
        headers.get(block);
        ServingProcess server = withShortBodies();
        try (Socket socket = send(server, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
            socket.getOutputStream().write(frame(4, 0, 0, new byte[0]));
            socket.getOutputStream().write(frame(4, 1, 0, new byte[0]));
            socket.getOutputStream().write(frame(1, 4, 1, block));
            long begun = System.nanoTime();
            assertTrue(endsWhileSending(socket, frame(6, 0, 0, new byte[8])));
            // The connection must not end at once: that would mean that the server refused the frames.
            assertTrue(System.nanoTime() - begun > Duration.ofSeconds(1).toNanos());
            assertServes(server);
        }
    }

    private static byte[] frame(int type, int flags, int stream, byte[] content) {
        return ByteBuffer.allocate(9 + content.length)
                .put((byte) 0)
                .putShort((short) content.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array();
    }

    /** Returns true if the server closes the connection although the client sends bytes five times a second. */
    private static boolean endsWhileSending(Socket socket, byte[] piece) throws InterruptedException {
        for (int count = 0; count < 300; count++) {
            try {
                socket.getOutputStream().write(piece);
            } catch (IOException ignored) {
                return true;
            }
            Thread.sleep(200);
        }
        return false;
    }

    @Test
    void forwardedAddressesOfAllLinesCount() throws IOException {
        try (ServingProcess server = start(
                "OUTPOST_SERVING_CONNECTIONS_TRUSTED_PROXIES=127.0.0.0/8",
                "OUTPOST_SERVING_CONNECTIONS_PER_ADDRESS=1")) {
            String madeUp = "192.0.2.%d\r\nX-Forwarded-For: 192.0.2.1:4711";
            try (Socket first = send(server, stream(madeUp.formatted(7)))) {
                assertEquals("HTTP/1.1 200 OK", firstLine(first));
                try (Socket second = send(server, stream(madeUp.formatted(8)))) {
                    assertEquals("HTTP/1.1 429 Too Many Requests", firstLine(second));
                }
            }
        }
    }

    @Test
    void headsAndBodiesThatMakeNoProgressEnd() throws IOException {
        try (ServingProcess server =
                start("OUTPOST_SERVING_CONNECTIONS_HEAD_TIMEOUT=1s", "OUTPOST_SERVING_CONNECTIONS_BODY_TIMEOUT=1s")) {
            try (Socket silent = send(server, "");
                    Socket head = send(server, "POST /v1/completions HTTP/1.1\r\nHost: x\r\n");
                    Socket body = send(server, HALF_BODY);
                    Socket chunks = send(server, HALF_CHUNKS)) {
                for (Socket socket : List.of(silent, head, body, chunks)) {
                    while (!isClosed(socket)) {
                        // An answer may come first.
                    }
                }
            }
            assertServes(server);
            assertEquals("", problems(server.log()));
        }
    }

    private static String problems(String log) {
        return String.join(
                "\n",
                log.lines()
                        .filter(line -> line.contains(" ERROR ")
                                || line.contains("already been written")
                                || line.startsWith("\tat "))
                        .toList());
    }

    @Test
    void twoHundredClientsBehindOneRelayAreServed() throws IOException {
        try (ServingProcess server = start(
                "OUTPOST_SERVING_CONNECTIONS_TRUSTED_PROXIES=127.0.0.0/8",
                "OUTPOST_SERVING_CONNECTIONS_PER_ADDRESS=2")) {
            List<Socket> clients = new ArrayList<>();
            for (int client = 0; client < 200; client++) {
                clients.add(send(
                        server,
                        "GET /v1/models HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2." + client + "\r\n\r\n"));
            }
            for (Socket client : clients) {
                assertEquals("HTTP/1.1 200 OK", firstLine(client));
            }
            List<Socket> streams = new ArrayList<>();
            for (int stream = 0; stream < 2; stream++) {
                streams.add(send(server, stream("192.0.2.1")));
                assertEquals("HTTP/1.1 200 OK", firstLine(streams.get(stream)));
            }
            try (Socket refused = send(server, stream("192.0.2.1"));
                    Socket other = send(server, stream("192.0.2.2"))) {
                assertEquals("HTTP/1.1 429 Too Many Requests", firstLine(refused));
                assertEquals("HTTP/1.1 200 OK", firstLine(other));
            }
            for (Socket socket : clients) {
                socket.close();
            }
            for (Socket socket : streams) {
                socket.close();
            }
        }
    }

    private static String stream(String address) {
        return "POST /v1/completions HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + address
                + "\r\nContent-Type: application/json\r\nContent-Length: " + HttpTest.LONG_STREAM.length() + "\r\n\r\n"
                + HttpTest.LONG_STREAM;
    }

    @Test
    void whatIsTooLargeIsRefusedInTheFormOfTheApi() {
        given().baseUri(ServingProcess.shared().root())
                .contentType(ContentType.JSON)
                .body("{\"prompt\": \"" + "x".repeat(9 << 20) + "\"}")
                .post("/v1/completions")
                .then()
                .statusCode(413)
                .body("error.type", equalTo("invalid_request_error"))
                .body("error.message", containsString("at most 8388608 are read"));
        given().baseUri(ServingProcess.shared().root())
                .header("X-Long", "x".repeat(20_000))
                .get("/v1/models")
                .then()
                .statusCode(431)
                .body("error.type", equalTo("invalid_request_error"));
    }

    /** Otherwise it could continue for as long as it sends bytes. */
    @Test
    void aRefusedBodyWithoutEndEndsItsConnection() throws IOException {
        byte[] chunk = ("100000\r\n" + "x".repeat(0x100000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (Socket endless = send(ServingProcess.shared(), POST + "Transfer-Encoding: chunked\r\n\r\n")) {
            assertThrows(IOException.class, () -> {
                for (int count = 0; count < 1_000; count++) {
                    endless.getOutputStream().write(chunk);
                }
            });
        }
        assertServes(ServingProcess.shared());
    }

    /** The connections end in different ways, and none of them writes a stack trace to the log. */
    @Test
    void hostileRequestsLeaveNoStackInTheLog() throws IOException {
        try (ServingProcess server = start()) {
            List<String> hostile = List.of(
                    "nonsense\r\n\r\n",
                    "GET / HTTP/9.9\r\n\r\n",
                    "GET / HTTP/1.1\r\n\r\n",
                    "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                    POST + "Content-Length: 5\r\n\r\n{}",
                    POST + "Content-Length: -5\r\n\r\n{}",
                    POST + "Content-Length: x\r\n\r\n{}",
                    POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                    POST + "Transfer-Encoding: chunked\r\n\r\n900000\r\n" + "x".repeat(0x900000) + "\r\n0\r\n\r\n",
                    POST + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                    POST + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
                    POST + "Content-Length: 99999999\r\n\r\n{",
                    stream("x"),
                    POST + "Content-Length: 2\r\nConnection: close\r\n\r\n[]");
            for (String request : hostile) {
                for (boolean isReset : new boolean[] {false, true}) {
                    Socket socket = tryToSend(server, request);
                    if (isReset) {
                        socket.setSoLinger(true, 0);
                    }
                    socket.close();
                }
            }
            assertServes(server);
            HttpTest.awaitIdle(server);
            assertEquals("", problems(server.log()));
        }
    }

    /** The server may close the connection while the request is sent. */
    private static Socket tryToSend(ServingProcess server, String request) throws IOException {
        Socket socket = send(server, "");
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(200);
            socket.getInputStream().read();
        } catch (IOException ignored) {
            // Reset, or no answer yet.
        }
        return socket;
    }
}
