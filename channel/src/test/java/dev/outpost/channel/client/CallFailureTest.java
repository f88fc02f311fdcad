package dev.outpost.channel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.outpost.channel.AccessRefusedException;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.crypto.AEADBadTagException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class CallFailureTest {
    private static final String PIPELINE =
            "\nChannel Pipeline: [SslHandler#0, ProtocolNegotiators$ClientTlsHandler#0, DefaultChannelPipeline$TailContext#0]";

    private static IOException of(String description, Throwable cause) {
        return CallFailure.of(
                "host:1", Status.UNAVAILABLE.withDescription(description).withCause(cause));
    }

    private static void assertPasses(IOException failure, String message) {
        assertEquals(message, failure.getMessage());
        assertFalse(failure instanceof AccessRefusedException, failure::toString);
    }

    @Test
    void handlersOfNettyAreNotShown() {
        assertPasses(of("io exception" + PIPELINE, null), "host:1 cannot be reached: io exception");
        assertPasses(
                of("io exception" + PIPELINE, new ClosedChannelException()),
                "host:1 cannot be reached: the connection was closed before the machine had answered");
    }

    @Test
    void callsOfTheOperatingSystemAreNotShown() {
        assertPasses(
                of(
                        "io exception",
                        new IOException(
                                "finishConnect(..) failed with error(-110): Connection timed out: /10.0.0.7:50051")),
                "host:1 cannot be reached: Connection timed out");
        assertPasses(
                of(
                        "io exception",
                        new IOException("finishConnect(..) failed: Connection refused: host/10.0.0.7:50051")),
                "host:1 cannot be reached: Connection refused");
        assertPasses(
                of(
                        "io exception",
                        new IOException("recvAddress(..) failed with error(-104): Connection reset by peer")),
                "host:1 cannot be reached: Connection reset by peer");
    }

    @Test
    void certificateOfAnotherMachineIsRefusedForGood() {
        IOException failure = of(
                "io exception",
                new SSLHandshakeException("General OpenSslEngine problem")
                        .initCause(
                                new CertificateException("its certificate has the SHA-256 aa, the token expects bb")));
        assertEquals(
                "host:1 is not the machine that was asked for: its certificate has the SHA-256 aa, the token expects bb",
                failure.getMessage());
        assertInstanceOf(AccessRefusedException.class, failure);
    }

    @Test
    void brokenHandshakePasses() {
        assertPasses(
                of(
                        "io exception" + PIPELINE,
                        new SSLHandshakeException("Connection closed while in handshake")
                                .initCause(new EOFException("end"))),
                "host:1 cannot be reached: Connection closed while in handshake");
        assertPasses(
                of("io exception", new SSLException("bad record", new AEADBadTagException("Tag mismatch"))),
                "host:1 cannot be reached: bad record");
    }

    @Test
    void hostWithoutTlsIsRefusedForGood() {
        assertInstanceOf(
                AccessRefusedException.class, of("io exception", new NotSslRecordException("not an SSL/TLS record")));
    }
}
