package dev.outpost.system.process;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.process.ProcessProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A separate JVM that starts a machine and then waits until it is killed. */
final class StarterProcess implements AutoCloseable {
    private static final String CLIENT = "client";
    private static final String KEEPER = "keeper";
    private static final String COUNTER = "counter";

    private final Process process;
    private final BufferedReader output;

    private StarterProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** Computes on its own machine, and prints {@code ready}. */
    static StarterProcess client(ProcessHost host, String... namesAndValues) {
        return start(CLIENT, host, namesAndValues);
    }

    /** Starts a machine with a stated lifetime, and prints its progress. */
    static StarterProcess keeper(ProcessHost host) {
        return start(KEEPER, host);
    }

    /** Adds 1 to each of two kept tensors again and again. Prints the key of the session, and {@code ready} after the first additions. */
    static StarterProcess counter(ProcessHost host, String... namesAndValues) {
        return start(COUNTER, host, namesAndValues);
    }

    private static StarterProcess start(String role, ProcessHost host, String... namesAndValues) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        host.options(namesAndValues).forEach((name, value) -> command.add("-Doutpost.process." + name + "=" + value));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StarterProcess.class.getName(), role));
        try {
            return new StarterProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case CLIENT -> compute();
            case COUNTER -> count();
            case KEEPER ->
                new ProcessProvider()
                        .keeper()
                        .orElseThrow()
                        .start(
                                MachineSpec.of(GpuType.ANY),
                                Duration.ofMinutes(5),
                                step -> System.out.println(step.phase()))
                        .await()
                        .indefinitely();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        // Until it is killed, and no longer than a test takes.
        Thread.sleep(600_000);
    }

    private static void compute() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("process", "any")) {
            Tensor held = machine.ones(2, 3);
            held.sum().itemDouble();
            System.out.println("ready");
            Thread.sleep(600_000);
            held.close();
        }
    }

    private static void count() {
        RemoteMachine machine = RemoteMachine.of("process", "any");
        Tensor once = machine.zeros(1000);
        Tensor twice = machine.zeros(1000);
        machine.keep("once", once);
        machine.keep("twice", twice);
        System.out.println(machine.sessionKey());
        for (int round = 1; round < 1_000_000; round++) {
            once.add_(1);
            twice.add_(2);
            machine.endStep();
            if (round == 100) {
                machine.synchronize();
                System.out.println("ready");
            }
        }
    }

    /** Returns the next line. */
    String line() {
        try {
            return output.readLine();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Stops the process as {@code kill -STOP} does, or lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Waits for the end of the process. Returns its exit status. */
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    void awaitLine(String expected) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.equals(expected)) {
                    return;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        throw new AssertionError("it never said " + expected);
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
