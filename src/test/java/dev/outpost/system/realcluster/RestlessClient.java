package dev.outpost.system.realcluster;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.outpost.OutpostProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A program that uses one machine after the other at a backend, and prints the outcome of each. It ends only when it is killed. */
final class RestlessClient {
    private static final int SIZE = 16;
    private static final String LEASE = "20s";

    private RestlessClient() {}

    static Process start(Map<String, String> environment) throws java.io.IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RestlessClient.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        return builder.start();
    }

    public static void main(String[] arguments) {
        RandomGenerator random = RandomGenerator.getDefault();
        while (true) {
            String outcome;
            try {
                outcome = compute(random.nextInt(20, 200));
            } catch (RuntimeException failure) {
                outcome = "failed: " + failure.getMessage();
            }
            System.out.println(outcome.replace('\n', ' '));
        }
    }

    /** The number of multiplications of the identity; every product is read, so that a fault hits a session in use. */
    private static String compute(int products) {
        MachineOptions options = new MachineOptions().option("lease", LEASE).progress(news -> {});
        try (RemoteMachine machine = RemoteMachine.of(new OutpostProvider(), "any", options)) {
            Tensor identity = machine.eye(SIZE);
            Tensor product = identity;
            for (int i = 1; i <= products; i++) {
                product = product.matmul(identity);
                double trace = product.sum().itemDouble();
                if (trace != SIZE) {
                    return "WRONG: after " + i + " products the sum is " + trace;
                }
            }
        }
        return "computed";
    }
}
