package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are not HTTP/1.1 are refused without a server error. */
class MalformedRequestsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/machines HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET /v1/machines HTTP/9.9\r\nConnection: close\r\n\r\n"
            })
    void aRequestWithoutAnAuthorityIsRefusedWithoutAnErrorInTheLog(String request) throws IOException {
        BackendProcess backend = BackendProcess.shared();
        int before = backend.log().length();
        URI address = URI.create(backend.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) Await.GUARD.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // The answer has the version of the request.
            assertTrue(answer.matches("(?s)HTTP/\\S+ 400 .*"), answer);
            assertTrue(answer.contains("application/problem+json"), answer);
        }
        String log = backend.log().substring(before);
        assertFalse(log.contains("QuarkusErrorHandler"), log);
        assertEquals(200, Tenant.operator(backend).get("/v1/machines").extract().statusCode());
    }
}
