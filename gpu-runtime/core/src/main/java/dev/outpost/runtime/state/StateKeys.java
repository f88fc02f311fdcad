package dev.outpost.runtime.state;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of a state, derived from the secret of its owner. A chunk's name depends on its content and on the key. So owners with
 * different keys never share a chunk, and a name tells nothing about the content.
 */
final class StateKeys {
    /** The size of the secret, of a chunk's name and of a manifest's code, in bytes. */
    static final int BYTES = 32;

    private static final String HMAC = "HmacSHA256";

    private final Mac names;
    private final Mac manifests;

    StateKeys(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException(
                    "state: expected a key of " + BYTES + " bytes, got " + secret.length + " bytes");
        }
        names = mac(mac(secret).doFinal("chunks".getBytes(StandardCharsets.US_ASCII)));
        manifests = mac(mac(secret).doFinal("manifests".getBytes(StandardCharsets.US_ASCII)));
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

    /** Returns the name of a chunk with the first {@code length} of these bytes. */
    byte[] name(byte[] content, int length) {
        names.update(content, 0, length);
        return names.doFinal();
    }

    /** Returns the code that authenticates a manifest. */
    byte[] code(byte[] manifest, int from) {
        manifests.update(manifest, from, manifest.length - from);
        return manifests.doFinal();
    }
}
