package dev.outpost.provider.k8s.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.ConnectionToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MachineKeyTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final MachineKey KEY = MachineKey.create(InstantSource.fixed(NOW), RANDOM);

    @Test
    void theCertificateIsOnP256AndSignedByItsOwnKey() throws GeneralSecurityException {
        X509Certificate certificate = certificate(KEY);
        certificate.verify(certificate.getPublicKey());
        ECPublicKey key = assertInstanceOf(ECPublicKey.class, certificate.getPublicKey());
        assertEquals(256, key.getParams().getOrder().bitLength());
        assertEquals("SHA256withECDSA", certificate.getSigAlgName());
        assertTrue(certificate.getSerialNumber().signum() > 0);
    }

    @Test
    void privateKeyMatchesTheCertificate() throws GeneralSecurityException {
        byte[] message = "a message".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(privateKey(KEY));
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(certificate(KEY));
        signature.update(message);
        assertTrue(signature.verify(signed));
    }

    /** The runtime reads it in this form, and accepts no key with a passphrase. */
    @Test
    void thePrivateKeyIsInPkcs8() throws IOException {
        assertTrue(KEY.privateKey().startsWith("-----BEGIN PRIVATE KEY-----\n"), "it begins otherwise");
        try (PEMParser parser = new PEMParser(new StringReader(KEY.privateKey()))) {
            assertInstanceOf(PrivateKeyInfo.class, parser.readObject());
        }
    }

    @Test
    void validityBeginsADayAgo() throws GeneralSecurityException {
        X509Certificate certificate = certificate(KEY);
        assertEquals(NOW.minus(1, ChronoUnit.DAYS), certificate.getNotBefore().toInstant());
        assertEquals(NOW.plus(365, ChronoUnit.DAYS), certificate.getNotAfter().toInstant());
    }

    @Test
    void thePinIsTheHashOfTheEncodedCertificate() throws GeneralSecurityException {
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(certificate(KEY).getEncoded());
        assertEquals(HexFormat.of().formatHex(hash), KEY.pin().sha256());
    }

    @Test
    void theSecretHas256BitsAndMakesAConnectionToken() {
        assertEquals(32, Base64.getUrlDecoder().decode(KEY.secret()).length);
        assertTrue(KEY.secret().matches("[A-Za-z0-9_-]{43}"), "it has other characters");
        var token = new ConnectionToken(KEY.secret(), Optional.of(KEY.pin()));
        assertEquals(token, ConnectionToken.parse(token.text()));
    }

    @Test
    void keysOfMachinesDiffer() {
        MachineKey other = MachineKey.create(InstantSource.fixed(NOW), RANDOM);
        assertNotEquals(KEY.privateKey(), other.privateKey());
        assertNotEquals(KEY.secret(), other.secret());
        assertNotEquals(KEY.pin(), other.pin());
    }

    @Test
    void secretRoundTrips() {
        assertEquals(Set.of("tls.crt", "tls.key", "token"), KEY.data().keySet());
        assertEquals(KEY, MachineKey.read(KEY.data()));
    }

    @Test
    void incompleteSecretNamesTheMissingPart() {
        assertEquals("tls.key: the Secret does not have it", refusal("tls.key", null));
        assertEquals("token: the Secret's value is no base64", refusal("token", "%%%"));
        assertEquals("tls.crt: expected one CERTIFICATE in PEM, got something else", refusal("tls.crt", "eA=="));
        assertEquals("tls.key: expected one PRIVATE KEY in PEM, got something else", refusal("tls.key", "eA=="));
        assertEquals(
                "token: expected 16 or more letters, digits, - and _, got something else", refusal("token", "eA=="));
    }

    /** A value may be another machine's secret, mistaken for this one's. */
    @Test
    void keyIsNeverPrinted() {
        assertEquals("MachineKey[hidden]", KEY.toString());
        assertFalse(refusal("token", encode("a secret of somebody's")).contains("somebody"));
    }

    private static String refusal(String key, String value) {
        Map<String, String> data = new TreeMap<>(KEY.data());
        if (value == null) {
            data.remove(key);
        } else {
            data.put(key, value);
        }
        return assertThrows(IllegalArgumentException.class, () -> MachineKey.read(data))
                .getMessage();
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static X509Certificate certificate(MachineKey key) throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(key.certificate().getBytes(StandardCharsets.US_ASCII));
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
    }

    private static PrivateKey privateKey(MachineKey key) throws GeneralSecurityException {
        byte[] encoded = Pem.read(Pem.PRIVATE_KEY, key.privateKey());
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }
}
