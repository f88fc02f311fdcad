package dev.outpost.provider.k8s.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.cert.X509CertificateHolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** BouncyCastle writes the same bytes. */
@Tag("quick")
class DerTest {
    @Test
    void integersAreTwosComplement() throws IOException {
        for (String value : new String[] {"0", "2", "127", "128", "255", "256", "-1", "-129", "1" + "0".repeat(60)}) {
            BigInteger integer = new BigInteger(value);
            assertSame(new ASN1Integer(integer), Der.integer(integer));
        }
    }

    @Test
    void identifiersHaveArcsInBase128() throws IOException {
        assertSame(new ASN1ObjectIdentifier("1.2.840.10045.4.3.2"), Der.oid(1, 2, 840, 10045, 4, 3, 2));
        assertSame(new ASN1ObjectIdentifier("2.5.29.17"), Der.oid(2, 5, 29, 17));
        assertSame(
                new ASN1ObjectIdentifier("1.3.0.127.128.16383.16384.2147483647"),
                Der.oid(1, 3, 0, 127, 128, 16383, 16384, Integer.MAX_VALUE));
    }

    @Test
    void lengthsTakeAsFewBytesAsTheyNeed() throws IOException {
        for (int length : new int[] {0, 1, 127, 128, 255, 256, 65_535, 65_536}) {
            byte[] bytes = new byte[length];
            assertSame(new DEROctetString(bytes), Der.octetString(bytes));
            assertSame(new DERBitString(bytes), Der.bitString(bytes));
        }
    }

    @Test
    void yearsFrom2050OnHaveFourDigits() throws IOException {
        for (String time : new String[] {"2026-03-01T12:00:00Z", "2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z"}) {
            Instant instant = Instant.parse(time);
            assertSame(new Time(Date.from(instant), Locale.ROOT), Der.time(instant));
        }
    }

    @Test
    void elementsNest() throws IOException {
        assertSame(
                new DERSequence(new ASN1Encodable[] {
                    new DERSet(new DERUTF8String("ä")), new DERTaggedObject(true, 3, new ASN1Integer(1))
                }),
                Der.sequence(Der.set(Der.utf8("ä")), Der.tagged(3, Der.integer(BigInteger.ONE))));
        assertSame(
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")),
                Der.sequence(Der.dnsName("localhost")));
    }

    /** Its output is canonical: writing a certificate that was read gives the same bytes. */
    @Test
    void certificateIsReadAndWrittenAlike() throws IOException, GeneralSecurityException {
        byte[] certificate = SelfSigned.create(Instant.parse("2026-03-01T12:00:00Z"), new SecureRandom())
                .certificate();
        X509CertificateHolder read = new X509CertificateHolder(certificate);
        assertArrayEquals(certificate, read.toASN1Structure().getEncoded(ASN1Encoding.DER));
        assertEquals("CN=outpost-machine", read.getSubject().toString());
        assertEquals(read.getIssuer(), read.getSubject());
        assertEquals(3, read.getVersionNumber());
    }

    private static void assertSame(ASN1Encodable expected, byte[] written) throws IOException {
        assertArrayEquals(expected.toASN1Primitive().getEncoded(ASN1Encoding.DER), written);
    }
}
