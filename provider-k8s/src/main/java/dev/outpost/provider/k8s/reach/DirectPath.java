package dev.outpost.provider.k8s.reach;

import dev.outpost.channel.Trust;
import dev.outpost.channel.grant.Secrets;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks if this host reaches the network of pods. In private networks, another host may have the same address, so only an answer with
 * the machine's own certificate counts.
 */
public final class DirectPath {
    private static final Logger LOG = LoggerFactory.getLogger(DirectPath.class);

    /** The timeout of a connection. A start waits for it if pods are not reachable, which is the usual case. */
    private static final Duration CONNECT = Duration.ofMillis(500);

    private static final Duration HANDSHAKE = Duration.ofSeconds(2);

    private DirectPath() {}

    /** The outcome of an attempt. */
    public enum Outcome {
        /** The machine with the certificate answered. */
        REACHED,
        /** A host answered but has no program at the port. The machine may still be starting. */
        REFUSED,
        /** No host answered, or a host without that certificate answered. */
        UNREACHED
    }

    /** Connects to a machine with that certificate. Takes 2.5 seconds at most. */
    static Outcome attempt(MachineRoute address, Trust.Pin pin) {
        try (Socket socket = connect(address.host(), address.port());
                SSLSocket secured = (SSLSocket)
                        context(pin).getSocketFactory().createSocket(socket, address.host(), address.port(), true)) {
            secured.startHandshake();
            return Outcome.REACHED;
        } catch (ConnectException ignored) {
            return Outcome.REFUSED;
        } catch (IOException failure) {
            LOG.debug("{} is not reached from here", address, failure);
            return Outcome.UNREACHED;
        }
    }

    /** Returns true if any host answers at that address. Takes half a second at most. */
    public static boolean answers(String host, int port) {
        try (Socket socket = connect(host, port)) {
            return true;
        } catch (IOException failure) {
            LOG.debug("{} is not reached from here", host, failure);
            return false;
        }
    }

    private static Socket connect(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(CONNECT.toMillis()));
            socket.setSoTimeout(Math.toIntExact(HANDSHAKE.toMillis()));
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    private static SSLContext context(Trust.Pin pin) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new OnlyPinned(pin)}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class OnlyPinned extends X509ExtendedTrustManager {
        private final Trust.Pin pin;

        OnlyPinned(Trust.Pin pin) {
            this.pin = pin;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            byte[] actual = Secrets.sha256(chain[0].getEncoded());
            if (!MessageDigest.isEqual(actual, HexFormat.of().parseHex(pin.sha256()))) {
                throw new CertificateException("another machine answers");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
