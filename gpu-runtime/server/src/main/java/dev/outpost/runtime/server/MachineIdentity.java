package dev.outpost.runtime.server;

import dev.outpost.channel.grant.Secrets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;

/**
 * The certificate and key by which the machine proves its identity. The key never leaves memory, and is not printed.
 *
 * @param key the private key of the first certificate
 * @param chain the machine's own certificate, followed by the certificates that sign it
 */
record MachineIdentity(PrivateKey key, List<X509Certificate> chain) {
    MachineIdentity {
        chain = List.copyOf(chain);
    }

    /** Returns the SHA-256 of the certificate (DER), by which clients recognize it, in hex. */
    String sha256() {
        try {
            return HexFormat.of().formatHex(Secrets.sha256(chain.getFirst().getEncoded()));
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    IdentityKeyManager keyManager() {
        return new IdentityKeyManager(key, chain.toArray(X509Certificate[]::new));
    }

    @Override
    public String toString() {
        return "MachineIdentity[" + sha256() + "]";
    }
}
