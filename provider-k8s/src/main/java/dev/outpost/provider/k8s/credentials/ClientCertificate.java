package dev.outpost.provider.k8s.credentials;

import dev.outpost.provider.k8s.keys.PrivateKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Makes TLS key managers from a client's certificate and key in PEM. The client library itself supports fewer kinds of keys. */
final class ClientCertificate {
    private static final char[] NO_PASSWORD = {};

    private ClientCertificate() {}

    /**
     * @param certificate the client's certificate, with its chain
     * @throws IllegalArgumentException if one of them cannot be read; the message names the field
     */
    static KeyManager[] keyManagers(PemField certificate, PemField key) {
        Certificate[] chain = certificates(certificate).toArray(Certificate[]::new);
        PrivateKey secret = key.read(PrivateKeys::read);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("client", secret, NO_PASSWORD, chain);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, NO_PASSWORD);
            return managers.getKeyManagers();
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalArgumentException(
                    key.name() + ": the key cannot be used: " + failure.getMessage(), failure);
        }
    }

    /**
     * @throws IllegalArgumentException if the field has no certificate, or one that cannot be read; the message names
     *     the field
     */
    static Collection<? extends Certificate> certificates(PemField field) {
        return field.read(pem -> {
            try {
                Collection<? extends Certificate> all = CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
                if (all.isEmpty()) {
                    throw new IllegalArgumentException("expected certificates in PEM, got none");
                }
                return all;
            } catch (CertificateException failure) {
                throw new IllegalArgumentException(
                        "expected certificates in PEM, got others: " + failure.getMessage(), failure);
            }
        });
    }
}
