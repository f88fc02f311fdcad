package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java that the image brings has all that the runtime needs. */
@Tag("full")
class LinkedRuntimeTest {
    private static final Path OPTIONS = DeployFolder.ROOT.resolve("image/java.options");
    private static final Path RUNTIME = Path.of(System.getProperty("outpost.runtime.jar"));

    @TempDir
    private Path folder;

    @Test
    void machineComputesOnTheLinkedJava() throws IOException, InterruptedException {
        Path java = link(folder.resolve("java")).resolve("bin/java");
        Process runtime = new ProcessBuilder(
                        java.toString(),
                        "@" + OPTIONS,
                        "-jar",
                        RUNTIME.toString(),
                        "--host",
                        "127.0.0.1",
                        "--port",
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Map<String, String> said = firstLines(runtime);
            assertTrue(said.get("device").contains("OpenBLAS"), said::toString);
            try (RemoteMachine machine = RemoteMachine.connect(said.get("endpoint"), said.get("token"));
                    Tensor ones = machine.ones(64, 64)) {
                assertEquals(64 * 64 * 64, ones.matmul(ones).sum().itemDouble());
            }
        } finally {
            runtime.destroy();
            runtime.waitFor();
        }
    }

    private static Path link(Path target) {
        Containerfile file = Containerfile.parse(DeployFolder.read(DeployFolder.ROOT.resolve("Containerfile")));
        Matcher options = Pattern.compile("jlink --output \\S+ (.*)")
                .matcher(file.running("jlink").rest());
        assertTrue(options.find());
        String[] arguments = ("--output " + target + " " + options.group(1)).split(" ");
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output);
        assertEquals(
                0, ToolProvider.findFirst("jlink").orElseThrow().run(printer, printer, arguments), output::toString);
        return target;
    }

    /** The first lines of a runtime, by the first word. */
    private static Map<String, String> firstLines(Process runtime) throws IOException {
        Map<String, String> said = new HashMap<>();
        BufferedReader lines = runtime.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = List.of(line.split(" +", 2));
            said.put(words.getFirst(), words.getLast());
            if (words.getFirst().equals("device")) {
                return said;
            }
        }
        throw new AssertionError("the runtime did not start: " + said);
    }
}
