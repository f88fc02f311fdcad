package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.documents.DocumentPage;
import dev.outpost.support.documents.SourceCompiler;
import dev.outpost.support.tests.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code of all documents compiles exactly as it is shown, and runs, with the output that the page shows. A block with the title
 * "needs a cluster" or the like is only compiled.
 */
class DocumentCodeTest {
    /** The services that a block can require. */
    private static final Set<String> PARTS = Set.of("backend", "cluster", "endpoint", "server", "store", "workers");

    /** Such pages use the client of OpenAI, which only the tests of the module serving have. */
    private static final String OF_SERVING = "server";

    private static final Pattern COMMAND =
            Pattern.compile("\\$ ((?:\\w+=\\S+ )*)(?:java|\\./outpost run) (\\w+)\\.java");
    private static final Pattern NUMBER = Pattern.compile("\\d\\d:\\d\\d:\\d\\d|\\d+(?:[.,]\\d+)*(?:[eE]-?\\d+)?");

    @TempDir
    private static Path folder;

    private static List<DocumentPage> pages;
    private static Path classes;

    @BeforeAll
    static void read() throws IOException {
        // The tutorials are sessions of JShell, in which a method stands alone.
        pages = DocumentPage.all(Path.of("../..")).stream()
                .filter(page -> !page.path().startsWith("docs/tutorials"))
                .toList();
        classes = Files.createDirectory(folder.resolve("classes"));
    }

    @Test
    void blocksSayWhatTheyNeed() {
        Set<String> found = new TreeSet<>();
        for (DocumentPage page : pages) {
            for (DocumentPage.Block block : page.blocks()) {
                block.needs().ifPresent(part -> {
                    String place = page.path() + ":" + block.line();
                    assertTrue(PARTS.contains(part), () -> place + ": unknown part " + part + ", there are " + PARTS);
                    found.add(part);
                });
            }
        }
        assertEquals(new TreeSet<>(PARTS), found, "parts that blocks need");
    }

    @TestFactory
    Stream<DynamicTest> scriptsCompileAndRun() throws IOException, InterruptedException {
        List<DocumentPage> scripts = pages.stream()
                .filter(page -> page.hasScript() && !page.needs(OF_SERVING))
                .toList();
        List<Path> sources = new ArrayList<>();
        for (DocumentPage page : scripts) {
            Path source = folder.resolve("pages").resolve(page.scriptName() + ".java");
            Files.createDirectories(source.getParent());
            sources.add(Files.writeString(source, page.script()));
        }
        assertEquals("", compiled(sources));
        String printed = run(
                Map.of(),
                Files.createDirectory(folder.resolve("scripts")),
                PageRunner.class.getName(),
                scripts.stream().map(DocumentPage::scriptName).toArray(String[]::new));
        return scripts.stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.path().toString(),
                        () -> assertTrue(printed.contains(PageRunner.PASSED + page.scriptName() + "\n"), printed)));
    }

    @TestFactory
    Stream<DynamicTest> filesPrintWhatThePageShows() {
        return pages.stream()
                .flatMap(page -> page.blocks().stream()
                        .filter(DocumentPage.Block::isFile)
                        .map(block -> DynamicTest.dynamicTest(
                                page.path() + " " + block.className(), () -> printsWhatThePageShows(page, block))));
    }

    private static void printsWhatThePageShows(DocumentPage page, DocumentPage.Block file)
            throws IOException, InterruptedException {
        Path work = Files.createTempDirectory(folder, file.className());
        Path source = Files.writeString(work.resolve(file.className() + ".java"), file.code());
        assertEquals("", compiled(List.of(source)));
        List<DocumentPage.Block> sessions = page.blocks().stream()
                .filter(block -> command(block)
                        .filter(command -> command.group(2).equals(file.className()))
                        .isPresent())
                .toList();
        assertFalse(sessions.isEmpty(), () -> page.path() + ": no console shows how " + file.className() + " is run");
        for (DocumentPage.Block session : sessions) {
            Map<String, String> environment = Stream.of(
                            command(session).orElseThrow().group(1).split(" "))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.split("=", 2))
                    .collect(Collectors.toMap(word -> word[0], word -> word[1]));
            String printed = run(environment, work, file.className());
            String shown = session.code().substring(session.code().indexOf('\n') + 1);
            assertTrue(
                    matches(shown, printed),
                    () -> page.path() + ":" + session.line() + ": expected, apart from numbers\n" + shown + "\ngot\n"
                            + printed);
        }
    }

    private static Optional<Matcher> command(DocumentPage.Block block) {
        Matcher matcher = COMMAND.matcher(block.code().lines().findFirst().orElse(""));
        return block.isJava() || !matcher.matches() ? Optional.empty() : Optional.of(matcher);
    }

    /** Compares texts apart from their numbers and their spaces. A line of three dots stands for any lines. */
    static boolean matches(String shown, String printed) {
        String pattern = shown.lines()
                .map(line -> line.strip().equals("...") ? "(?:.*\n)*" : Pattern.quote(masked(line)) + "\n")
                .collect(Collectors.joining());
        String all = printed.lines().map(line -> masked(line) + "\n").collect(Collectors.joining());
        return all.matches(pattern);
    }

    private static String masked(String line) {
        return NUMBER.matcher(line).replaceAll("#").replaceAll("\\s+", " ").strip();
    }

    @Test
    void outputsAreComparedApartFromNumbers() {
        assertTrue(matches("loss 0.25\n...\nend\n", "loss 1e-3\na\nb\nend\n"));
        assertTrue(matches("10:11:12.345 waited 12.5 ms\n", "23:00:00.001  waited 3 ms\n"));
        assertFalse(matches("loss 0.25\n", "lost 0.25\n"));
        assertFalse(matches("loss 0.25\n", "loss 0.25\nmore\n"));
    }

    // ---- compiler and processes

    private static String compiled(List<Path> sources) throws IOException {
        return SourceCompiler.compile(sources, classes);
    }

    /** Runs a class and returns what it prints to both streams, without warnings of the JVM. */
    private static String run(Map<String, String> environment, Path work, String main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Doutpost.cpu.vectors=false",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "-cp",
                absoluteClassPath(),
                main));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(Await.GUARD.toSeconds(), TimeUnit.SECONDS), () -> main + " does not end");
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output).stream()
                .filter(line -> !line.startsWith("WARNING: "))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static String absoluteClassPath() {
        return Stream.concat(
                        Stream.of(classes.toString()),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
