package dev.outpost.serving.openai;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Draws ids of answers. */
final class Ids {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    /** Returns an id such as {@code chatcmpl-5f0c...}. */
    static String draw(String prefix) {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return prefix + HexFormat.of().formatHex(bytes);
    }
}
