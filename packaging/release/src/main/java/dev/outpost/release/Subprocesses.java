package dev.outpost.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs other programs in a folder. */
record Subprocesses(Path folder) {
    /**
     * Runs a program whose output goes to the terminal.
     *
     * @throws ReleaseException if it fails
     */
    void run(List<String> command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start()
                .waitFor();
        requireSuccess(command, status);
    }

    /**
     * Runs a program and returns its output without white space at its end.
     *
     * @throws ReleaseException if it fails
     */
    String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes());
        requireSuccess(List.of(command), process.waitFor());
        return output.stripTrailing();
    }

    private static void requireSuccess(List<String> command, int status) {
        if (status != 0) {
            throw new ReleaseException(String.join(" ", command) + " failed with status " + status);
        }
    }
}
