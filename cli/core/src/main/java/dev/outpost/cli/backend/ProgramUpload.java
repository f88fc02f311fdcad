package dev.outpost.cli.backend;

import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.provider.outpost.FileUpload;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends the program of a job to a backend. */
final class ProgramUpload {
    private ProgramUpload() {}

    /** Its SHA-256, once the backend has it whole. */
    static String send(BackendClient client, Path file) {
        if (!file.getFileName().toString().endsWith(".jar") || !Files.isReadable(file)) {
            throw new IllegalArgumentException("submit: expected a jar that can be read, got " + file
                    + "; build one that holds all that it needs, and names its main class");
        }
        return FileUpload.send(client, file);
    }
}
