package dev.outpost.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what the launchers start, in small trees of their own. A script takes the place of Java: it prints its arguments, and writes a cache
 * when it is asked for one.
 */
class LauncherTreeTest {
    private static final Path SCRIPTS =
            Path.of("../../packaging/dist/src/main/sh").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private Path java;

    private record Result(int status, String text) {}

    @BeforeEach
    void writeJava() throws IOException {
        java = folder.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25\"\n");
        script(java.resolve("bin/javac"), "exit 1");
        script(java.resolve("bin/java"), """
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*)
                            echo cache >"${argument#*=}"
                            exit "${TRAINING_STATUS:-0}" ;;
                    esac
                done
                echo "machine $OUTPOST_MACHINE java $*"
                """);
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertTrue(file.toFile().setExecutable(true));
    }

    private Path zip() throws IOException {
        Path zip = folder.resolve("zip");
        Files.createDirectories(zip.resolve("lib"));
        Files.createDirectories(zip.resolve("bin"));
        for (String name : List.of("outpost", "common.sh", "help.sh", "init.sh", "help.txt", "words.tsv")) {
            if (Files.exists(SCRIPTS.resolve(name))) {
                Files.copy(SCRIPTS.resolve(name), zip.resolve("bin").resolve(name));
            }
        }
        Files.writeString(zip.resolve("lib/outpost-cli-1.0.jar"), "");
        Files.setLastModifiedTime(zip.resolve("lib/outpost-cli-1.0.jar"), FileTime.fromMillis(1_000_000));
        Files.writeString(zip.resolve("lib/cli.classpath"), "lib/outpost-api-1.0.jar");
        return zip;
    }

    private Result run(String shell, Path launcher, Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(shell, launcher.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("OUTPOST_") || name.endsWith("_OPTIONS") || name.equals("HOME"));
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().putAll(variables);
        Process process =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes());
        return new Result(process.waitFor(), text);
    }

    private static void assertQuickStart(Result result) {
        assertEquals(0, result.status, result.text);
        assertTrue(result.text.endsWith("dev.outpost.cli.Outpost gpus\n"), result.text);
    }

    /** The mock is in the program's own JVM, so nothing but the examples is built. */
    @Test
    void exampleNeedsNoRuntime() throws Exception {
        Path tree = folder.resolve("tree");
        Path scripts = Files.createDirectories(tree.resolve("packaging/dist/src/main/sh"));
        for (String name : List.of("common.sh", "help.sh", "init.sh", "words.tsv")) {
            Files.copy(SCRIPTS.resolve(name), scripts.resolve(name));
        }
        Path launcher = Files.copy(SCRIPTS.resolve("../../../../../outpost").normalize(), tree.resolve("outpost"));
        Path source = tree.resolve("examples/src/main/java/dev/own/Hello.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "public static void main");
        Files.createDirectories(tree.resolve("examples/models/src/main/java"));
        script(tree.resolve("mvnw"), """
                echo "$*" >>maven.txt
                mkdir -p examples/models/target && echo libraries >examples/models/target/classpath
                """);
        Result result = run("sh", launcher, Map.of(), "example", "Hello", "5");
        assertEquals(0, result.status, result.text);
        assertTrue(result.text.contains("machine mock:any java "), result.text);
        assertTrue(result.text.endsWith(" dev.own.Hello 5\n"), result.text);
        assertEquals(
                "-B --projects examples/models --also-make compile\n", Files.readString(tree.resolve("maven.txt")));
        Result named = run("sh", launcher, Map.of("OUTPOST_MACHINE", "k8s:A100"), "example", "Hello");
        assertTrue(named.text.contains("machine k8s:A100 java "), named.text);
    }

    @Test
    void commandsStartFromACacheThatIsAsNewAsTheirJar() throws Exception {
        Path zip = zip();
        Map<String, String> variables =
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
        Result first = run("sh", zip.resolve("bin/outpost"), variables, "gpus");
        assertQuickStart(first);
        Path cache = onlyCache();
        assertTrue(first.text.contains("-XX:AOTCache=" + cache), first.text);
        Files.writeString(cache, "kept");
        run("sh", zip.resolve("bin/outpost"), variables, "gpus");
        assertEquals("kept", Files.readString(cache));
        Files.setLastModifiedTime(cache, FileTime.fromMillis(0));
        run("sh", zip.resolve("bin/outpost"), variables, "gpus");
        assertEquals("cache\n", Files.readString(cache));
        Files.move(zip.resolve("lib/outpost-cli-1.0.jar"), zip.resolve("lib/outpost-cli-1.1.jar"));
        Result upgraded = run("sh", zip.resolve("bin/outpost"), variables, "gpus");
        assertQuickStart(upgraded);
        assertTrue(upgraded.text.contains("-XX:AOTCache="), upgraded.text);
        assertFalse(upgraded.text.contains(cache.toString()), upgraded.text);
    }

    private Path onlyCache() throws IOException {
        try (var caches = Files.list(folder.resolve("cache/outpost"))) {
            List<Path> all = caches.toList();
            assertEquals(1, all.size(), all::toString);
            return all.getFirst();
        }
    }

    /** Not even root can write a file to /proc, whose rights say otherwise. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash"})
    void commandsStartWithoutAFolderForACache(String shell) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "there is no /proc here");
        assumeTrue(isInstalled(shell), shell + " is not installed");
        Path caches = Files.createDirectory(folder.resolve("cache"));
        Files.createSymbolicLink(caches.resolve("outpost"), Path.of("/proc"));
        Path launcher = zip().resolve("bin/outpost");
        for (Map<String, String> variables : List.of(
                Map.of("XDG_CACHE_HOME", caches.toString()),
                Map.of("XDG_CACHE_HOME", launcher.toString()),
                Map.<String, String>of())) {
            Result result = run(shell, launcher, variables, "gpus");
            assertQuickStart(result);
            assertFalse(result.text.contains("AOTCache"), result.text);
            assertTrue(result.text.startsWith("machine "), result.text);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "JAVA_TOOL_OPTIONS, -XX:+UseG1GC, false",
        "JDK_JAVA_OPTIONS, -Xmx1g -XX:+UseZGC, false",
        "JAVA_TOOL_OPTIONS, -XX:+UseTransparentHugePages, true"
    })
    void collectorOfTheUserIsTheOnlyOne(String variable, String options, boolean isSerial) throws Exception {
        Result result = run("sh", zip().resolve("bin/outpost"), Map.of(variable, options), "gpus");
        assertQuickStart(result);
        assertEquals(isSerial, result.text.contains("-XX:+UseSerialGC"), result.text);
    }

    /** A JVM ends with 130 on Ctrl-C, which some shells take for a program that ended by itself. */
    @Test
    void endedPreparationEndsTheCommand() throws Exception {
        Map<String, String> variables = new TreeMap<>();
        variables.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        variables.put("TRAINING_STATUS", "130");
        Path launcher = zip().resolve("bin/outpost");
        assertEquals(new Result(130, ""), run("sh", launcher, variables, "gpus"));
        try (var caches = Files.list(folder.resolve("cache/outpost"))) {
            assertEquals(0, caches.count());
        }
        variables.put("TRAINING_STATUS", "1");
        assertQuickStart(run("sh", launcher, variables, "gpus"));
    }

    /** The reader waits for the end of all that holds the output. */
    @ParameterizedTest
    @CsvSource({"sh, TERM", "bash, TERM", "sh, KILL", "bash, KILL"})
    void progressEndsWithTheLauncher(String shell, String signal) throws Exception {
        assumeTrue(isInstalled(shell), shell + " is not installed");
        Path work = folder.resolve("work.sh");
        Files.writeString(work, """
                . %s/common.sh
                progress_line() { echo drawn; }
                work() { : >"$1"; until [ -e "$1.end" ]; do sleep 0.1; done; }
                is_redrawn() { return 0; }
                busy "working" "" work %s
                echo "went on"
                """.formatted(SCRIPTS, folder.resolve("begun")));
        Process process = new ProcessBuilder(shell, work.toString())
                .redirectErrorStream(true)
                .start();
        Await.until("the work has begun", () -> Files.exists(folder.resolve("begun")));
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(signal.equals("KILL") ? 137 : 143, process.waitFor());
        assertFalse(text.contains("went on"), text);
        assertTrue(signal.equals("KILL") || text.endsWith("\r\u001b[K"), text);
    }

    private static boolean isInstalled(String shell) {
        return Files.isExecutable(Path.of("/bin", shell)) || Files.isExecutable(Path.of("/usr/bin", shell));
    }
}
