package dev.outpost.backend.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of this host.
 *
 * @param folders the folders in which they are searched, in this order
 */
public record Tools(List<Path> folders) {
    private static final List<String> SYSTEM = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final int TIMEOUT_SECONDS = 120;

    public Tools {
        folders = List.copyOf(folders);
    }

    /** Searches the folders of the PATH, and folders of the system that a user's PATH may lack. */
    public static Tools ofPath() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return new Tools(Stream.concat(Arrays.stream(path.split(File.pathSeparator)), SYSTEM.stream())
                .filter(folder -> !folder.isBlank())
                .distinct()
                .map(Path::of)
                .toList());
    }

    public Optional<Path> find(String program) {
        return folders.stream()
                .map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The output of a command, and its exit status. */
    record Result(int status, String output) {
        boolean isSuccess() {
            return status == 0;
        }
    }

    /**
     * Runs a command and waits for its end. Its output goes to a file, because a server that it starts in the background would keep a pipe
     * open.
     */
    static Result run(List<String> command) throws IOException {
        Path output = Files.createTempFile("outpost-command", ".log");
        try {
            Process process = new ProcessBuilder(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(output.toFile())
                    .directory(new File("/"))
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command.getFirst() + " did not end within " + TIMEOUT_SECONDS + " s");
            }
            return new Result(process.exitValue(), Files.readString(output).strip());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("told to stop while " + command.getFirst() + " ran", interrupted);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
