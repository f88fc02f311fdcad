package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.channel.grant.Secrets;
import java.util.regex.Pattern;

/**
 * The control plane's key, from which the management token of each machine is derived. So a leaked token opens only its own machine, and
 * neither the database nor a supplier has a token. A machine gets only the hash.
 */
public final class ManagementKey {
    private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9_-]{32,200}");

    private final String key;

    /** @param text 32 to 200 letters, digits, - and _, hard to guess; the same for all replicas */
    public ManagementKey(String text) {
        if (!ACCEPTABLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "management-key: expected 32 to 200 letters, digits, - and _, got something else");
        }
        key = text;
    }

    /** Returns the token that the manager shows to a machine. */
    String token(Machine row) {
        return Secrets.derive(key, row.suppliedAs() + "/" + row.epoch());
    }

    /** Returns the hash by which the machine recognizes the token, in hex. */
    String tokenSha256(Machine row) {
        return Secrets.sha256Hex(token(row));
    }

    @Override
    public String toString() {
        return "ManagementKey[hidden]";
    }
}
