package dev.outpost.runtime.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Where a machine's identity comes from: made at the start, or given in files. */
final class Identities {
    private static final X500Name NAME = new X500Name("CN=outpost-runtime");
    private static final int SERIAL_BITS = 127;

    private Identities() {}

    /** A key pair on P-256 and a certificate that it signed itself, good for ten years: clients know it by its hash. */
    static MachineIdentity create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X509Certificate certificate = selfSigned(keys);
            return MachineIdentity.of(
                    pem("CERTIFICATE", certificate.getEncoded()),
                    pem("PRIVATE KEY", keys.getPrivate().getEncoded()),
                    certificate);
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException impossible) {
            throw new IllegalStateException("a certificate could not be made: " + impossible, impossible);
        }
    }

    /** The identity in two files; the first certificate is the machine's own. */
    static MachineIdentity read(Path certificate, Path key) {
        try {
            String chain = Files.readString(certificate);
            X509Certificate leaf = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
            return MachineIdentity.of(chain, Files.readString(key), leaf);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("certificate and key cannot be read: " + unreadable, unreadable);
        } catch (CertificateException malformed) {
            throw new IllegalArgumentException("certificate: " + certificate + " holds none in PEM", malformed);
        }
    }

    private static X509Certificate selfSigned(KeyPair keys)
            throws OperatorCreationException, CertIOException, CertificateException {
        // A day of leeway: clocks of clients may be behind.
        Instant from = Instant.now().minus(1, ChronoUnit.DAYS);
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                NAME,
                new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                Date.from(from),
                Date.from(from.plus(3650, ChronoUnit.DAYS)),
                NAME,
                keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    }

    private static String pem(String label, byte[] der) {
        StringWriter out = new StringWriter();
        out.write("-----BEGIN " + label + "-----\n");
        out.write(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
        out.write("\n-----END " + label + "-----\n");
        return out.toString();
    }
}
