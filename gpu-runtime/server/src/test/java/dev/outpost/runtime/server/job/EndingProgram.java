package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** A program of a job in tests, controlled by its first argument. It has no dependencies. */
public final class EndingProgram {
    private EndingProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path artefacts = Path.of(System.getenv("OUTPOST_JOB_ARTEFACTS"));
        switch (arguments[0]) {
            case "unreadable" -> {
                Files.writeString(artefacts.resolve("kept.txt"), "kept");
                unreadable(artefacts.resolve("gone"));
            }
            case "wait" -> new CountDownLatch(1).await();
            case "daemon" -> daemon(artefacts, arguments[1]);
            case "daemon-and-wait" -> {
                daemon(artefacts, arguments[1]);
                new CountDownLatch(1).await();
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void unreadable(Path file) throws IOException {
        Files.writeString(file, "gone");
        Files.setPosixFilePermissions(file, Set.of());
    }

    private static void daemon(Path artefacts, String time) throws IOException, InterruptedException {
        Path ready = artefacts.resolve("ready");
        new ProcessBuilder("setsid", "--fork", "sh", "-c", "echo >\"$0\"; exec sleep \"$1\"", ready.toString(), time)
                .redirectErrorStream(true)
                .redirectOutput(Path.of("/dev/null").toFile())
                .start()
                .waitFor();
        while (!Files.exists(ready)) {
            Thread.onSpinWait();
        }
    }
}
