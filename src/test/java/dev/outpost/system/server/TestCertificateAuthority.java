package dev.outpost.system.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for machines. */
public final class TestCertificateAuthority {
    private final X500Name name;
    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    public TestCertificateAuthority(String name) {
        this.name = new X500Name("CN=" + name);
        this.certificate = issue(this.name, keys.getPublic(), new BasicConstraints(true), Extension.basicConstraints);
    }

    /** The certificates that its clients trust. */
    public String certificates() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** Writes {@code certificate.pem} and {@code key.pem} of a machine of that name. */
    public void vouchFor(String host, Path folder) {
        KeyPair machine = newKeys();
        X509Certificate leaf = issue(
                new X500Name("CN=machine"),
                machine.getPublic(),
                new GeneralNames(new GeneralName(GeneralName.dNSName, host)),
                Extension.subjectAlternativeName);
        try {
            Files.writeString(folder.resolve("certificate.pem"), pem("CERTIFICATE", encoded(leaf)) + certificates());
            Files.writeString(
                    folder.resolve("key.pem"),
                    pem("PRIVATE KEY", machine.getPrivate().getEncoded()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private X509Certificate issue(
            X500Name subject,
            PublicKey key,
            org.bouncycastle.asn1.ASN1Encodable extension,
            org.bouncycastle.asn1.ASN1ObjectIdentifier kind) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(1, ChronoUnit.HOURS)),
                Date.from(now.plus(1, ChronoUnit.HOURS)),
                subject,
                key);
        try {
            builder.addExtension(kind, true, extension);
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (IOException | GeneralSecurityException | OperatorCreationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
