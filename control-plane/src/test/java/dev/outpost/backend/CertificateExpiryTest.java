package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class CertificateExpiryTest {
    private static final String SOONER = """
            -----BEGIN CERTIFICATE-----
            MIIBbjCCAROgAwIBAgIULz3rxtdsBxpVwEkgrKlQunyo8VwwCgYIKoZIzj0EAwIw
            DDEKMAgGA1UEAwwBdDAeFw0yNjExMzAxMDQ1NTJaFw0zNjExMjcxMDQ1NTJaMAwx
            CjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARYSjXVZnHOuaWn
            lzLRkPZfc5swkftAtzymogcWTRawKUCwhLIlO2LvjqZbq2dh6adO1OSp1Nd4yOn8
            0JhpXVVvo1MwUTAdBgNVHQ4EFgQU5Sn/10f4LGqut/WASysvAFYSrngwHwYDVR0j
            BBgwFoAU5Sn/10f4LGqut/WASysvAFYSrngwDwYDVR0TAQH/BAUwAwEB/zAKBggq
            hkjOPQQDAgNJADBGAiEA73PNozPCEibGF+D0RLb7kyIX0p45646znUzUyQTsHyIC
            IQDP4be3ngmz7QfRIOl5TcwZzMSxkcpSFNurUMneCp/vBw==
            -----END CERTIFICATE-----
            """;

    private static final String LATER = """
            -----BEGIN CERTIFICATE-----
            MIIBbTCCAROgAwIBAgIUS4g2rTiYvkEiibsspBRltQTFY0wwCgYIKoZIzj0EAwIw
            DDEKMAgGA1UEAwwBdDAeFw0yNjExMzAxMDQ1NTJaFw00NjExMjUxMDQ1NTJaMAwx
            CjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS/rhWlINyQ3YMz
            tXyfNEB684ULfCbKAtCk9u50EcYShC2Wwv4QNQ6+zXJAH+FrchQ9qSeUbojZAsGX
            I4G47tdoo1MwUTAdBgNVHQ4EFgQU4Al5CQSfLqJHGPtfYGmPXpCieRQwHwYDVR0j
            BBgwFoAU4Al5CQSfLqJHGPtfYGmPXpCieRQwDwYDVR0TAQH/BAUwAwEB/zAKBggq
            hkjOPQQDAgNIADBFAiEAhfplkyc+z3pObTNYSs3K5LRgeh53M9rF9udDivOv9xcC
            IAgn4q9TInysn9t7a2RMVUt9YR1YZv8LplXDTUQV22Fb
            -----END CERTIFICATE-----
            """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("tls.crt"), text);
    }

    @Test
    void theCertificateThatEndsFirstCounts() throws IOException {
        assertEquals(Optional.of(Instant.parse("2046-11-25T10:45:52Z")), CertificateExpiry.of(file(LATER)));
        assertEquals(Optional.of(Instant.parse("2036-11-27T10:45:52Z")), CertificateExpiry.of(file(LATER + SOONER)));
    }

    /** The metric is NaN then; the server has refused such a file already, or reads it in vain as well. */
    @Test
    void aFileThatCannotBeReadHasNoEnd() throws IOException {
        assertEquals(Optional.empty(), CertificateExpiry.of(folder.resolve("missing.crt")));
        assertEquals(Optional.empty(), CertificateExpiry.of(file("")));
        assertEquals(
                Optional.empty(),
                CertificateExpiry.of(file("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")));
    }
}
