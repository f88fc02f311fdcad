package dev.outpost.rest.client;

import dev.outpost.rest.job.FileView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/** Sends a file to a backend in parts, and resumes an interrupted upload. */
public final class FileUpload {
    private static final int PART = 128 * 1024;

    private FileUpload() {}

    /** Sends a file. Returns its SHA-256, in hex. */
    public static String send(BackendClient client, Path file) {
        return send(client, file, sent -> {});
    }

    /**
     * Sends a file. Returns its SHA-256, in hex.
     *
     * @param sent called with the number of bytes that the backend has
     */
    public static String send(BackendClient client, Path file, LongConsumer sent) {
        try {
            String sha256 = sha256(file);
            long size = Files.size(file);
            FileView state = put(client, path(sha256, size, 0), part(file, 0));
            while (!state.complete()) {
                sent.accept(state.next());
                state = put(client, path(sha256, size, state.next()), part(file, state.next()));
            }
            return sha256;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileView put(BackendClient client, String path, byte[] part) {
        return client.putBytes(path, part, FileView.class);
    }

    private static byte[] part(Path file, long from) throws IOException {
        try (InputStream read = Files.newInputStream(file)) {
            read.skipNBytes(from);
            return read.readNBytes(PART);
        }
    }

    private static String path(String sha256, long size, long from) {
        return "/v1/files/" + sha256 + "?size=" + size + "&from=" + from;
    }

    /** Returns the SHA-256 of a file, in hex. */
    public static String sha256(Path file) throws IOException {
        try (InputStream read = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[PART];
            for (int count = read.read(buffer); count >= 0; count = read.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
