package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Instant;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class CertificateFailureTest {
    private static final Instant NOW = Instant.parse("2026-01-05T09:00:00Z");

    @Test
    void refusedPathIsFoundBelowTheHandshake() {
        assertEquals(
                Optional.of("no path to an anchor"),
                in(handshake(
                        new CertificateException("path", new CertPathValidatorException("no path to an anchor")))));
    }

    @Test
    void refusedNameIsFoundBelowTheHandshake() {
        assertEquals(
                Optional.of("No subject alternative DNS name matching gpu.example.org found."),
                in(new IOException(handshake(
                        new CertificateException("No subject alternative DNS name matching gpu.example.org found.")))));
    }

    @Test
    void certificateThatIsRefusedForItsDatesTellsTheClock() {
        assertEquals(
                Optional.of("its certificate is not yet valid (NotBefore: 10:00); the clock of this host says "
                        + "2026-01-05T09:00:00Z"),
                in(handshake(new CertificateException(
                        "path",
                        new CertPathValidatorException(
                                "timestamp check failed", new CertificateNotYetValidException("NotBefore: 10:00"))))));
    }

    @Test
    void otherFailuresOfAHandshakeAreNone() {
        assertEquals(Optional.empty(), in(handshake(new EOFException("SSL peer shut down incorrectly"))));
        assertEquals(Optional.empty(), in(new SSLHandshakeException("Received fatal alert: handshake_failure")));
        assertEquals(Optional.empty(), in(new SSLException("Tag mismatch", new AEADBadTagException("Tag mismatch"))));
        assertEquals(Optional.empty(), in(null));
    }

    @Test
    void chainThatBitesItsTailIsSearchedOnce() {
        IOException outer = new IOException("outer");
        outer.initCause(new IOException("inner", outer));
        assertEquals(Optional.empty(), in(outer));
    }

    private static Optional<String> in(Throwable failure) {
        return CertificateFailure.in(failure, () -> NOW);
    }

    private static SSLHandshakeException handshake(Exception cause) {
        SSLHandshakeException failed = new SSLHandshakeException(cause.getMessage());
        failed.initCause(cause);
        return failed;
    }
}
