package dev.outpost.provider.k8s.credentials;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A key made by the JDK, with a self-signed certificate, in the forms of kubeconfigs. */
record TestKey(KeyPair keys, X509Certificate certificate) {

    static TestKey draw(String name, String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("EC")) {
            generator.initialize(256);
        }
        KeyPair keys = generator.generateKeyPair();
        X500Name subject = new X500Name("CN=" + name);
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                subject,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(1, ChronoUnit.HOURS)),
                Date.from(now.plus(1, ChronoUnit.DAYS)),
                subject,
                keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        String signature = switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm;
        };
        return new TestKey(
                keys,
                new JcaX509CertificateConverter()
                        .getCertificate(
                                builder.build(new JcaContentSignerBuilder(signature).build(keys.getPrivate()))));
    }

    String certificatePem() throws Exception {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /** @param label {@code PRIVATE KEY} for PKCS#8; {@code RSA PRIVATE KEY} or {@code EC PRIVATE KEY} for the key within PKCS#8 */
    String keyPem(String label) throws Exception {
        byte[] pkcs8 = keys.getPrivate().getEncoded();
        if (label.equals("PRIVATE KEY")) {
            return pem(label, pkcs8);
        }
        byte[] inner = PrivateKeyInfo.getInstance(pkcs8)
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded("DER");
        // The JDK writes the curve only in PKCS#8; OpenSSL also writes it before the key.
        String curve = label.startsWith("EC")
                ? pem("EC PARAMETERS", Base64.getDecoder().decode("BggqhkjOPQMBBw=="))
                : "";
        return curve + pem(label, inner);
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
