package dev.outpost.serving.gateway;

import dev.outpost.RemoteMachine;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.ProgramsApi;
import dev.outpost.serving.engine.ProgramModel;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Downloads published programs from the backend and loads them on machines. */
final class ProgramDownload {
    private static final String SCHEME = "program:";

    private ProgramDownload() {}

    /** True if the model of a deployment is a program. */
    static boolean isProgram(String model) {
        return model.startsWith(SCHEME);
    }

    /** Loads the program on a machine and waits for it. */
    static ProgramModel load(
            RemoteMachine machine, String name, String model, int waiting, Consumer<String> onFailure) {
        Path file = null;
        try {
            file = Files.createTempFile("outpost-program", ".safetensors");
            download(BackendClient.configured(), name, model.substring(SCHEME.length()), file);
            return ProgramModel.load(machine, name, file, waiting, onFailure);
        } catch (IOException failure) {
            throw new UncheckedIOException("program " + name + ": its file cannot be kept here", failure);
        } finally {
            remove(file);
        }
    }

    private static void download(BackendClient backend, String name, String sha256, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            BackendClient.Slice slice = slice(backend, name, sha256, 0);
            while (true) {
                out.write(slice.bytes());
                if (slice.isEnded()) {
                    return;
                }
                slice = slice(backend, name, sha256, slice.next());
            }
        }
    }

    private static BackendClient.Slice slice(BackendClient backend, String name, String sha256, long from) {
        return new ProgramsApi(backend).file(name, sha256, from);
    }

    private static void remove(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
