package dev.outpost.provider.k8s.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcECContentSignerBuilder;

/**
 * A key pair on P-256 and the certificate that it signed itself, encoded. BouncyCastle does the arithmetic: the JDK has
 * no public way of making certificates, and its first key on a curve fills large tables.
 *
 * @param certificate in DER
 * @param privateKey PKCS#8 in DER
 */
record SelfSigned(byte[] certificate, byte[] privateKey) {
    private static final X500Name NAME = new X500Name("CN=outpost-machine");
    private static final int SERIAL_BITS = 127;

    /** Clocks of nodes may be behind the client's. */
    private static final Duration LEEWAY = Duration.ofDays(1);

    /** Clients go by the hash, whatever the dates; other tools may look at them. */
    private static final Duration VALIDITY = Duration.ofDays(365);

    static SelfSigned create(Instant now, SecureRandom random) {
        try {
            AsymmetricCipherKeyPair keys = keys(random);
            byte[] privateKey = PrivateKeyInfoFactory.createPrivateKeyInfo(keys.getPrivate())
                    .getEncoded();
            return new SelfSigned(certificate(keys, now, random).getEncoded(), privateKey);
        } catch (OperatorCreationException | IOException impossible) {
            throw new IllegalStateException("a certificate could not be made: " + impossible, impossible);
        }
    }

    private static AsymmetricCipherKeyPair keys(SecureRandom random) {
        ASN1ObjectIdentifier curve = SECObjectIdentifiers.secp256r1;
        ECKeyPairGenerator generator = new ECKeyPairGenerator();
        generator.init(new ECKeyGenerationParameters(
                new ECNamedDomainParameters(curve, CustomNamedCurves.getByOID(curve)), random));
        return generator.generateKeyPair();
    }

    private static X509CertificateHolder certificate(AsymmetricCipherKeyPair keys, Instant now, SecureRandom random)
            throws IOException, OperatorCreationException {
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                NAME,
                new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
                Date.from(now.minus(LEEWAY)),
                Date.from(now.plus(VALIDITY)),
                NAME,
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(keys.getPublic()));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return builder.build(signer(keys, random));
    }

    private static ContentSigner signer(AsymmetricCipherKeyPair keys, SecureRandom random)
            throws OperatorCreationException {
        AlgorithmIdentifier signature = new DefaultSignatureAlgorithmIdentifierFinder().find("SHA256withECDSA");
        AlgorithmIdentifier digest = new DefaultDigestAlgorithmIdentifierFinder().find(signature);
        return new BcECContentSignerBuilder(signature, digest)
                .setSecureRandom(random)
                .build(keys.getPrivate());
    }
}
