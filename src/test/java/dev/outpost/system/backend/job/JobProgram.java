package dev.outpost.system.backend.job;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.outpost.OutpostProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A program for jobs in tests, controlled by its first argument. */
public final class JobProgram {
    private JobProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println("run " + System.getenv("OUTPOST_JOB_RUN"));
        switch (arguments[0]) {
            case "compute" -> compute();
            case "fail" -> System.exit(3);
            case "wait" -> {
                System.out.println("it waits");
                new CountDownLatch(1).await();
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void compute() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of(new OutpostProvider(), "any", new MachineOptions())) {
            System.out.println("sum " + machine.ones(2, 3).sum().itemDouble());
        }
        System.out.println("secret of " + System.getenv("HF_TOKEN").length() + " characters");
        Path left = Files.createDirectories(Path.of(System.getenv("OUTPOST_JOB_ARTEFACTS"), "models"));
        Files.writeString(left.resolve("weights.txt"), "weights");
    }
}
