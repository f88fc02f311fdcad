package dev.outpost.backend.worker;

import dev.outpost.channel.grant.Secrets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secret of a worker host: the code that pairs it, {@code wc_<cluster>_<secret>}, and from then on its key, {@code
 * wk_<cluster>_<secret>}. The database keeps only a hash of the secret.
 */
public record WorkerSecret(Kind kind, String cluster, String secret) {
    private static final Pattern FORM = Pattern.compile("(wc|wk)_([a-z0-9-]{1,40})_([A-Za-z0-9-]{40,64})");

    /** The purpose of the secret. */
    public enum Kind {
        /** Pairs a host, once. */
        CODE("wc"),

        /** The key of a paired host. */
        KEY("wk");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    public static WorkerSecret draw(Kind kind, String cluster, SecureRandom random) {
        return new WorkerSecret(kind, cluster, Secrets.draw(random).replace('_', '-'));
    }

    /** Parses a code or a key; empty if the text is neither. */
    public static Optional<WorkerSecret> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Kind kind = matcher.group(1).equals(Kind.CODE.prefix) ? Kind.CODE : Kind.KEY;
        return Optional.of(new WorkerSecret(kind, matcher.group(2), matcher.group(3)));
    }

    /** Returns the text form, which contains the secret. */
    public String text() {
        return kind.prefix + "_" + cluster + "_" + secret;
    }

    /** Hashes the whole text, so that a code and a key never have the same hash. */
    public byte[] hash() {
        return hash(text());
    }

    /** Returns the hash of a code or a key in its text form. */
    public static byte[] hash(String text) {
        return Secrets.sha256(text);
    }

    /** Compares in constant time. */
    public boolean matches(byte[] other) {
        return MessageDigest.isEqual(hash(), other);
    }

    @Override
    public String toString() {
        return "WorkerSecret[" + kind + ", " + cluster + ", hidden]";
    }
}
