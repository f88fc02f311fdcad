package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Maven project outside of this build uses the output of "./outpost publish", and runs the ten lines of the README. */
@Tag("full")
class MavenProjectTest {
    @TempDir
    Path folder;

    @Test
    void artefactsComeWithSourcesJavadocListOfPartsAndChecksums() throws Exception {
        Path artefact = Publication.shared().repository().resolve("dev/outpost/outpost-api");
        try (var files = Files.walk(artefact)) {
            List<String> names = files.map(Path::toString).toList();
            for (String ending : List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json", ".pom.sha1")) {
                assertTrue(names.stream().anyMatch(name -> name.endsWith(ending)), () -> ending + " in " + names);
            }
        }
    }

    /** No flag is given. Beside the result is one sentence that names those that matter, and what Java says of protobuf. */
    @Test
    void freshMavenProjectPrintsTheResultAndOneSentence() throws Exception {
        MavenProject project = MavenProject.compile(folder, Publication.shared());
        Printed printed = run(project);
        assertEquals(TenLines.RESULT, printed.out());
        assertEquals(
                "Outpost: start Java with --enable-native-access=ALL-UNNAMED"
                        + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED to multiply large matrices ten times as"
                        + " fast on the mock.\n",
                TenLines.withoutWarningsOfProtobuf(printed.err()));
        Printed fast = run(
                project,
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
        assertEquals(new Printed(TenLines.RESULT, ""), fast);
    }

    private static Printed run(MavenProject project, String... flags) throws Exception {
        return ExternalProgram.java(project.folder(), flags)
                .with(List.of("-cp", project.classPath(), "TenLines"))
                .run();
    }
}
