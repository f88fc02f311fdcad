package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedPartsTest {
    @Test
    void documentsShowTheModulesAndClassesOfTheBuild() throws IOException {
        Map<Path, String> expected =
                GeneratedParts.expected(Path.of("../..").toAbsolutePath().normalize());
        for (Map.Entry<Path, String> page : expected.entrySet()) {
            assertEquals(
                    page.getValue(),
                    Files.readString(page.getKey()),
                    page.getKey() + " differs from the sources: ./outpost architecture --write");
        }
        assertTrue(expected.values().stream().anyMatch(text -> text.contains("gpu_runtime_core")), "no diagram");
    }

    @Test
    void diagramAndTargetsOfLinksFollowFromTheFiles(@TempDir Path root) throws IOException {
        write(root, "pom.xml", "<project><modules><module>a</module><module>testing/b</module></modules></project>");
        write(root, "a/pom.xml", "<project><artifactId>outpost-a</artifactId></project>");
        write(root, "a/src/main/java/dev/a/First.java", "class First {}");
        write(root, "a/README.md", """
                [`First`], [`First`](x.md), [`Second`]
                <!-- begin: links -->
                [`Old`]: old
                <!-- end -->
                """);
        write(root, "PAGE.md", """
                <!-- begin: modules -->
                ```mermaid
                old
                ```
                <!-- end -->
                [`First`]
                <!-- begin: links -->
                <!-- end -->
                """);
        assertEquals(
                Map.of(root.resolve("a/README.md"), """
                        [`First`], [`First`](x.md), [`Second`]
                        <!-- begin: links -->
                        [`First`]: src/main/java/dev/a/First.java
                        <!-- end -->
                        """, root.resolve("PAGE.md"), """
                        <!-- begin: modules -->
                        ```mermaid
                        flowchart BT
                            a["<b>a</b><br/>dev.a"]
                        ```
                        <!-- end -->
                        [`First`]
                        <!-- begin: links -->
                        [`First`]: a/src/main/java/dev/a/First.java
                        <!-- end -->
                        """), GeneratedParts.expected(root));
    }

    private static void write(Path root, String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }
}
