package dev.outpost.runtime.server;

import dev.outpost.runtime.server.lan.LanState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcECContentSignerBuilder;

/** Provides a machine's identity: generates it at the start, or reads it from files. */
final class IdentityLoader {
    private static final X500Name NAME = new X500Name("CN=outpost-runtime");
    private static final int SERIAL_BITS = 127;

    private IdentityLoader() {}

    /**
     * Generates a key pair on P-256 and a self-signed certificate that is valid for ten years. Clients recognize the
     * certificate by its hash.
     *
     * <p>Uses BouncyCastle, because the JDK would fill tables for the first key on a curve, which takes a fifth of
     * the start time.
     */
    static MachineIdentity create() {
        try {
            AsymmetricCipherKeyPair keys = keys();
            byte[] encoded = PrivateKeyInfoFactory.createPrivateKeyInfo(keys.getPrivate())
                    .getEncoded();
            PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
            return new MachineIdentity(key, List.of(selfSigned(keys)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException impossible) {
            throw new IllegalStateException("a certificate could not be made: " + impossible, impossible);
        }
    }

    /** Returns the stored identity of a worker. Generates and stores one if there is none. */
    static MachineIdentity kept(LanState state) throws IOException {
        if (!Files.exists(state.certificate())) {
            MachineIdentity made = create();
            state.write(state.key(), pem("PRIVATE KEY", made.key().getEncoded()));
            try {
                // The certificate is written last: if it exists, so does the key.
                state.write(
                        state.certificate(),
                        pem("CERTIFICATE", made.chain().getFirst().getEncoded()));
            } catch (CertificateException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return read(state.certificate(), state.key());
    }

    private static String pem(String kind, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }

    private static AsymmetricCipherKeyPair keys() {
        ASN1ObjectIdentifier curve = SECObjectIdentifiers.secp256r1;
        ECKeyPairGenerator generator = new ECKeyPairGenerator();
        generator.init(new ECKeyGenerationParameters(
                new ECNamedDomainParameters(curve, CustomNamedCurves.getByOID(curve)), new SecureRandom()));
        return generator.generateKeyPair();
    }

    /** Reads the identity from two PEM files. The first certificate in the file is the machine's certificate. */
    static MachineIdentity read(Path certificate, Path key) {
        try {
            List<X509Certificate> chain = readChain(certificate);
            return new MachineIdentity(readKey(key), chain);
        } catch (IOException failure) {
            throw new UncheckedIOException("certificate and key cannot be read: " + failure, failure);
        }
    }

    private static List<X509Certificate> readChain(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!chain.isEmpty()) {
                return chain;
            }
        } catch (CertificateException failure) {
            throw new IllegalArgumentException("certificate: " + file + " holds none in PEM", failure);
        }
        throw new IllegalArgumentException("certificate: " + file + " holds none in PEM");
    }

    private static PrivateKey readKey(Path file) throws IOException {
        try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
            JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
            return switch (parser.readObject()) {
                case PrivateKeyInfo key -> converter.getPrivateKey(key);
                case PEMKeyPair pair -> converter.getPrivateKey(pair.getPrivateKeyInfo());
                case null -> throw noKey(file);
                default -> throw noKey(file);
            };
        }
    }

    private static IllegalArgumentException noKey(Path file) {
        return new IllegalArgumentException("key: " + file + " holds no private key in PEM, or an encrypted one");
    }

    private static X509Certificate selfSigned(AsymmetricCipherKeyPair keys)
            throws OperatorCreationException, IOException, CertificateException {
        // The validity begins a day earlier, because clocks of clients may be slow.
        Instant from = Instant.now().minus(1, ChronoUnit.DAYS);
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                NAME,
                new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                Date.from(from),
                Date.from(from.plus(3650, ChronoUnit.DAYS)),
                NAME,
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(keys.getPublic()));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer(keys)));
    }

    private static ContentSigner signer(AsymmetricCipherKeyPair keys) throws OperatorCreationException {
        AlgorithmIdentifier signature = new DefaultSignatureAlgorithmIdentifierFinder().find("SHA256withECDSA");
        AlgorithmIdentifier digest = new DefaultDigestAlgorithmIdentifierFinder().find(signature);
        return new BcECContentSignerBuilder(signature, digest).build(keys.getPrivate());
    }
}
