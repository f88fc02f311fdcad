package dev.outpost.cli.backend.job;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.FileUpload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Sends the program of a job to a backend. */
public final class JobUpload {
    private JobUpload() {}

    /** Sends the file, and returns its SHA-256 once the backend has all of it. */
    public static String send(BackendClient client, Path file) {
        ProgramJar.check(file);
        AtomicLong sent = new AtomicLong();
        try (CommandProgress.Task task =
                CommandProgress.ofProcess().bytes("uploading " + file.getFileName(), Files.size(file), sent::get)) {
            return FileUpload.send(client, file, sent::set);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
