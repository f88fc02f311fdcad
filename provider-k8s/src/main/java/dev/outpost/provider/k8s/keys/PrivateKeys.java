package dev.outpost.provider.k8s.keys;

import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Reads private keys in PEM that are not encrypted: PKCS#8 with RSA, EC or EdDSA, PKCS#1 and SEC1. */
public final class PrivateKeys {
    private static final Pattern OBJECT =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final String EXPECTED =
            "expected a private key in PEM (PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY)";
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int CURVE = 0xa0;

    private PrivateKeys() {}

    /**
     * Reads the first private key of a text, which may contain other objects too.
     *
     * @throws IllegalArgumentException if no key can be read; the message says why, and contains no part of a key
     */
    public static PrivateKey read(String pem) {
        List<MatchResult> objects = OBJECT.matcher(pem).results().toList();
        MatchResult key = objects.stream()
                .filter(object -> object.group(1).endsWith("PRIVATE KEY"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(EXPECTED + ", got " + found(objects)));
        if (key.group(1).startsWith("ENCRYPTED") || key.group(2).contains("ENCRYPTED")) {
            throw new IllegalArgumentException(
                    "the key is encrypted, and its password cannot be asked for; decrypt it: openssl pkey -in KEY");
        }
        try {
            return read(key, objects);
        } catch (BufferUnderflowException failure) {
            throw new IllegalArgumentException("the key is damaged: its DER ends too early", failure);
        }
    }

    private static PrivateKey read(MatchResult key, List<MatchResult> objects) {
        byte[] der = decode(key.group(2));
        return switch (key.group(1)) {
            case "PRIVATE KEY" -> ofPkcs8(der);
            case "RSA PRIVATE KEY" ->
                ofPkcs8(wrapped(Der.sequence(Der.oid(1, 2, 840, 113549, 1, 1, 1), Der.nothing()), der));
            case "EC PRIVATE KEY" ->
                ofPkcs8(wrapped(Der.sequence(Der.oid(1, 2, 840, 10045, 2, 1), curve(der, objects)), der));
            default -> throw new IllegalArgumentException(EXPECTED + ", got " + key.group(1));
        };
    }

    private static String found(List<MatchResult> objects) {
        return objects.isEmpty()
                ? "no PEM"
                : String.join(
                        ", ", objects.stream().map(object -> object.group(1)).toList());
    }

    /** Wraps a key by RFC 5208: a version, the algorithm, and the key in the form of the algorithm. */
    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octetString(key));
    }

    private static PrivateKey ofPkcs8(byte[] der) {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException ignored) {
                // The key is of another algorithm, or damaged. The next attempt decides.
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        throw new IllegalArgumentException("the key is damaged, or is none of RSA, EC, Ed25519 and Ed448");
    }

    /**
     * Returns the curve of a key by RFC 5915, which has a version, the number, and the curve under the tag 0. OpenSSL
     * also writes the curve as a separate object.
     */
    private static byte[] curve(byte[] sec1, List<MatchResult> objects) {
        ByteBuffer key = content(ByteBuffer.wrap(sec1), SEQUENCE);
        content(key, INTEGER);
        content(key, OCTET_STRING);
        Optional<byte[]> inside = key.hasRemaining() && Byte.toUnsignedInt(key.get(key.position())) == CURVE
                ? Optional.of(bytes(content(key, CURVE)))
                : Optional.empty();
        return inside.or(() -> objects.stream()
                        .filter(object -> object.group(1).equals("EC PARAMETERS"))
                        .map(object -> decode(object.group(2)))
                        .findFirst())
                .orElseThrow(() -> new IllegalArgumentException("the EC key does not name its curve"));
    }

    /** Returns the content of the next element. */
    private static ByteBuffer content(ByteBuffer in, int tag) {
        int actual = Byte.toUnsignedInt(in.get());
        if (actual != tag) {
            throw new IllegalArgumentException("the key is damaged: expected the DER tag " + tag + ", got " + actual);
        }
        int length = length(in);
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        return content;
    }

    private static int length(ByteBuffer in) {
        int first = Byte.toUnsignedInt(in.get());
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int left = Math.min(first & 0x7f, Integer.BYTES); left > 0; left--) {
            length = length << Byte.SIZE | Byte.toUnsignedInt(in.get());
        }
        return length;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static byte[] decode(String base64) {
        return Base64.getMimeDecoder().decode(base64);
    }
}
