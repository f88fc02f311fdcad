package dev.outpost.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A {@link CopyServer} in a separate process with the runtime's JVM flags, so that its memory has pages of the same size. */
final class CopyProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream questions;
    private final BufferedReader answers;

    CopyProcess(int threads, int elements) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        command.addAll(BenchmarkedRuntime.flags());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                CopyServer.class.getName(),
                Integer.toString(threads),
                Integer.toString(elements)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader();
    }

    /** Copies once. Returns the nanoseconds. */
    long copy(CopyServer.Stride stride) throws IOException {
        questions.println(stride.name());
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process that copies has ended");
        }
        return Long.parseLong(answer);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
