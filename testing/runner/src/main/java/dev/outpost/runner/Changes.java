package dev.outpost.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that differ from another state of the repository. */
final class Changes {
    private Changes() {}

    /**
     * Returns the files that differ from the branch point with the reference, including uncommitted and untracked ones.
     *
     * @param reference the Git reference; empty for the upstream branch
     */
    static List<String> since(Path root, String reference) throws IOException, InterruptedException {
        String other = reference.isEmpty() ? "@{upstream}" : reference;
        String base = git(root, "merge-base", "HEAD", other)
                .orElseThrow(() -> new UsageException(
                        "there is no " + other + " to compare with; name a Git reference by --since"))
                .strip();
        List<String> files = new ArrayList<>(lines(git(root, "diff", "--name-only", base)));
        files.addAll(lines(git(root, "ls-files", "--others", "--exclude-standard")));
        return files;
    }

    private static List<String> lines(Optional<String> text) {
        return text.orElse("").lines().toList();
    }

    private static Optional<String> git(Path root, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
    }
}
