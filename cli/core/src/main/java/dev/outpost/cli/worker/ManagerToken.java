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
 * By what a worker manages the machines of its host: a token for each, derived from the host's key. So a worker that is started
 * again manages those that it finds, and a machine that gives its own away opens no other.
 */
final class ManagerToken {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @param key the host's, which is a secret */
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

    /** By what the machine knows it, in hex. */
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
