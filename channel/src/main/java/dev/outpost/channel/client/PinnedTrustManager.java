package dev.outpost.channel.client;

import dev.outpost.channel.Trust;
import dev.outpost.channel.grant.Secrets;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly one certificate, regardless of its names and dates. The handshake proves that the machine holds its key, and the hash
 * proves that it is the intended machine.
 */
public final class PinnedTrustManager extends X509ExtendedTrustManager {
    private final byte[] expected;

    public PinnedTrustManager(Trust.Pin pin) {
        this.expected = HexFormat.of().parseHex(pin.sha256());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw noClients();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        byte[] actual = sha256(chain[0]);
        if (!MessageDigest.isEqual(expected, actual)) {
            throw new CertificateException("its certificate has the SHA-256 "
                    + HexFormat.of().formatHex(actual) + ", the token expects "
                    + HexFormat.of().formatHex(expected));
        }
    }

    private static byte[] sha256(X509Certificate certificate) throws CertificateException {
        return Secrets.sha256(certificate.getEncoded());
    }

    private static CertificateException noClients() {
        return new CertificateException("this side accepts no clients");
    }
}
