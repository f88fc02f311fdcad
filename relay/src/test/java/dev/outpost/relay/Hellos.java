package dev.outpost.relay;

import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/** The first bytes of real clients. */
final class Hellos {
    private Hellos() {}

    /** A ClientHello of Java's own TLS. */
    static byte[] naming(String serverName) {
        return of(List.of(new SNIHostName(serverName)));
    }

    static byte[] withoutName() {
        return of(List.of());
    }

    private static byte[] of(List<SNIHostName> serverNames) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.copyOf(serverNames));
            engine.setSSLParameters(parameters);
            ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), out);
            byte[] hello = new byte[out.flip().remaining()];
            out.get(hello);
            return hello;
        } catch (SSLException | java.security.GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
