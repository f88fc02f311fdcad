package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.house.structure.ClassCycles;
import dev.outpost.house.structure.ClassDependencies;
import dev.outpost.house.structure.ModuleFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No cycle of files has more than twelve. Larger ones are listed in {@code class-cycles.txt} with their number of files, which may only
 * become smaller; {@code ./outpost structure} prints them.
 */
class ClassCyclesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final int MAX_FILES = 12;

    @Test
    void onlyTheListedCyclesAreLarge() throws IOException {
        Map<String, Set<String>> uses = ClassDependencies.of(ModuleFolders.compiledClasses(ROOT).stream())
                .uses();
        assertTrue(uses.containsKey("dev.outpost.Tensor"), "the modules are compiled");
        List<Set<String>> large = ClassCycles.of(uses).stream()
                .filter(cycle -> cycle.size() > MAX_FILES)
                .toList();
        assertEquals(listed(), large.stream().map(ClassCyclesTest::text).collect(Collectors.joining("\n")));
    }

    /** The number of files, and the class that names the cycle: the one with the shortest name. */
    private static String text(Set<String> cycle) {
        String name = cycle.stream()
                .min((one, other) -> Integer.compare(one.length(), other.length()))
                .orElseThrow();
        return cycle.size() + " " + name;
    }

    private static String listed() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("src/test/resources/architecture/class-cycles.txt"))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
        }
    }
}
