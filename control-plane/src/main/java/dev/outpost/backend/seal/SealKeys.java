package dev.outpost.backend.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that seal values with AES-GCM with 256 bits (NIST SP 800-38D). The first key seals. Every key opens. So a key is rotated by a
 * new key in front of it. Thread-safe.
 */
public final class SealKeys {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();
    private final SecureRandom random;

    /**
     * @param text {@code NAME:KEY}, the key as 32 bytes in URL-safe Base64; several are separated by commas, and the first one seals
     */
    public SealKeys(String text, SecureRandom random) {
        this.random = random;
        for (String one : text.split(",")) {
            String[] parts = one.strip().split(":", 2);
            if (parts.length != 2 || !parts[0].matches("[a-z0-9-]{1,40}")) {
                throw refused();
            }
            keys.put(parts[0], key(parts[1]));
        }
    }

    private SealKeys(SecureRandom random) {
        this.random = random;
    }

    /** Returns an object without keys. Sealing fails with a message that says how to set a key. */
    public static SealKeys none(SecureRandom random) {
        return new SealKeys(random);
    }

    /** True if there is a key to seal with. */
    public boolean isReady() {
        return !keys.isEmpty();
    }

    private static SecretKeySpec key(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length == KEY_BYTES) {
                return new SecretKeySpec(bytes, "AES");
            }
        } catch (IllegalArgumentException ignored) {
            throw refused();
        }
        throw refused();
    }

    private static IllegalArgumentException refused() {
        return new IllegalArgumentException(
                "seal-key: expected NAME:KEY with 32 bytes in URL-safe Base64, several of them"
                        + " separated by commas, got something else");
    }

    /** Draws a new key, in the form of the setting. */
    public static String draw(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return "k" + Integer.toHexString(random.nextInt(1 << 16)) + ":"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the name of the key that seals. */
    public String current() {
        if (keys.isEmpty()) {
            throw new IllegalStateException(
                    "jobs, secrets and webhooks need OUTPOST_BACKEND_SEAL_KEY, the same for all replicas");
        }
        return keys.keySet().iterator().next();
    }

    /** @param place the thing that the value belongs to; a sealed value does not open at another place */
    public Sealed seal(String place, byte[] value) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, current(), nonce, place).doFinal(value);
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return new Sealed(current(), all);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @throws IllegalStateException if its key is missing, or the value belongs to another place or was changed */
    public byte[] open(String place, Sealed sealed) {
        if (!keys.containsKey(sealed.keyName())) {
            throw new IllegalStateException("seal-key: " + place + " was sealed by key " + sealed.keyName()
                    + ", which is not among " + keys.keySet() + "; add it to the setting");
        }
        byte[] nonce = Arrays.copyOf(sealed.bytes(), NONCE_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, sealed.keyName(), nonce, place)
                    .doFinal(sealed.bytes(), NONCE_BYTES, sealed.bytes().length - NONCE_BYTES);
        } catch (GeneralSecurityException ignored) {
            throw new IllegalStateException(
                    "seal-key: " + place + " does not open: it was sealed for another place, or changed");
        }
    }

    // ---- tokens

    /** Returns a token that only a holder of the key can make, so it need not be stored. */
    public String token(String purpose) {
        return token(current(), purpose);
    }

    /** True if one of the keys made the token. */
    public boolean isToken(String purpose, String token) {
        byte[] said = token.getBytes(StandardCharsets.UTF_8);
        return keys.keySet().stream()
                .anyMatch(name -> MessageDigest.isEqual(token(name, purpose).getBytes(StandardCharsets.UTF_8), said));
    }

    /** Makes a token with a separate key, which is derived from the sealing key. */
    private String token(String name, String purpose) {
        byte[] own = hmac(keys.get(name).getEncoded(), "tokens");
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hmac(own, purpose));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Cipher cipher(int mode, String name, byte[] nonce, String place) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, keys.get(name), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "SealKeys" + keys.keySet();
    }
}
