package dev.outpost.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Git repository of the sources. */
final class SourceRepository {
    private static final String GIT = "git";

    private final Path root;
    private final Subprocesses programs;

    SourceRepository(Path root) {
        this.root = root;
        programs = new Subprocesses(root);
    }

    String git(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = GIT;
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return programs.output(command);
    }

    /** Returns true if no tracked file is changed and no file is untracked. */
    boolean isClean() throws IOException, InterruptedException {
        return git("status", "--porcelain").isEmpty();
    }

    /** Returns the newest release of which there is a tag. */
    Optional<ReleaseVersion> lastRelease() throws IOException, InterruptedException {
        return git("tag", "--list")
                .lines()
                .flatMap(tag -> ReleaseVersion.ofTag(tag).stream())
                .max(ReleaseVersion::compareTo);
    }

    /** Returns the first lines of the messages of all commits in a range such as {@code v0.1.0..HEAD}, the newest first. */
    List<String> commits(String range) throws IOException, InterruptedException {
        return git("log", "--no-merges", "--format=%s", range).lines().toList();
    }

    /** Work in a second work tree. */
    @FunctionalInterface
    interface TreeWork {
        void run(Path tree) throws IOException, InterruptedException;
    }

    /** Creates a second work tree of a commit, runs work in it, and removes it, also if the work fails. */
    void inWorkTree(String commit, TreeWork work) throws IOException, InterruptedException {
        Path parent = Files.createTempDirectory("outpost-work-tree");
        Path tree = parent.resolve("sources");
        git("worktree", "add", "--quiet", "--detach", tree.toString(), commit);
        try {
            work.run(tree);
        } finally {
            git("worktree", "remove", "--force", tree.toString());
            Files.deleteIfExists(parent);
        }
    }

    /** Returns the paths of the tracked text files that contain a text. A file with a byte 0 is no text file, as for Git. */
    List<String> filesWith(String text) throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        for (String file : git("ls-files").lines().toList()) {
            Path path = root.resolve(file);
            if (!Files.isRegularFile(path)) {
                continue;
            }
            String content = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
            if (content.contains(text) && content.indexOf('\0') < 0) {
                found.add(file);
            }
        }
        return found;
    }
}
