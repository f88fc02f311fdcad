package dev.outpost.system.server;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** A program in a separate process, which holds values on a machine until it is killed. */
final class ClientProcess implements AutoCloseable {
    private static final String READY = "ready";

    private final Process process;

    private ClientProcess(Process process) {
        this.process = process;
    }

    /** Starts a client and waits until it has computed. */
    static ClientProcess start(RuntimeProcess runtime) {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClientProcess.class.getName()))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("OUTPOST_ENDPOINT", runtime.endpoint());
        builder.environment().put("OUTPOST_TOKEN", runtime.token());
        try {
            ClientProcess client = new ClientProcess(builder.start());
            BufferedReader lines = client.process.inputReader();
            String line = lines.readLine();
            if (!READY.equals(line)) {
                throw new AssertionError("the client did not start; it said " + line);
            }
            return client;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("endpoint", "any")) {
            Tensor uploaded = machine.tensor(SampleComputations.large(4));
            Tensor computed = uploaded.mul(2);
            machine.synchronize();
            System.out.println(READY);
            // Until it is killed, and no longer than a test takes.
            Thread.sleep(600_000);
            computed.close();
        }
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
