package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A program that a test runs in a separate process, in an environment without settings of Outpost and of Java. */
record ExternalProgram(Path folder, List<String> words, Map<String, String> environment) {
    /** The output of a process, with separate standard output and standard error. */
    record Printed(String out, String err) {}

    private record Result(int status, Printed printed) {}

    static ExternalProgram in(Path folder, String... words) {
        return new ExternalProgram(folder, List.of(words), Map.of("JAVA_HOME", System.getProperty("java.home")));
    }

    /** A program that the Java of this test runs. */
    static ExternalProgram java(Path folder, String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return in(folder, java).with(List.of(arguments));
    }

    /** Returns the program with more arguments. */
    ExternalProgram with(List<String> arguments) {
        List<String> all = Stream.concat(words.stream(), arguments.stream()).toList();
        return new ExternalProgram(folder, all, environment);
    }

    ExternalProgram with(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(variable, value);
        return new ExternalProgram(folder, words, more);
    }

    /** Runs it, and fails with all that it printed unless it ends with 0. */
    Printed run() throws IOException, InterruptedException {
        return run(0);
    }

    /** Runs it, and fails with all that it printed unless it ends with that status. */
    Printed run(int status) throws IOException, InterruptedException {
        Result result = execute();
        assertEquals(
                status,
                result.status(),
                () -> String.join(" ", words) + "\n" + result.printed().out()
                        + result.printed().err());
        return result.printed();
    }

    /** Runs it; true if it ends with 0. */
    boolean succeeds() throws IOException, InterruptedException {
        return execute().status() == 0;
    }

    private Result execute() throws IOException, InterruptedException {
        Path out = Files.createTempFile("out", ".txt");
        Path err = Files.createTempFile("err", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(ExternalProgram::isSetting);
            builder.environment().putAll(environment);
            int status = builder.start().waitFor();
            return new Result(status, new Printed(Files.readString(out), Files.readString(err)));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static boolean isSetting(String variable) {
        return variable.startsWith("OUTPOST_")
                || variable.equals("JAVA_TOOL_OPTIONS")
                || variable.equals("JDK_JAVA_OPTIONS");
    }
}
