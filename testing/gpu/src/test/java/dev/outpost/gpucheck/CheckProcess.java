package dev.outpost.gpucheck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The check in a separate process, without this one's environment. */
record CheckProcess(int status, String output) {

    /** The command line, as the launcher starts it. */
    static CheckProcess outpost(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.outpost.cli.Outpost",
                "gpu-check"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    static CheckProcess run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CheckProcess(process.waitFor(), output);
    }

    /** Returns true if a row of the table begins with the name and the status. */
    boolean hasRow(String check, String status) {
        return output.lines().anyMatch(line -> line.matches(check + " +" + status + " .*"));
    }
}
