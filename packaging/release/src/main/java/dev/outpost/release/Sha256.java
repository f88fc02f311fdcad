package dev.outpost.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Checksums as {@code sha256sum} prints them. */
final class Sha256 {
    private Sha256() {}

    /** Returns the checksum of a file in hexadecimal digits. */
    static String of(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
