package dev.outpost.system.javadoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.javadoc.DocumentedMethods.Snippet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The most important methods have examples, and the Javadoc's references to examples are valid. */
class JavadocExamplesTest {
    private static Map<String, List<Snippet>> snippets;
    private static Map<String, ExampleFile> files;

    @BeforeAll
    static void read() throws IOException {
        snippets = DocumentedMethods.snippets(Path.of("../.."));
        files = new TreeMap<>();
        try (Stream<Path> paths = Files.list(ExampleFile.FOLDER)) {
            for (Path path : paths.toList()) {
                String name = path.getFileName().toString();
                if (name.endsWith("ExamplesTest.java") && !name.equals("JavadocExamplesTest.java")) {
                    files.put(name, ExampleFile.read(path));
                }
            }
        }
    }

    @Test
    void importantMethodsHaveExamples() throws IOException {
        try (InputStream list = getClass().getResourceAsStream("/javadoc/important-methods.txt")) {
            List<String> methods = new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            assertEquals(methods.stream().sorted().distinct().toList(), methods, "the list is sorted");
            assertEquals(
                    List.of(),
                    methods.stream().filter(name -> !snippets.containsKey(name)).toList(),
                    "methods without an example");
        }
    }

    @Test
    void snippetsReferToRegions() {
        assertFalse(snippets.isEmpty());
        snippets.forEach((member, all) -> all.forEach(snippet -> {
            ExampleFile file = files.get(snippet.file());
            assertTrue(file != null && file.regions().containsKey(snippet.region()), () -> member + ": " + snippet);
        }));
    }

    @Test
    void regionsAreTestsAndAreIncluded() {
        TreeSet<String> included = snippets.values().stream()
                .flatMap(List::stream)
                .map(snippet -> snippet.file() + " " + snippet.region())
                .collect(Collectors.toCollection(TreeSet::new));
        files.forEach((name, file) -> file.regions().forEach((region, lines) -> {
            assertTrue(isTest(name, region), () -> name + ": no test is called like the region " + region);
            assertTrue(included.contains(name + " " + region), () -> name + ": no Javadoc includes " + region);
            assertNotEquals("", file.printed(region), () -> name + ": " + region + " states no result");
        }));
    }

    private static boolean isTest(String file, String region) {
        try {
            Class<?> type = Class.forName(JavadocExamplesTest.class.getPackageName() + "." + file.replace(".java", ""));
            return Stream.of(type.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(region) && method.isAnnotationPresent(Test.class));
        } catch (ClassNotFoundException ignored) {
            return false;
        }
    }
}
