package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.restassured.http.ContentType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that say nothing, little or too much, beside a client that behaves. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionLimitsTest {
    private static ServingProcess start(String... variables) {
        return ServingProcess.start(List.of(variables), "--model", "text=" + TestModels.text());
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
        } catch (SocketException reset) {
            return true;
        }
    }

    private static void assertServes(ServingProcess server) {
        given().baseUri(server.root()).get("/v1/models").then().statusCode(200);
        given().baseUri(server.root()).get("/health/ready").then().statusCode(200);
    }

    @Test
    void connectionsThatSayLittleKeepNobodyOut() throws IOException {
        try (ServingProcess server = start()) {
            List<Socket> held = new ArrayList<>();
            for (int count = 0; count < 600; count++) {
                held.add(send(server, "G"));
                if (count % 100 == 99) {
                    assertServes(server);
                }
            }
            // The oldest gave way to newer ones of the address.
            assertTrue(isClosed(held.getFirst()));
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void headsAndBodiesThatMakeNoProgressEnd() throws IOException {
        try (ServingProcess server =
                start("OUTPOST_SERVING_CONNECTIONS_HEAD_TIMEOUT=1s", "OUTPOST_SERVING_CONNECTIONS_BODY_TIMEOUT=1s")) {
            try (Socket silent = send(server, "");
                    Socket head = send(server, "POST /v1/completions HTTP/1.1\r\nHost: x\r\n");
                    Socket body = send(
                            server,
                            "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 1000\r\n\r\n{\"model\": ");
                    Socket chunks = send(
                            server,
                            "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"mod\r\n")) {
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

    /** Each ends in its own way, and the log has no stack of any. */
    @Test
    void hostileRequestsLeaveNoStackInTheLog() throws IOException {
        try (ServingProcess server = start()) {
            String post = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
            List<String> hostile = List.of(
                    "nonsense\r\n\r\n",
                    "GET / HTTP/9.9\r\n\r\n",
                    "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                    post + "Content-Length: 5\r\n\r\n{}",
                    post + "Content-Length: -5\r\n\r\n{}",
                    post + "Content-Length: x\r\n\r\n{}",
                    post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                    post + "Transfer-Encoding: chunked\r\n\r\n900000\r\n" + "x".repeat(0x900000) + "\r\n0\r\n\r\n",
                    post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                    post + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
                    post + "Content-Length: 99999999\r\n\r\n{",
                    stream("x"),
                    post + "Content-Length: 2\r\nConnection: close\r\n\r\n[]");
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
        } catch (IOException ended) {
            // Reset, or no answer yet.
        }
        return socket;
    }
}
