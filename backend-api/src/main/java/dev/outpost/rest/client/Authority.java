package dev.outpost.rest.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The authorities in a PEM file. Only one of them may have issued the certificate of a backend. */
final class Authority {
    private Authority() {}

    /** @throws IllegalArgumentException if the file cannot be read or holds no certificates; the message names it */
    static SSLContext context(Path file) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates(file)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try {
            byte[] pem = Files.readAllBytes(file);
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (found.isEmpty()) {
                throw refused(file, "holds no certificate", null);
            }
            return found;
        } catch (IOException failure) {
            throw refused(file, "cannot be read", failure);
        } catch (CertificateException failure) {
            throw refused(file, "holds something else than certificates in PEM", failure);
        }
    }

    private static IllegalArgumentException refused(Path file, String why, @Nullable Exception cause) {
        return new IllegalArgumentException(BackendAccess.AUTHORITY_VARIABLE + ": " + file + " " + why, cause);
    }
}
