package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests that the documents name exist: a class between back quotes, perhaps with a method behind a dot. */
@Tag("quick")
class NamedTestsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern NAME = Pattern.compile("`(?:[a-z]+\\.)*([A-Z]\\w*Test)(?:\\.(\\w+))?`");

    @Test
    void documentsNameTestsThatExist() throws IOException {
        Map<String, String> tests = tests();
        List<String> missing = new ArrayList<>();
        for (Path page : files("docs", ".md")) {
            NAME.matcher(Files.readString(page))
                    .results()
                    .filter(name -> !exists(tests, name))
                    .forEach(name -> missing.add(page.getFileName() + ": " + name.group()));
        }
        assertEquals(List.of(), missing);
    }

    private static boolean exists(Map<String, String> tests, MatchResult name) {
        String source = tests.get(name.group(1));
        return source != null && (name.group(2) == null || source.contains(" " + name.group(2) + "("));
    }

    /** The sources of all tests, by the names of their classes; of two with one name, both. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new TreeMap<>();
        for (Path file : files("", "Test.java")) {
            String name = file.getFileName().toString().replace(".java", "");
            tests.merge(name, Files.readString(file), String::concat);
        }
        return tests;
    }

    private static List<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
