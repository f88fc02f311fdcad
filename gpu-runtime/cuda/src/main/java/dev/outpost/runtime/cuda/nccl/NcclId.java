package dev.outpost.runtime.cuda.nccl;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The id by which the members of a communicator find each other: {@value #BYTES} bytes that the first member draws.
 * Any process that knows the bytes can join, so they are sealed with the group's grant when they are sent. A sealed
 * id is bound to the number of its communicator.
 */
public record NcclId(byte[] bytes) {
    static final int BYTES = 128;

    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;

    public NcclId {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("nccl: an id has " + BYTES + " bytes, got " + bytes.length);
        }
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Seals the id for the other members.
     *
     * @param grant the group's secret
     * @param communicator the number of the communicator in the group; each number is sealed once
     */
    public byte[] seal(String grant, long communicator) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, grant, communicator).doFinal(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is missing", impossible);
        }
    }

    /**
     * Opens a sealed id.
     *
     * @throws IllegalArgumentException if the bytes are not from a member of that group, or belong to another communicator
     */
    public static NcclId open(byte[] sealed, String grant, long communicator) {
        try {
            return new NcclId(cipher(Cipher.DECRYPT_MODE, grant, communicator).doFinal(sealed));
        } catch (GeneralSecurityException failure) {
            throw new IllegalArgumentException(
                    "nccl: the id of communicator " + communicator + " is not sealed by the group's grant", failure);
        }
    }

    /**
     * Returns the cipher that seals or opens an id. The key belongs to one communicator and seals only one message, so its nonce may be
     * fixed.
     */
    private static Cipher cipher(int mode, String grant, long communicator) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(grant.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] key = mac.doFinal(("nccl communicator " + communicator).getBytes(StandardCharsets.UTF_8));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, new byte[NONCE_BYTES]));
        return cipher;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NcclId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Hides the bytes, which are secret. */
    @Override
    public String toString() {
        return "NcclId[" + BYTES + " bytes]";
    }
}
