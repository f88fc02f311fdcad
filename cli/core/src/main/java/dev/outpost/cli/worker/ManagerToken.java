package dev.outpost.cli.worker;

import dev.outpost.provider.fleet.MachineRef;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens by which a worker manages the machines of its host: one for each, derived from the host's key. So a restarted worker can
 * manage the machines that it finds, and a leaked token opens only its own machine.
 */
final class ManagerToken {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @param key the secret key of the host */
    ManagerToken(String key) {
        this.key = new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), ALGORITHM);
    }

    String of(MachineRef machine) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] derived = mac.doFinal(("manage/" + machine.name()).getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(derived);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the hash by which the machine recognizes the token, in hex. */
    String sha256Of(MachineRef machine) {
        try {
            byte[] token = of(machine).getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "ManagerToken[hidden]";
    }
}
