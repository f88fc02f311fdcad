package dev.outpost.provider.k8s.keys;

import dev.outpost.channel.Trust;
import dev.outpost.channel.grant.Secrets;
import dev.outpost.provider.fleet.Grant;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The secrets by which a machine and its clients authenticate each other. They are never printed.
 *
 * @param certificate the machine's certificate, signed by itself, in PEM
 * @param privateKey the certificate's private key on P-256, in PEM (PKCS#8)
 * @param secret the token that opens sessions: 256 random bits in base64url
 */
public record MachineKey(String certificate, String privateKey, String secret) {
    /** The key of the Secret, and the name of the file, that holds the certificate. */
    public static final String CERTIFICATE = "tls.crt";

    /** The key of the Secret, and the name of the file, that holds the private key. */
    public static final String PRIVATE_KEY = "tls.key";

    /** The key of the Secret, and the name of the file, that holds the token. */
    public static final String TOKEN = "token";

    /** The key of the Secret, and the name of the file, that holds the grants. */
    public static final String GRANTS = "grants";

    private static final Pattern ACCEPTABLE_TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,}");

    public MachineKey {
        requirePem(CERTIFICATE, certificate, Pem.CERTIFICATE);
        requirePem(PRIVATE_KEY, privateKey, Pem.PRIVATE_KEY);
        if (!ACCEPTABLE_TOKEN.matcher(secret).matches()) {
            throw new IllegalArgumentException(
                    TOKEN + ": expected 16 or more letters, digits, - and _, got something else");
        }
    }

    /** Makes a new key. */
    public static MachineKey create(InstantSource clock, SecureRandom random) {
        SelfSigned made = SelfSigned.create(clock.instant(), random);
        return new MachineKey(
                Pem.write(Pem.CERTIFICATE, made.certificate()),
                Pem.write(Pem.PRIVATE_KEY, made.privateKey()),
                Secrets.draw(random));
    }

    /**
     * Reads the key of a Secret.
     *
     * @param data the Secret's data, each value in base64
     * @throws IllegalArgumentException if something is missing or malformed; the message names the key and no value
     */
    public static MachineKey read(Map<String, String> data) {
        return new MachineKey(decode(data, CERTIFICATE), decode(data, PRIVATE_KEY), decode(data, TOKEN));
    }

    /** Returns the content of a Secret for this key: each value in base64. */
    public Map<String, String> data() {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(CERTIFICATE, encode(certificate));
        data.put(PRIVATE_KEY, encode(privateKey));
        data.put(TOKEN, encode(secret));
        return data;
    }

    /**
     * Returns the content of a Secret for a machine that only holders of a grant may use, without the client's token:
     * each value in base64.
     */
    public Map<String, String> granted(List<Grant> grants) {
        Map<String, String> data = data();
        data.remove(TOKEN);
        data.put(GRANTS, encode(lines(grants.stream().map(Grant::line))));
        return data;
    }

    /** Returns the grants in a Secret, as lines. */
    public static Stream<String> grants(Map<String, String> data) {
        return decode(data, GRANTS).lines();
    }

    /** Returns the value of a Secret for these lines. */
    public static String ofGrants(Stream<String> lines) {
        return encode(lines(lines));
    }

    private static String lines(Stream<String> lines) {
        return lines.collect(Collectors.joining("\n", "", "\n"));
    }

    /** Returns the pin of the machine that has this Secret. */
    public static Trust.Pin pin(Map<String, String> data) {
        return pin(decode(data, CERTIFICATE));
    }

    /** Returns the pin by which clients recognise the machine: the SHA-256 of the encoded certificate. */
    public Trust.Pin pin() {
        return pin(certificate);
    }

    private static Trust.Pin pin(String certificate) {
        return new Trust.Pin(HexFormat.of().formatHex(Secrets.sha256(Pem.read(Pem.CERTIFICATE, certificate))));
    }

    @Override
    public String toString() {
        return "MachineKey[hidden]";
    }

    private static void requirePem(String key, String text, String label) {
        if (!Pem.isOne(label, text)) {
            throw new IllegalArgumentException(key + ": expected one " + label + " in PEM, got something else");
        }
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decode(Map<String, String> data, String key) {
        String value = data.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key + ": the Secret does not have it");
        }
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException ignored) {
            // Omit the cause, because its message may contain a part of the value.
            throw new IllegalArgumentException(key + ": the Secret's value is no base64");
        }
    }
}
