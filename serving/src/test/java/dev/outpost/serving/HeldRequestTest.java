package dev.outpost.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway holds requests until a replica is ready, but not after their clients have left. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeldRequestTest {
    private static final String KEY = "op_0123456789_" + "x".repeat(43);
    private static final String ORDERS = """
            {"deployments": [{"name": "chat", "project": "default", "wanted": 0, "max": 1, "failures": 0,
              "text": "it starts", "replicas": []}]}""";

    /** The numbers of held requests that the gateway reported. */
    private final LinkedBlockingQueue<Integer> held = new LinkedBlockingQueue<>();

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        boolean isAdmission = exchange.getRequestURI().getPath().endsWith(":admit");
        if (!isAdmission) {
            JsonNode report = JsonMapper.builder().build().readTree(body);
            held.add(report.path("deployments").path(0).path("held").asInt());
        }
        byte[] said =
                (isAdmission ? "{\"keyId\": \"a\", \"billed\": \"default\"}" : ORDERS).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private void awaitHeld(int count) throws InterruptedException {
        Integer said;
        do {
            said = Await.next("the gateway reports that it holds " + count, held);
        } while (said != count);
    }

    @Test
    void aClientThatVanishesIsHeldNoMore() throws Exception {
        HttpServer backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", this::answer);
        backend.start();
        try (ServingProcess gateway = ServingProcess.start(
                List.of("OUTPOST_API=http://127.0.0.1:" + backend.getAddress().getPort(), "OUTPOST_API_KEY=" + KEY),
                "--gateway")) {
            URI api = URI.create(gateway.root());
            try (Socket client = new Socket(api.getHost(), api.getPort())) {
                String body = "{\"model\": \"chat\", \"prompt\": \"x\"}";
                client.getOutputStream()
                        .write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + KEY + "\r\n"
                                        + "Content-Type: application/json\r\nContent-Length: " + body.length()
                                        + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.UTF_8));
                awaitHeld(1);
            }
            awaitHeld(0);
        } finally {
            backend.stop(0);
        }
    }
}
