package dev.outpost.backend.seal;

/**
 * A value that only a holder of the key can read.
 *
 * @param keyName the name of the key that sealed it
 * @param bytes nonce, ciphertext and tag
 */
public record Sealed(String keyName, byte[] bytes) {}
