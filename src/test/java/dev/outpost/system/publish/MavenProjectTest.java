package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Maven project outside of this build takes what "./outpost publish" wrote, and runs the ten lines of the README. */
@Tag("full")
class MavenProjectTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(900)
    void artefactsComeWithSourcesJavadocListOfPartsAndChecksums() throws Exception {
        Path artefact = Publication.shared().repository().resolve("dev/outpost/outpost-api");
        try (var files = Files.walk(artefact)) {
            List<String> names = files.map(Path::toString).toList();
            for (String ending : List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json", ".pom.sha1")) {
                assertTrue(names.stream().anyMatch(name -> name.endsWith(ending)), () -> ending + " in " + names);
            }
        }
    }

    @Test
    @Timeout(900)
    void freshMavenProjectRunsTheTenLines() throws Exception {
        MavenProject project = MavenProject.compile(folder, Publication.shared());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String printed = Command.in(folder, java, "-cp", project.classPath(), "TenLines")
                .run()
                .out();
        assertTrue(printed.contains(TenLines.RESULT), printed);
    }
}
