package dev.outpost.runtime.server;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/**
 * What the machine proves itself by. The key never leaves memory, and is not printed.
 *
 * @param certificatePem the certificate and its chain
 * @param keyPem the private key, PKCS#8
 * @param sha256 the hash of the certificate (DER) by which clients know it, in hex
 */
record MachineIdentity(String certificatePem, String keyPem, String sha256) {

    static MachineIdentity of(String certificatePem, String keyPem, X509Certificate leaf) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(leaf.getEncoded());
            return new MachineIdentity(certificatePem, keyPem, HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException | CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "MachineIdentity[" + sha256 + "]";
    }
}
