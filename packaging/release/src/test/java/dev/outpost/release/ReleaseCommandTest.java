package dev.outpost.release;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests releases of a small repository, in which the script "outpost" records its calls. */
class ReleaseCommandTest {
    private static final LocalDate DATE = LocalDate.of(2026, 12, 1);
    private static final String CHANGELOG = "CHANGELOG.md";
    /** No text in UTF-8, with the version in it. */
    private static final byte[] BINARY = "\0\u00ff 7.1.0-SNAPSHOT".getBytes(StandardCharsets.ISO_8859_1);

    @TempDir
    Path folder;

    private Path root;
    private Path directory;
    private Path calls;
    private SourceRepository repository;

    @BeforeEach
    void createRepository() throws Exception {
        root = Files.createDirectories(folder.resolve("project"));
        directory = folder.resolve("release");
        calls = folder.resolve("calls");
        repository = new SourceRepository(root);
        repository.git("init", "--quiet", "--initial-branch", "main");
        repository.git("config", "user.name", "Test");
        repository.git("config", "user.email", "test@example.com");
        write(
                "pom.xml",
                "<artifactId>outpost-parent</artifactId>\n<version>7.1.0-SNAPSHOT</version>\n<other>7.1.0</other>\n");
        write("README.md", "Version 7.1.0-SNAPSHOT\n");
        Files.write(root.resolve("image.bin"), BINARY);
        write(CHANGELOG, "# Changelog\n\n## [Unreleased]\n\n- All.\n");
        script(
                "outpost",
                "echo \"outpost $*\" >> '" + calls
                        + "'\nif [ \"$1\" = publish ]; then mkdir -p \"$2\"; cp pom.xml \"$2\"; fi\n");
        script(
                "packaging/release/images",
                "echo \"images $1\" >> '" + calls + "'\nmkdir -p \"$2\"; echo image > \"$2/index.json\"\n");
        commit("Begin");
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void script(String name, String body) throws IOException {
        write(name, "#!/bin/sh\nset -eu\n" + body);
        assertTrue(root.resolve(name).toFile().setExecutable(true));
    }

    private void commit(String message) throws IOException, InterruptedException {
        repository.git("add", "--all");
        repository.git("commit", "--quiet", "--message", message);
    }

    private void release(String version, String... more) throws IOException, InterruptedException {
        List<String> arguments = Stream.concat(Stream.of(version, directory.toString()), Arrays.stream(more))
                .toList();
        new ReleaseCommand(root, ReleaseOptions.parse(arguments, folder), DATE).run();
    }

    private String refused(String version) {
        return assertThrows(ReleaseException.class, () -> release(version)).getMessage();
    }

    @Test
    void aReleaseIsTestedPublishedAndTagged() throws Exception {
        release("7.1.0");
        assertEquals(
                List.of("outpost test", "outpost publish " + directory.resolve("maven"), "images 7.1.0"),
                Files.readAllLines(calls));
        String published = "<artifactId>outpost-parent</artifactId>\n<version>7.1.0</version>\n<other>7.1.0</other>\n";
        assertEquals(published, Files.readString(directory.resolve("maven/pom.xml")));
        assertEquals(published.stripTrailing(), repository.git("show", "v7.1.0:pom.xml"));
        assertEquals("Version 7.2.0-SNAPSHOT\n", Files.readString(root.resolve("README.md")));
        assertTrue(
                Files.readString(root.resolve("pom.xml")).contains("<other>7.1.0</other>"), "versions of others stay");
        assertTrue(Files.readString(root.resolve(CHANGELOG)).contains("## [7.1.0] - 2026-12-01\n\n- All.\n"));
        assertArrayEquals(BINARY, Files.readAllBytes(root.resolve("image.bin")), "files that are no texts stay");
        assertEquals("main", repository.git("branch", "--show-current"));
        assertTrue(repository.isClean());
        String notes = Files.readString(directory.resolve("RELEASE-NOTES.md"));
        assertEquals("# Outpost 7.1.0\n\n- All.\n\n## Commits\n\n- Begin\n", notes);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void checksumsAreOfAllFiles() throws Exception {
        release("7.1.0", "--without-tests");
        new Subprocesses(directory).output("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS");
        List<String> names = Files.readAllLines(directory.resolve("SHA256SUMS")).stream()
                .map(line -> line.substring(line.indexOf(' ') + 2))
                .toList();
        assertEquals(List.of("RELEASE-NOTES.md", "images/index.json", "maven/pom.xml"), names);
    }

    @Test
    void theNextReleaseIsComparedWithTheLast() throws Exception {
        release("7.1.0", "--without-tests", "--without-images");
        write(
                CHANGELOG,
                Files.readString(root.resolve(CHANGELOG)).replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n"));
        write(
                "pod.yaml",
                "image: ghcr.io/outpost-dev/runtime:7.1.0\nother: other/runtime:7.1.0, outpost-dev/runtime:7.1.01\n");
        commit("Add more");
        directory = folder.resolve("second");
        release("7.2.0", "--without-images");
        String pod =
                "image: ghcr.io/outpost-dev/runtime:7.2.0\nother: other/runtime:7.1.0, outpost-dev/runtime:7.1.01\n";
        assertEquals(pod, Files.readString(root.resolve("pod.yaml")), "images have the version of the last release");
        List<String> all = Files.readAllLines(calls);
        assertEquals(List.of("outpost test", "outpost api-changes --since v7.1.0"), all.subList(1, 3));
        String notes = Files.readString(directory.resolve("RELEASE-NOTES.md"));
        assertEquals(
                "# Outpost 7.2.0\n\n- More.\n\n## Commits since 7.1.0\n\n- Add more\n- Begin 7.2.0-SNAPSHOT\n", notes);
    }

    @Test
    void aFailedStepLeavesTheRepositoryAsItWas() throws Exception {
        script("outpost", "[ \"$1\" != publish ]\n");
        commit("Fail");
        String before = repository.git("rev-parse", "HEAD");
        assertTrue(refused("7.1.0").contains("publish"));
        assertEquals(before, repository.git("rev-parse", "HEAD"));
        assertEquals("", repository.git("tag", "--list"));
        assertEquals(1, repository.git("worktree", "list").lines().count());
        assertTrue(repository.isClean());
    }

    @Test
    void aTagThatCannotBeSignedLeavesTheBranchAsItWas() throws Exception {
        repository.git("config", "tag.gpgSign", "true");
        repository.git("config", "gpg.program", "false");
        String before = repository.git("rev-parse", "HEAD");
        assertTrue(refused("7.1.0").contains("git tag"));
        assertEquals(before, repository.git("rev-parse", "HEAD"));
        assertEquals("", repository.git("tag", "--list"));
    }

    @Test
    void aBranchThatMovedMeanwhileGetsNoTag() throws Exception {
        script("outpost", "git -C '" + root + "' commit --quiet --allow-empty --message Meanwhile\n");
        commit("Move");
        assertTrue(refused("7.1.0").contains("git merge"));
        assertEquals("", repository.git("tag", "--list"));
        assertEquals("Meanwhile", repository.git("log", "-1", "--format=%s"));
    }

    @Test
    void allProblemsAreToldAtOnce() throws Exception {
        repository.git("tag", "v7.1.0");
        write(CHANGELOG, "## [Unreleased]\n");
        write("directory/file", "");
        directory = root.resolve("directory");
        String problems = refused("7.1.0");
        assertTrue(problems.contains("changes that are not committed"), problems);
        assertTrue(problems.contains("the last release is 7.1.0"), problems);
        assertTrue(problems.contains("no unreleased changes"), problems);
        assertTrue(problems.contains("is not empty"), problems);
        assertFalse(Files.exists(calls));
    }

    @Test
    void argumentsAreChecked() {
        assertThrows(ReleaseException.class, () -> ReleaseOptions.parse(List.of("7.1.0"), folder));
        assertThrows(ReleaseException.class, () -> ReleaseOptions.parse(List.of("0.1", "x"), folder));
        assertThrows(ReleaseException.class, () -> ReleaseOptions.parse(List.of("7.1.0", "x", "--unknown"), folder));
        assertThrows(ReleaseException.class, () -> ReleaseOptions.parse(List.of("7.1.0", "x", "--key"), folder));
    }
}
