package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.Lane;
import dev.outpost.channel.Trust;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stranger is refused before a byte of its message is read. */
class SecurityTest {
    private static final String WRONG = "wrong-wrong-wrong-wrong";
    private static final byte TLS_ALERT = 21;

    private static RuntimeProcess runtime;
    private static ManagementClient management;

    @BeforeAll
    static void connect() {
        runtime = RuntimeProcess.shared();
        management = ManagementClient.of(runtime);
    }

    @Test
    @Tag("quick")
    void aCallWithoutATokenIsRefused() {
        Status status = refusedCall(new Metadata());
        assertEquals(Status.Code.UNAUTHENTICATED, status.getCode());
        assertEquals("the machine requires its token, but none was sent", status.getDescription());
    }

    @Test
    void aCallWithAnotherTokenIsRefused() {
        Status status = refusedCall(RawConnection.headers(UUID.randomUUID().toString(), WRONG));
        assertEquals(Status.Code.UNAUTHENTICATED, status.getCode());
        assertEquals("the token is not valid for this machine, or no longer valid", status.getDescription());
    }

    @Test
    void aCallWithThePinAsWellIsRefused() {
        Metadata headers = RawConnection.headers(UUID.randomUUID().toString(), runtime.token());
        assertEquals(Status.Code.UNAUTHENTICATED, refusedCall(headers).getCode());
    }

    @Test
    void aClientWithAnotherTokenIsToldAtOnce() {
        Endpoint.Remote right = runtime.remote();
        OutpostException refused = refusedClient(new Endpoint.Remote(right.host(), right.port(), right.trust(), WRONG));
        assertEquals(FaultKind.USER, refused.kind());
        assertEquals(
                "endpoint-any: " + "127.0.0.1:" + runtime.port()
                        + ": the token is not valid for this machine, or no longer valid",
                PlainNames.in(refused.getMessage()));
    }

    @Test
    void aMachineWithAnotherCertificateHearsNothing() {
        String wrong = "0".repeat(64);
        double refusedBefore = management.refused("token");
        Endpoint.Remote right = runtime.remote();
        OutpostException refused =
                refusedClient(new Endpoint.Remote(right.host(), right.port(), new Trust.Pin(wrong), right.token()));
        assertEquals(FaultKind.USER, refused.kind());
        assertEquals(
                "endpoint-any: 127.0.0.1:" + runtime.port() + " is not the machine that was asked for: "
                        + "its certificate has the SHA-256 " + runtime.pin().sha256() + ", the token expects " + wrong,
                PlainNames.in(refused.getMessage()));
        assertEquals(refusedBefore, management.refused("token"));
    }

    @Test
    void plainTextIsRefusedByTheSessionPort() throws IOException {
        assertOnlyAnAlertAnswers(runtime.port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        ManagedChannel plain = RawChannel.plainTo(runtime);
        Metadata headers = RawConnection.headers(UUID.randomUUID().toString(), runtime.secret());
        try {
            RawLane lane = RawLane.start(plain, RuntimeCalls.of(Lane.CONTROL), headers);
            assertEquals(Status.Code.UNAVAILABLE, lane.awaitEnd().getCode());
        } finally {
            plain.shutdownNow();
        }
    }

    @Test
    void plainTextIsRefusedByTheManagementPort() throws IOException {
        assertOnlyAnAlertAnswers(runtime.managementPort(), "GET /info HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    @Test
    void oldTlsIsRefused() throws IOException {
        for (int port : new int[] {runtime.port(), runtime.managementPort()}) {
            byte[] answer = answer(port, OldTls.hello());
            assertEquals(TLS_ALERT, answer[0], "port " + port);
            assertEquals(OldTls.PROTOCOL_VERSION, answer[answer.length - 1], "port " + port);
        }
    }

    @Test
    void restWantsTheTokenWhereItTellsOfSessions() {
        for (String path : new String[] {"/stats", "/sessions", "/sessions/1"}) {
            double before = management.refused("token");
            management.anonymous().get(path).then().statusCode(401).header("WWW-Authenticate", "Bearer");
            management.bearing(WRONG).get(path).then().statusCode(401);
            management
                    .anonymous()
                    .header("Authorization", runtime.secret())
                    .get(path)
                    .then()
                    .statusCode(401);
            assertEquals(before + 3, management.refused("token"), path);
        }
    }

    @Test
    void secretsAppearNowhereButInTheLineThatAnnouncesThem() {
        refusedCall(RawConnection.headers(UUID.randomUUID().toString(), WRONG));
        for (String path : new String[] {"/info", "/q/health", "/q/metrics", "/q/openapi"}) {
            assertSilent(path, management.anonymous().get(path).asString());
        }
        for (String path : new String[] {"/stats", "/sessions"}) {
            assertSilent(path, management.owner().get(path).asString());
        }
        assertSilent("standard error", runtime.errors());
        runtime.output().stream()
                .filter(line -> !line.startsWith("token "))
                .forEach(line -> assertSilent("standard output", line));
    }

    private static void assertSilent(String where, String text) {
        assertFalse(text.contains(runtime.secret()), () -> where + " tells the token");
        assertFalse(text.contains(WRONG), () -> where + " repeats what was said in place of the token");
        assertFalse(text.contains("PRIVATE KEY"), () -> where + " tells the key");
    }

    /** Returns the status of a call with a message; the message is not read and nothing is opened. */
    private static Status refusedCall(Metadata headers) {
        double refusedBefore = management.refused("token");
        double openBefore = management.openSessions();
        long readBefore = management.stats().getLong("work.traffic.in.CONTROL");
        ManagedChannel channel = RawChannel.to(runtime);
        try {
            RawLane lane = RawLane.start(channel, RuntimeCalls.of(Lane.CONTROL), headers);
            lane.send(RawConnection.helloFrame(UUID.randomUUID(), false, RawConnection.NOTHING));
            Status status = lane.awaitEnd();
            assertEquals(refusedBefore + 1, management.refused("token"));
            assertEquals(openBefore, management.openSessions());
            assertEquals(readBefore, management.stats().getLong("work.traffic.in.CONTROL"));
            return status;
        } finally {
            channel.shutdownNow();
        }
    }

    private static OutpostException refusedClient(Endpoint endpoint) {
        int openBefore = management.openSessions();
        RemoteMachine machine = RemoteMachine.connect(endpoint, new MachineOptions());
        OutpostException refused = assertThrows(OutpostException.class, machine::awaitReady);
        machine.close();
        assertEquals(openBefore, management.openSessions());
        return refused;
    }

    private static void assertOnlyAnAlertAnswers(int port, String text) throws IOException {
        byte[] answer = answer(port, text.getBytes(StandardCharsets.US_ASCII));
        assertTrue(answer.length == 0 || answer[0] == TLS_ALERT, () -> new String(answer, StandardCharsets.US_ASCII));
    }

    /** All bytes that a port answers until it closes the connection. */
    private static byte[] answer(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream().write(bytes);
            return socket.getInputStream().readAllBytes();
        }
    }
}
