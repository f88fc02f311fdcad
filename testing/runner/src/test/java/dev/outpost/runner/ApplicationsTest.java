package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class ApplicationsTest {
    @TempDir
    private Path root;

    private Modules modules;
    private Path source;
    private Path jar;

    @BeforeEach
    void build() throws IOException {
        modules = TestTree.in(root);
        source = write("a/core/src/main/java/x/Sender.java");
        jar = write("b/target/outpost-b-1.0-runner.jar");
        applications().markBuilt();
    }

    private Applications applications() throws IOException {
        return new Applications(root, modules, Files.createDirectories(root.resolve("target/test")));
    }

    private Path write(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, "");
    }

    @Test
    void nothingHasChanged() throws IOException {
        assertTrue(applications().areBuilt());
        write("a/core/src/test/java/x/SenderTest.java");
        write("a/core/target/classes/x/Sender.class");
        assertTrue(applications().areBuilt(), "neither tests nor classes count");
    }

    @Test
    void noRunHasBuiltThem() throws IOException {
        Files.delete(root.resolve("target/test/applications"));
        assertFalse(applications().areBuilt());
    }

    @Test
    void aSourceHasChanged() throws IOException {
        Files.writeString(source, "class Sender {}");
        assertFalse(applications().areBuilt());
    }

    @Test
    void aSourceIsGone() throws IOException {
        Files.delete(source);
        assertFalse(applications().areBuilt());
    }

    @Test
    void aDependencyHasChanged() throws IOException {
        Files.writeString(root.resolve("b/pom.xml"), "<project/>");
        assertFalse(applications().areBuilt());
    }

    @Test
    void anApplicationIsGone() throws IOException {
        Files.delete(jar);
        assertFalse(applications().areBuilt());
    }

    @Test
    void aChangeDuringTheRunCountsAsOneAfterIt() throws IOException {
        Applications run = applications();
        Files.writeString(source, "class Sender {}");
        run.markBuilt();
        assertFalse(applications().areBuilt());
    }
}
