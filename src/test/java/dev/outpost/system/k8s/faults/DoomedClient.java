package dev.outpost.system.k8s.faults;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program in a process of its own, which goes to one step of a machine's life and stays there until it is killed. */
final class DoomedClient implements AutoCloseable {
    private static final String THERE = "there";

    /** A test has ended by then. */
    private static final Duration LIFE = Duration.ofMinutes(1);

    private final Process process;

    private DoomedClient(Process process) {
        this.process = process;
    }

    static DoomedClient start(Stage stage, Step step, Duration lease) {
        Config config = stage.cluster.config();
        String settings = stage.settings(lease).entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(";"));
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedClient.class.getName(),
                step.name(),
                config.getMasterUrl(),
                config.getOauthToken(),
                stage.cluster.namespace(),
                settings);
        try {
            return new DoomedClient(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Waits until it says that it is at its step. */
    void awaitThere() {
        try {
            String line = process.inputReader().readLine();
            if (!THERE.equals(line)) {
                throw new AssertionError("the client did not come to its step; it said " + line);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    // ---- in the other process

    public static void main(String[] arguments) throws InterruptedException {
        Step step = Step.valueOf(arguments[0]);
        HeldProvider provider = new HeldProvider(ImpatientProvider.at(
                arguments[1],
                arguments[2],
                arguments[3],
                Stream.of(arguments[4].split(";"))
                        .map(setting -> setting.split("=", 2))
                        .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]))));
        RemoteMachine machine = RemoteMachine.of(provider, "A100", new MachineOptions().progress(news -> {}));
        switch (step) {
            case FIRST_SESSION -> awaitLease(provider);
            case MID_SEGMENT -> work(provider, machine);
            case DURING_DELETE -> delete(provider, machine);
            case BEFORE_CREATE, AFTER_CREATE, BEFORE_READY -> provider.letGo();
        }
        Thread.sleep(LIFE);
    }

    private static void awaitLease(HeldProvider provider) throws InterruptedException {
        while (provider.leases().isEmpty()) {
            Thread.sleep(1);
        }
        System.out.println(THERE);
    }

    private static void work(HeldProvider provider, RemoteMachine machine) {
        provider.letGo();
        Workload.on(machine);
        System.out.println(THERE);
    }

    private static void delete(HeldProvider provider, RemoteMachine machine) {
        provider.letGo();
        machine.ones(1).sum().itemDouble();
        machine.close();
    }
}
