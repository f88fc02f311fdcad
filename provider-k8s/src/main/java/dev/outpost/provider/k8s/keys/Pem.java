package dev.outpost.provider.k8s.keys;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes bytes as PEM, with one object in each text. */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final int LINE_LENGTH = 64;

    private Pem() {}

    static String write(String label, byte[] encoded) {
        String body = Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'}).encodeToString(encoded);
        return begin(label) + "\n" + body + "\n" + end(label) + "\n";
    }

    /** Returns true if the text is exactly one object with that label. */
    static boolean isOne(String label, String text) {
        return form(label, text).matches();
    }

    static byte[] read(String label, String text) {
        Matcher matcher = form(label, text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected one " + label + " in PEM");
        }
        return Base64.getMimeDecoder().decode(matcher.group(1).getBytes(StandardCharsets.US_ASCII));
    }

    private static Matcher form(String label, String text) {
        return Pattern.compile(begin(label) + "\\s+([A-Za-z0-9+/=\\s]+)" + end(label) + "\\s*")
                .matcher(text);
    }

    private static String begin(String label) {
        return "-----BEGIN " + label + "-----";
    }

    private static String end(String label) {
        return "-----END " + label + "-----";
    }
}
