package dev.outpost.backend;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The authority of the certificate that the runners of jobs see, from a file that may be renewed. Thread-safe. */
final class RunnerAuthority {
    private static final Logger LOG = Logger.getLogger(RunnerAuthority.class);
    private static final String SETTING = "OUTPOST_BACKEND_JOBS_AUTHORITY: ";

    private final Path file;
    private volatile String last;

    private RunnerAuthority(Path file) throws IOException {
        this.file = file;
        this.last = read(file);
    }

    /** @throws IOException if the file cannot be read or holds no certificate; the message names it */
    static Optional<RunnerAuthority> of(Optional<Path> file) throws IOException {
        return file.isPresent() ? Optional.of(new RunnerAuthority(file.get())) : Optional.empty();
    }

    /** Returns the file's content, or the last content that was read if it cannot be read now. */
    String pem() {
        try {
            last = read(file);
        } catch (IOException failure) {
            LOG.warn(failure.getMessage());
        }
        return last;
    }

    private static String read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException failure) {
            throw new IOException(SETTING + file + " cannot be read ("
                    + failure.getClass().getSimpleName() + "); put the certificate of the authority there that has"
                    + " issued the backend's, or unset the variable if every JDK knows that authority");
        }
        requireCertificates(file, text);
        return text;
    }

    private static void requireCertificates(Path file, String text) throws IOException {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            if (CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .isEmpty()) {
                throw new IOException(SETTING + file + " holds no certificate in PEM");
            }
        } catch (CertificateException failure) {
            throw new IOException(
                    SETTING + file + " holds something else than certificates in PEM: " + failure.getMessage());
        }
    }
}
