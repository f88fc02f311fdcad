package dev.outpost.runtime.server;

import dev.outpost.channel.grant.Secrets;
import dev.outpost.channel.rpc.RuntimeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * The token of the machine's owner. It is compared by its hash and in constant time, so that failed guesses reveal nothing. It is never
 * printed.
 */
final class OwnerToken {
    private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9_-]{16,}");

    private final String text;
    private final byte[] hash;

    private OwnerToken(String text) {
        this.text = text;
        this.hash = Secrets.sha256(text);
    }

    static OwnerToken random() {
        return new OwnerToken(Secrets.draw(new SecureRandom()));
    }

    static OwnerToken of(String text) {
        return of("outpost.runtime.token", text);
    }

    static OwnerToken read(Path file) throws IOException {
        return of("outpost.runtime.token-file", Files.readString(file).strip());
    }

    private static OwnerToken of(String property, String text) {
        if (!ACCEPTABLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    property + ": expected 16 or more letters, digits, - and _, got something else");
        }
        return new OwnerToken(text);
    }

    /** True if an authorization header, which may be absent, has the token. */
    boolean matches(String authorization) {
        return authorization != null
                && authorization.startsWith(RuntimeCalls.BEARER)
                && MessageDigest.isEqual(hash, Secrets.sha256(authorization.substring(RuntimeCalls.BEARER.length())));
    }

    /** Returns the token for clients: the secret, and the hash of the certificate to expect. */
    String connectionToken(MachineIdentity identity) {
        return text + "." + identity.sha256();
    }

    @Override
    public String toString() {
        return "Secret[hidden]";
    }
}
