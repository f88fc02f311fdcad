package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The control plane's key, from which the management token of each machine is derived. So a leaked token opens only its own machine, and
 * neither the database nor a supplier has a token. A machine gets only the hash.
 */
public final class ManagementKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9_-]{32,200}");

    private final SecretKeySpec key;

    /** @param text 32 to 200 letters, digits, - and _, hard to guess; the same for all replicas */
    public ManagementKey(String text) {
        if (!ACCEPTABLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "management-key: expected 32 to 200 letters, digits, - and _, got something else");
        }
        key = new SecretKeySpec(text.getBytes(StandardCharsets.US_ASCII), ALGORITHM);
    }

    /** Returns the token that the manager shows to a machine. */
    String token(Machine row) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] derived = mac.doFinal((row.suppliedAs() + "/" + row.epoch()).getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(derived);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the hash by which the machine recognizes the token, in hex. */
    String tokenSha256(Machine row) {
        try {
            byte[] token = token(row).getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "ManagementKey[hidden]";
    }
}
