package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The projects that "outpost init" of the zip writes run, each from an empty local repository, and print how long that took with all
 * downloads.
 */
@Tag("full")
class StartersTest {
    private static final String JBANG = "dev.jbang:jbang-cli:0.132.1";

    /** With this status JBang asks its launcher to run what it printed. */
    private static final int RUN_WHAT_WAS_PRINTED = 255;

    @TempDir
    static Path folder;

    private static Path launcher;

    @BeforeAll
    static void unpack() throws Exception {
        ExternalProgram.in(folder, "unzip", "-q", Publication.shared().zip().toString())
                .run();
        launcher = folder.resolve("outpost-" + Publication.VERSION + "/bin/outpost");
    }

    @Test
    void mavenProjectFitsTheLine() throws Exception {
        long begun = System.nanoTime();
        Path project = init("--maven");
        Printed printed = ExternalProgram.in(
                        project,
                        project.resolve("mvnw").toString(),
                        "-q",
                        "-Dmaven.repo.local=" + folder.resolve("maven-repository"))
                .with("OUTPOST_MACHINE", "mock:any")
                .run();
        assertFitted("--maven", printed, begun);
    }

    @Test
    void jbangScriptFitsTheLine() throws Exception {
        MavenProject tool = MavenProject.resolve(Files.createDirectories(folder.resolve("jbang")), JBANG);
        long begun = System.nanoTime();
        Path project = init("--jbang");
        String command = ExternalProgram.java(project, "-cp", tool.classPath(), "dev.jbang.Main", "run", "App.java")
                .with("JBANG_DIR", folder.resolve("jbang-state").toString())
                .with("JBANG_REPO", folder.resolve("jbang-repository").toString())
                .run(RUN_WHAT_WAS_PRINTED)
                .out()
                .strip();
        Printed printed = ExternalProgram.in(project, "sh", "-c", command)
                .with("OUTPOST_MACHINE", "mock:any")
                .run();
        assertFitted("--jbang", printed, begun);
    }

    @Test
    void gradleProjectFitsTheLine() throws Exception {
        Optional<Path> gradle = GradleProjectTest.gradle();
        assumeTrue(gradle.isPresent(), GradleProjectTest.MISSING);
        long begun = System.nanoTime();
        Path project = init("--gradle");
        Printed printed = ExternalProgram.in(project, gradle.get().toString(), "--quiet", "--no-daemon", "run")
                .with("GRADLE_USER_HOME", folder.resolve("gradle").toString())
                .with("OUTPOST_MACHINE", "mock:any")
                .run();
        assertFitted("--gradle", printed, begun);
    }

    private static Path init(String kind) throws Exception {
        String name = "my-app" + kind;
        ExternalProgram.in(
                        folder,
                        launcher.toString(),
                        "init",
                        name,
                        kind,
                        "--repository",
                        Publication.shared().repository().toString())
                .run();
        return folder.resolve(name);
    }

    private static void assertFitted(String kind, Printed printed, long begun) {
        System.out.printf("init %s: the first result after %.0f s%n", kind, (System.nanoTime() - begun) / 1e9);
        assertTrue(printed.out().contains("y = 3.000 x + 0.500"), () -> printed.out() + printed.err());
    }
}
