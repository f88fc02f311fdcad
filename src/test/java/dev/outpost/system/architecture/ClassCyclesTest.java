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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * No cycle of files has more than twelve. Larger cycles are listed in {@code class-cycles.txt} with their number of files, which may only
 * decrease; {@code ./outpost structure} prints them. The files of the one around {@code Tensor} are listed in {@code tensor-cycle.txt}.
 */
class ClassCyclesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final int MAX_FILES = 12;
    private static final int MAX_FILES_OF_TENSORS = 90;

    private static List<Set<String>> large;

    @BeforeAll
    static void findCycles() throws IOException {
        Map<String, Set<String>> uses = ClassDependencies.of(ModuleFolders.compiledClasses(ROOT).stream())
                .uses();
        assertTrue(uses.containsKey("dev.outpost.Tensor"), "the modules are compiled");
        large = ClassCycles.of(uses).stream()
                .filter(cycle -> cycle.size() > MAX_FILES)
                .toList();
    }

    @Test
    void onlyTheListedCyclesAreLarge() throws IOException {
        assertEquals(
                listed("class-cycles.txt"),
                large.stream().map(ClassCyclesTest::text).collect(Collectors.joining("\n")));
    }

    /** A tensor has the ops, and an op makes a tensor. The core below them does not need them. */
    @Test
    void theCycleOfTensorsHasTheListedFiles() throws IOException {
        Set<String> ofTensors = large.stream()
                .filter(cycle -> cycle.contains("dev.outpost.Tensor"))
                .findFirst()
                .orElseThrow();
        assertEquals(listed("tensor-cycle.txt"), String.join("\n", ofTensors));
        assertTrue(ofTensors.size() <= MAX_FILES_OF_TENSORS, "it has " + ofTensors.size() + " files");
        assertEquals(
                List.of(),
                ofTensors.stream()
                        .filter(name -> name.matches("dev\\.outpost\\.(client|internal\\.(graph|trace|vmap))\\..*"))
                        .toList());
    }

    /** The number of files, and the class that names the cycle: the one with the shortest name. */
    private static String text(Set<String> cycle) {
        String name = cycle.stream()
                .min((one, other) -> Integer.compare(one.length(), other.length()))
                .orElseThrow();
        return cycle.size() + " " + name;
    }

    private static String listed(String resource) throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("src/test/resources/architecture/" + resource))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
        }
    }
}
