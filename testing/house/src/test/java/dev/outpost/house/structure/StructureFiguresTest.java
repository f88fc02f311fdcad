package dev.outpost.house.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the figures of {@code ./outpost structure}. */
class StructureFiguresTest {
    @Test
    void codeLinesLeaveOutBlankLinesAndComments() {
        assertEquals(6, CodeLines.of("""
                        /** A comment. */
                        class A { // with a comment behind it

                            /* one
                               more */ int a;
                            String text = \"""
                                two lines
                                \""";
                        }
                        """));
    }

    @Test
    void cyclesAreStronglyConnectedComponentsOfMoreThanOneFile() {
        Map<String, Set<String>> uses =
                Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of(), "e", Set.of("a"));
        assertEquals(List.of(Set.of("a", "b", "c")), ClassCycles.of(uses));
    }

    @Test
    void filesUseWhatTheirClassesName() {
        Set<String> used = ClassDependencies.of(Stream.of(Path.of("target/classes")))
                .uses()
                .get("dev.outpost.house.structure.StructureCommand");
        assertTrue(used.contains("dev.outpost.house.structure.CodeLines"), used::toString);
        assertFalse(used.contains("dev.outpost.house.source.JavaLexer"), used::toString);
    }

    /** {@link SealedSample} permits {@link PermittedSample}, which implements it. */
    @Test
    void permittedTypesDoNotCountAsUsed() {
        Map<String, Set<String>> uses =
                ClassDependencies.of(Stream.of(Path.of("target/test-classes"))).uses();
        assertEquals(Set.of(), uses.get(SealedSample.class.getName()));
        assertEquals(Set.of(SealedSample.class.getName()), uses.get(PermittedSample.class.getName()));
    }

    @Test
    void packageSizesAddUpModulesAndLeaveOutPackageInfo(@TempDir Path root) throws IOException {
        write(root.resolve("one/src/main/java/a/b/First.java"));
        write(root.resolve("one/src/main/java/a/b/package-info.java"));
        write(root.resolve("one/target/generated-sources/a/b/Generated.java"));
        write(root.resolve("two/src/main/java/a/b/Second.java"));
        write(root.resolve("two/src/main/java/a/Third.java"));
        assertEquals(Map.of("a", 1, "a.b", 2), PackageSizes.of(root));
    }

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createFile(file);
    }
}
