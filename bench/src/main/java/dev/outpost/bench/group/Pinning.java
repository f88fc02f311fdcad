package dev.outpost.bench.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Pins processes to one processor each, with taskset. */
final class Pinning {
    private Pinning() {}

    /** Returns the prefix of a command that runs on the processor of a member. */
    static List<String> command(int member) {
        int processor = member % Runtime.getRuntime().availableProcessors();
        return List.of("taskset", "-c", String.valueOf(processor));
    }

    /**
     * Writes a program that replaces {@code java}, and pins its n-th start to a processor.
     *
     * @param membersOfProcessor number of consecutive starts that share a processor
     */
    static Path java(Path folder, int membersOfProcessor) throws IOException {
        Path program = folder.resolve("java-on-" + membersOfProcessor);
        Files.writeString(program, """
                #!/bin/sh
                # The starts take their numbers in turn.
                n=$(flock "%1$s/lock" sh -c 'n=$(cat "%1$s/next" 2>/dev/null || echo 0); echo $((n + 1)) > "%1$s/next"; echo $n')
                exec taskset -c $((n / %2$d %% %3$d)) "%4$s" "$@"
                """.formatted(
                        Files.createDirectories(folder.resolve("turns-" + membersOfProcessor)),
                        membersOfProcessor,
                        Runtime.getRuntime().availableProcessors(),
                        ProcessHandle.current().info().command().orElseThrow()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program;
    }
}
