package dev.outpost.provider.k8s.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;

/**
 * A key pair on P-256 with a self-signed X.509 certificate, encoded. The JDK makes keys and signatures, but has no
 * public API for making certificates; a library for that would enlarge a client's class path by a tenth.
 *
 * @param certificate the certificate in DER
 * @param privateKey the private key as PKCS#8 in DER
 */
record SelfSigned(byte[] certificate, byte[] privateKey) {
    private static final String COMMON_NAME = "outpost-machine";
    private static final int SERIAL_BITS = 127;

    /** The time by which the validity begins before now, because clocks of nodes may be behind the client's clock. */
    private static final Duration LEEWAY = Duration.ofDays(1);

    /** The validity, for other tools. Clients compare the hash and ignore the dates. */
    private static final Duration VALIDITY = Duration.ofDays(365);

    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    static SelfSigned create(Instant now, SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair keys = generator.generateKeyPair();
            byte[] content = content(keys, now, random);
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate(), random);
            signature.update(content);
            byte[] certificate = Der.sequence(content, ECDSA_WITH_SHA256, Der.bitString(signature.sign()));
            return new SelfSigned(certificate, keys.getPrivate().getEncoded());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("a certificate could not be made: " + impossible, impossible);
        }
    }

    /** Writes a TBSCertificate by RFC 5280. */
    private static byte[] content(KeyPair keys, Instant now, SecureRandom random) {
        byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.utf8(COMMON_NAME))));
        return Der.sequence(
                Der.tagged(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                name,
                Der.sequence(Der.time(now.minus(LEEWAY)), Der.time(now.plus(VALIDITY))),
                name,
                keys.getPublic().getEncoded(),
                Der.tagged(3, Der.sequence(alternativeName())));
    }

    private static byte[] alternativeName() {
        return Der.sequence(Der.oid(2, 5, 29, 17), Der.octetString(Der.sequence(Der.dnsName("localhost"))));
    }
}
