package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.documents.SourceCompiler;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start script of {@code ./outpost jshell} is Java that runs, and every class of users can be named by its simple
 * name.
 */
class StartupScriptTest {
    private static final Path SCRIPT = Path.of("../../cli/core/src/main/jshell/startup.jsh");

    /** The packages that JShell imports by itself. */
    private static final List<String> OF_JSHELL = List.of(
            "java.io",
            "java.math",
            "java.net",
            "java.nio.file",
            "java.util",
            "java.util.concurrent",
            "java.util.function",
            "java.util.prefs",
            "java.util.regex",
            "java.util.stream");

    @Test
    void everyPublicPackageOfUsersIsImported() throws IOException {
        List<String> lines = Files.readAllLines(SCRIPT);
        var expected = users().map(name -> "import " + name + ".*;").collect(Collectors.toCollection(TreeSet::new));
        var imported =
                lines.stream().filter(line -> line.endsWith(".*;")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, imported);
    }

    /** The script as the source of a class, which takes a fraction of JShell's time. */
    @Test
    void noNameIsAmbiguous(@TempDir Path folder) throws IOException {
        List<String> lines = Files.readAllLines(SCRIPT);
        String imports = Stream.concat(
                        OF_JSHELL.stream().map(name -> "import " + name + ".*;"),
                        lines.stream().filter(line -> line.startsWith("import ")))
                .collect(Collectors.joining("\n"));
        String statements =
                lines.stream().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
        Path source = Files.writeString(
                folder.resolve("Startup.java"),
                imports + "\nclass Startup {\n  void run() throws Exception {\n" + statements + "\n" + named() + "\n"
                        + "machine.close();\n}}\n");
        assertEquals("", SourceCompiler.compile(List.of(source), folder));
    }

    @Test
    @Tag("full")
    void aMachineIsThereAndNoNameIsAmbiguous() throws IOException {
        // A local shell makes its own class loader that of the thread, which finds classes slowly.
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        String named = named();
        try {
            run(named);
        } finally {
            Thread.currentThread().setContextClassLoader(loader);
        }
    }

    /** A declaration with the simple names of all public classes of users. */
    private static String named() {
        Map<String, List<Class<?>>> packages = ApiDescriptionTest.packages();
        return users().flatMap(name -> packages.getOrDefault(name, List.of()).stream())
                .filter(type -> !type.isMemberClass() && Modifier.isPublic(type.getModifiers()))
                .map(type -> type.getSimpleName() + ".class")
                .collect(Collectors.joining(", ", "Class<?>[] named = {", "};"));
    }

    private static void run(String named) throws IOException {
        try (JShell shell = JShell.builder().executionEngine("local").build()) {
            shell.addToClasspath(System.getProperty("java.class.path"));
            for (String name : OF_JSHELL) {
                accept(shell, "import " + name + ".*;");
            }
            for (String line : Files.readAllLines(SCRIPT)) {
                accept(shell, line);
            }
            accept(shell, named);
            accept(shell, "machine.close();");
        }
    }

    private static Stream<String> users() {
        return ApiDescriptionTest.PUBLIC.stream()
                .filter(name -> !name.startsWith("dev.outpost.channel") && !name.startsWith("dev.outpost.provider"));
    }

    private static void accept(JShell shell, String line) {
        if (line.isBlank()) {
            return;
        }
        for (SnippetEvent event : shell.eval(line)) {
            String problems = shell.diagnostics(event.snippet())
                    .map(problem -> problem.getMessage(null))
                    .collect(Collectors.joining("; "));
            assertEquals(Snippet.Status.VALID, event.status(), line + ": " + problems);
            assertEquals(null, event.exception(), line);
        }
    }
}
