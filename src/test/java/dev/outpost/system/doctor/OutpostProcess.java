package dev.outpost.system.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A command in a process of its own, whose environment has only what the test gives it. */
public record OutpostProcess(int status, String output) {

    /** The command line, as the launcher starts it. */
    public static OutpostProcess outpost(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.outpost.cli.Outpost"));
        command.addAll(List.of(arguments));
        return run(environment, command);
    }

    static OutpostProcess run(Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new OutpostProcess(process.waitFor(), output);
    }

    /** Whether a row of the table begins with the name and the status. */
    boolean hasRow(String check, String status) {
        return output.lines().anyMatch(line -> line.matches(check + " +" + status + " .*"));
    }
}
