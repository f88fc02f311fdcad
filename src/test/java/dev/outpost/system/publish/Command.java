package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A program that a test runs in a process of its own, in an environment without settings of Outpost and of Java. */
record Command(Path folder, List<String> words, Map<String, String> environment) {
    /** What a process printed, standard output and standard error apart. */
    record Printed(String out, String err) {}

    static Command in(Path folder, String... words) {
        return new Command(folder, List.of(words), Map.of("JAVA_HOME", System.getProperty("java.home")));
    }

    Command with(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(variable, value);
        return new Command(folder, words, more);
    }

    /** Runs it, and fails with all that it printed unless it ends with 0. */
    Printed run() throws IOException, InterruptedException {
        Path out = Files.createTempFile("out", ".txt");
        Path err = Files.createTempFile("err", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(words))
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(Command::isSetting);
            builder.environment().putAll(environment);
            int status = builder.start().waitFor();
            Printed printed = new Printed(Files.readString(out), Files.readString(err));
            assertEquals(0, status, () -> String.join(" ", words) + "\n" + printed.out() + printed.err());
            return printed;
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
