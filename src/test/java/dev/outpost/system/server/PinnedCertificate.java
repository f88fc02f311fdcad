package dev.outpost.system.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Fetches the certificate of a port, and accepts it only if it is the one of the token. */
final class PinnedCertificate implements X509TrustManager {
    private final String expected;
    private X509Certificate found;

    private PinnedCertificate(String expected) {
        this.expected = expected;
    }

    static X509Certificate of(RuntimeProcess runtime) {
        PinnedCertificate pinned = new PinnedCertificate(runtime.pin().sha256());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {pinned}, null);
            try (SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", runtime.managementPort())) {
                socket.startHandshake();
            }
            return pinned.found;
        } catch (IOException | GeneralSecurityException failure) {
            throw new AssertionError("the management port does not show the machine's certificate", failure);
        }
    }

    /** Sockets that trust only this certificate. */
    static SSLSocketFactory socketsOf(RuntimeProcess runtime) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    new TrustManager[] {new PinnedCertificate(runtime.pin().sha256())},
                    null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static KeyStore storeOf(RuntimeProcess runtime) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("machine", of(runtime));
            return store;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        found = chain[0];
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(found.getEncoded());
            if (!HexFormat.of().formatHex(hash).equals(expected)) {
                throw new CertificateException("another certificate than the token's");
            }
        } catch (GeneralSecurityException failure) {
            throw new CertificateException(failure);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
