package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Gradle project outside of this build runs the ten lines of the README. Gradle itself is not an artefact of a Maven repository. */
@Tag("full")
class GradleProjectTest {
    /** Debian has 4.4.1, which knows neither Java 25 nor {@code mainClass}. Maven Central, PyPI and npm have no distribution. */
    static final String MISSING =
            "there is no Gradle: set GRADLE_HOME, or put gradle 9.1 or newer on the PATH; Maven Central has none, and Debian's"
                    + " 4.4.1 is too old for Java 25";

    @TempDir
    Path folder;

    @Test
    void freshGradleProjectPrintsTheResult() throws Exception {
        Optional<Path> gradle = gradle();
        assumeTrue(gradle.isPresent(), MISSING);
        Files.createDirectories(folder.resolve("src/main/java"));
        Files.writeString(folder.resolve("src/main/java/TenLines.java"), TenLines.program());
        Files.writeString(folder.resolve("settings.gradle"), "rootProject.name = 'example'\n");
        Files.writeString(folder.resolve("build.gradle"), """
                plugins { id 'application' }
                repositories {
                    maven { url = '%s' }
                    mavenCentral()
                }
                dependencies { implementation 'dev.outpost:outpost:%s' }
                application { mainClass = 'TenLines' }
                """.formatted(
                        Publication.shared().repository().toUri(), Publication.VERSION));
        Printed printed = ExternalProgram.in(folder, gradle.get().toString(), "--quiet", "--no-daemon", "run")
                .with("GRADLE_USER_HOME", folder.resolve("gradle").toString())
                .run();
        assertTrue(printed.out().contains(TenLines.RESULT), () -> printed.out() + printed.err());
    }

    static Optional<Path> gradle() {
        Stream<String> folders = Stream.concat(
                Optional.ofNullable(System.getenv("GRADLE_HOME")).map(home -> home + "/bin").stream(),
                Stream.of(System.getenv("PATH").split(File.pathSeparator)));
        return folders.map(where -> Path.of(where, "gradle"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
