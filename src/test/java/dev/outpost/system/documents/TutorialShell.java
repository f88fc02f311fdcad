package dev.outpost.system.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/** A JShell in a JVM of its own, with the imports and the machine of {@code ./outpost jshell}. */
final class TutorialShell implements AutoCloseable {
    private static final Path STARTUP = Path.of("../../cli/core/src/main/jshell/startup.jsh");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final JShell shell;

    TutorialShell() throws IOException {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        shell = JShell.builder()
                .out(out)
                .err(out)
                .remoteVMOptions(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                        "-Dfile.encoding=UTF-8",
                        "-Dstdout.encoding=UTF-8",
                        "-Doutpost.progress=off")
                .build();
        shell.addToClasspath(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        run(
                "import java.io.*;\nimport java.nio.file.*;\nimport java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n");
        try (Stream<String> lines = Files.lines(STARTUP)) {
            run(lines.filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n")));
        }
        // The pages show results of the mock, whichever machine the command opens.
        run("var machine = RemoteMachine.of(\"mock\", \"A100\");");
    }

    /** Runs the statements of a block, and returns what they printed. */
    String run(String code) {
        printed.reset();
        String rest = code;
        while (!rest.isBlank()) {
            CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
            if (!next.completeness().isComplete()) {
                throw new AssertionError("no complete statement: " + rest);
            }
            for (SnippetEvent event : shell.eval(next.source())) {
                check(event);
            }
            rest = next.remaining();
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void check(SnippetEvent event) {
        if (event.status() == Snippet.Status.REJECTED) {
            List<String> problems = shell.diagnostics(event.snippet())
                    .map(problem -> problem.getMessage(null))
                    .toList();
            throw new AssertionError(event.snippet().source() + ": " + problems);
        }
        if (event.exception() != null) {
            throw new AssertionError(event.snippet().source() + " failed: " + printed, event.exception());
        }
    }

    @Override
    public void close() {
        shell.close();
    }
}
