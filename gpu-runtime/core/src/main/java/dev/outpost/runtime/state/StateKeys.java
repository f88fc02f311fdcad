package dev.outpost.runtime.state;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of a state, derived from the secret of its owner. A chunk's name depends on its content and on the key. So owners with
 * different keys never share a chunk, and a name tells nothing about the content. Thread-safe.
 */
final class StateKeys {
    /** The size of the secret, of a chunk's name and of a manifest's code, in bytes. */
    static final int BYTES = 32;

    private static final String HMAC = "HmacSHA256";

    private final byte[] names;
    private final byte[] manifests;

    StateKeys(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException(
                    "state: expected a key of " + BYTES + " bytes, got " + secret.length + " bytes");
        }
        names = mac(secret).doFinal("chunks".getBytes(StandardCharsets.US_ASCII));
        manifests = mac(secret).doFinal("manifests".getBytes(StandardCharsets.US_ASCII));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("this JVM has no " + HMAC, failure);
        }
    }

    /** Returns the name of a chunk with this content. */
    byte[] name(byte[] content) {
        return mac(names).doFinal(content);
    }

    /** Returns the code that authenticates a manifest. */
    byte[] code(byte[] manifest, int from) {
        Mac mac = mac(manifests);
        mac.update(manifest, from, manifest.length - from);
        return mac.doFinal();
    }
}
