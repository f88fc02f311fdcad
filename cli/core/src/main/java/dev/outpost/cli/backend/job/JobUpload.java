package dev.outpost.cli.backend.job;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.FileUpload;
import java.nio.file.Path;

/** Sends the program of a job to a backend. */
public final class JobUpload {
    private JobUpload() {}

    /** Sends the file, and returns its SHA-256 once the backend has all of it. */
    static String send(BackendClient client, Path file) {
        ProgramJar.check(file);
        return FileUpload.send(client, file);
    }
}
