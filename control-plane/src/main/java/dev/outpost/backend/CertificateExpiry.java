package dev.outpost.backend;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** The end of the validity of the certificate with which the API is served. */
@Singleton
final class CertificateExpiry {
    private final Optional<Path> file;

    CertificateExpiry(BackendConfig config) {
        this.file = config.tls().certificate();
    }

    /** Returns the time in seconds since 1970; NaN without a certificate. The file is read anew, because it may have been renewed. */
    double seconds() {
        return file.flatMap(CertificateExpiry::of)
                .map(Instant::getEpochSecond)
                .map(Long::doubleValue)
                .orElse(Double.NaN);
    }

    /** Returns the earliest end of the certificates in a PEM file; empty if the file cannot be read. */
    static Optional<Instant> of(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(certificate ->
                            ((X509Certificate) certificate).getNotAfter().toInstant())
                    .min(Comparator.naturalOrder());
        } catch (IOException | CertificateException ignored) {
            return Optional.empty();
        }
    }
}
