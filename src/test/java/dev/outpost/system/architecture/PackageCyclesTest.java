package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No packages import each other, in any module. Remaining cycles are listed in cycles.txt, which may only become shorter. */
@Tag("quick")
class PackageCyclesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Set<String> LISTED = read();

    @Test
    void onlyTheListedPackagesAreInCycles() throws Exception {
        Map<String, Set<String>> packages = SourcePackages.below(ROOT);
        assertTrue(packages.containsKey("dev.outpost.bench"), "modules outside of the ordinary build are read as well");
        assertEquals(listed(), inOneLineEach(Cycles.of(packages)));
    }

    @Test
    void aCycleOverThreePackagesIsFound() {
        Map<String, Set<String>> graph =
                Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of(), "e", Set.of("a"));
        assertEquals(List.of(Set.of("a", "b", "c")), Cycles.of(graph));
    }

    @Test
    void packagesWithoutACycleAreNone() {
        assertEquals(List.of(), Cycles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of())));
    }

    @Test
    void importsAndQualifiedNamesCountButCommentsAndTextsDoNot() {
        Map<String, Set<String>> named = new TreeMap<>();
        SourcePackages.add("""
                package dev.outpost.a;
                import dev.outpost.b.B;
                import static dev.outpost.c.C.*;
                import dev.outpost.e.*;
                /** {@link dev.outpost.x.X} */
                class A { dev.outpost.d.D d = d("dev.outpost.y.Y"); } // dev.outpost.z.Z
                """, named);
        assertEquals(
                Map.of("dev.outpost.a", Set.of("dev.outpost.b", "dev.outpost.c", "dev.outpost.d", "dev.outpost.e")),
                named);
    }

    /** The remaining cycles, each as a line with its packages. */
    static Set<String> listed() {
        return LISTED;
    }

    private static Set<String> read() {
        try (Stream<String> lines = Files.lines(ROOT.resolve("src/test/resources/architecture/cycles.txt"))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Set<String> inOneLineEach(List<Set<String>> cycles) {
        return cycles.stream().map(cycle -> String.join(" ", cycle)).collect(Collectors.toCollection(TreeSet::new));
    }
}
