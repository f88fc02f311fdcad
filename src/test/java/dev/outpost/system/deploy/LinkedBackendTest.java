package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java that the backend's image brings has all that the backend and the relay need. */
@Tag("full")
class LinkedBackendTest {
    private static final Containerfile FILE =
            Containerfile.parse(DeployFolder.read(DeployFolder.ROOT.resolve("Containerfile.backend")));

    @TempDir
    private Path folder;

    @Test
    void bothProgramsRunOnIt() throws IOException, InterruptedException {
        Path java = link(folder.resolve("java")).resolve("bin/java");
        List<String> backend = List.of(
                "@" + DeployFolder.ROOT.resolve("image/backend.options"),
                "-jar",
                System.getProperty("outpost.backend.jar"),
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString(),
                "--once-ready",
                "true");
        assertTrue(run(java, backend).contains("dashboard"));
        List<String> relay = List.of(
                "@" + DeployFolder.ROOT.resolve("image/relay.options"),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.outpost.relay.RelayMain",
                "--new-secret");
        assertTrue(run(java, relay).matches("[A-Za-z0-9_-]{43}\\s*"));
    }

    private static Path link(Path target) {
        Matcher options = Pattern.compile("jlink --output \\S+ (.*)")
                .matcher(FILE.running("jlink").rest());
        assertTrue(options.find());
        String[] arguments = ("--output " + target + " " + options.group(1)).split(" ");
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output);
        assertEquals(
                0, ToolProvider.findFirst("jlink").orElseThrow().run(printer, printer, arguments), output::toString);
        return target;
    }

    private String run(Path java, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(arguments);
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        Process process = builder.start();
        assertEquals(0, Await.ended("" + command, process), () -> command + " failed");
        return Files.readString(output);
    }
}
