package dev.outpost.provider.k8s.keys;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the parts of ASN.1 that a certificate consists of, in DER (X.690): a tag, a length and the content. */
final class Der {
    private static final DateTimeFormatter UTC_TIME = format("yyMMddHHmmss'Z'");
    private static final DateTimeFormatter GENERALIZED_TIME = format("yyyyMMddHHmmss'Z'");

    /** The last year whose dates are encoded as UTCTime (RFC 5280). Later dates are encoded as GeneralizedTime. */
    private static final int LAST_YEAR_IN_TWO_DIGITS = 2049;

    private Der() {}

    static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    static byte[] nothing() {
        return element(0x05);
    }

    /** Writes a bit string of whole bytes. */
    static byte[] bitString(byte[] bytes) {
        return element(0x03, new byte[] {0}, bytes);
    }

    static byte[] octetString(byte[] bytes) {
        return element(0x04, bytes);
    }

    /** Writes an object identifier: the first two arcs share a byte, the others are in base 128, the highest digit first. */
    static byte[] oid(int first, int second, int... arcs) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(40 * first + second);
        for (int arc : arcs) {
            int digits = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(arc) + 6) / 7);
            for (int digit = digits - 1; digit >= 0; digit--) {
                content.write(arc >>> 7 * digit & 0x7f | (digit > 0 ? 0x80 : 0));
            }
        }
        return element(0x06, content.toByteArray());
    }

    static byte[] utf8(String text) {
        return element(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a time, in whole seconds. */
    static byte[] time(Instant time) {
        boolean isShort = time.atZone(ZoneOffset.UTC).getYear() <= LAST_YEAR_IN_TWO_DIGITS;
        String text = (isShort ? UTC_TIME : GENERALIZED_TIME).format(time);
        return element(isShort ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] sequence(byte[]... elements) {
        return element(0x30, elements);
    }

    static byte[] set(byte[] element) {
        return element(0x31, element);
    }

    /** Wraps an element in an explicit context tag. */
    static byte[] tagged(int tag, byte[] element) {
        return element(0xa0 | tag, element);
    }

    /** Writes a host as a GeneralName of RFC 5280. */
    static byte[] dnsName(String name) {
        return element(0x82, name.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] element(int tag, byte[]... contents) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        writeLength(content.size(), element);
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }

    /** Writes a length: one byte below 128, otherwise the number of length bytes and then these. */
    private static void writeLength(int length, ByteArrayOutputStream out) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
        out.write(0x80 | bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(length >>> 8 * i);
        }
    }

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
    }
}
