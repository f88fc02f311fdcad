package dev.outpost.provider.outpost;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** A token that this client has drawn. The backend and the machine get its hash; only the machine sees the token itself. */
record MachineToken(String text) {
    private static final int BYTES = 32;

    static MachineToken draw(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new MachineToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String sha256() {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "MachineToken[hidden]";
    }
}
