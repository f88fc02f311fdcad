package dev.outpost.cli.backend.job;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.FileUpload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Sends the program of a job to a backend. */
public final class JobUpload {
    private JobUpload() {}

    /** Sends the file, and returns its SHA-256 once the backend has all of it. */
    public static String send(BackendClient client, Path file) {
        ProgramJar.check(file);
        return FileUpload.send(client, file);
    }

    /** Checks the file, and returns its SHA-256 without sending it. */
    public static String sha256(Path file) {
        ProgramJar.check(file);
        try {
            return FileUpload.sha256(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
