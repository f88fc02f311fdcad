package dev.outpost.provider.k8s.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests keys from the JDK in the formats that OpenSSL and kubeadm write. */
@Tag("quick")
class PrivateKeysTest {
    private static KeyPair generate(String algorithm, int size) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (size > 0) {
            generator.initialize(size);
        }
        return generator.generateKeyPair();
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    /** PKCS#1 or SEC1: the algorithm's own form inside of PKCS#8. */
    private static byte[] inner(PrivateKey key) throws Exception {
        return PrivateKeyInfo.getInstance(key.getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded("DER");
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048", "EC, 256", "EC, 384", "EC, 521", "Ed25519, 0", "Ed448, 0"})
    void pkcs8IsReadWhateverTheAlgorithm(String algorithm, int size) throws Exception {
        PrivateKey key = generate(algorithm, size).getPrivate();
        PrivateKey read = PrivateKeys.read(pem("PRIVATE KEY", key.getEncoded()));
        assertArrayEquals(key.getEncoded(), read.getEncoded());
    }

    @Test
    void pkcs1IsRead() throws Exception {
        PrivateKey key = generate("RSA", 2048).getPrivate();
        PrivateKey read = PrivateKeys.read("Bag Attributes\n" + pem("RSA PRIVATE KEY", inner(key)));
        assertArrayEquals(key.getEncoded(), read.getEncoded());
    }

    @ParameterizedTest
    @CsvSource({"256, BggqhkjOPQMBBw==", "384, BgUrgQQAIg=="})
    void sec1IsReadWithItsCurveInsideOrBeside(int size, String curve) throws Exception {
        PrivateKey key = generate("EC", size).getPrivate();
        BigInteger number = ((ECPrivateKey) key).getS();
        byte[] oid = Base64.getDecoder().decode(curve);
        byte[] bare = new org.bouncycastle.asn1.sec.ECPrivateKey(size, number).getEncoded("DER");
        assertEquals(number, number(pem("EC PARAMETERS", oid) + pem("EC PRIVATE KEY", bare)));
        byte[] named = new org.bouncycastle.asn1.sec.ECPrivateKey(size, number, ASN1ObjectIdentifier.getInstance(oid))
                .getEncoded("DER");
        assertEquals(number, number(pem("EC PRIVATE KEY", named)));
    }

    private static BigInteger number(String pem) {
        return ((ECPrivateKey) PrivateKeys.read(pem)).getS();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | got no PEM",
                "LS0tLS1CRUdJTg== | got no PEM",
                "'-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' | got CERTIFICATE",
                "'-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----' | got OPENSSH PRIVATE KEY",
                "'-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----' | is encrypted",
                "'-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\nAAAA\n-----END RSA PRIVATE KEY-----' "
                        + "| is encrypted",
                "'-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' | is damaged",
                "'-----BEGIN EC PRIVATE KEY-----\nMIGk\n-----END EC PRIVATE KEY-----' | is damaged",
            })
    void otherTextIsRefusedWithoutBeingShown(String text, String why) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> PrivateKeys.read(text));
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
        assertTrue(!refused.getMessage().contains("AAAA"), refused::getMessage);
    }
}
