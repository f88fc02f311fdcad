package dev.outpost.channel.grant;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token with which a job's program opens its machine. Runner and control plane both derive it from the runner's own token:
 * HMAC-SHA256 (RFC 2104) of a fixed text under that token. So the machine can get its hash before the runner starts.
 */
public final class RunnerToken {
    private static final String HMAC = "HmacSHA256";
    private static final byte[] PURPOSE = "the machine of this runner".getBytes(StandardCharsets.US_ASCII);

    private RunnerToken() {}

    /**
     * Derives the token for the runner's machine.
     *
     * @param runnerToken the runner's secret
     * @return the token, in the URL's form of Base64 without padding
     */
    public static String ofMachine(String runnerToken) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(runnerToken.getBytes(StandardCharsets.UTF_8), HMAC));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The SHA-256 of {@link #ofMachine}, in the form of grants.
     *
     * @param runnerToken the runner's secret
     * @return the hash, in hex
     */
    public static String hashOfMachine(String runnerToken) {
        try {
            byte[] token = ofMachine(runnerToken).getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
