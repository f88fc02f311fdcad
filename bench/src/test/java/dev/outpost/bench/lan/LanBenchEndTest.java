package dev.outpost.bench.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * After a signal or an error, the network bench leaves nothing behind. Its workers are programs that only pretend to serve.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LanBenchEndTest {
    private static final int HOSTS = 2;

    @TempDir
    private Path workers;

    private Process bench;
    private BenchNames names;

    @BeforeEach
    void requireNamespaces() throws IOException {
        String probe = "outpost-bench-probe";
        Assumptions.assumeTrue(
                Shell.succeeds("ip netns add " + probe), "network namespaces cannot be made here: ip netns add failed");
        Shell.run("ip netns del " + probe);
        Assumptions.assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "this JVM has no compiler");
    }

    @AfterEach
    void stop() throws IOException {
        if (bench != null) {
            bench.destroyForcibly();
            names.remove();
        }
    }

    /** @param serves the commands of the worker's program after its first lines */
    private void start(String links, String serves) throws IOException {
        Path source = workers.resolve("RuntimeMain.java");
        Files.writeString(source, """
                package dev.outpost.runtime.server;
                public class RuntimeMain {
                    public static void main(String[] arguments) throws Exception {
                        %s
                    }
                }
                """.formatted(serves));
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", workers.toString(), source.toString()));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx200m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.outpost.bench.Bench",
                "lan",
                "--workers",
                "" + HOSTS,
                "--links",
                links,
                "--batches",
                "1");
        builder.environment().put("OUTPOST_ONNX_RUNTIME", workers.toString());
        bench = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        names = new BenchNames(bench.pid());
    }

    private List<String> namespaces() throws IOException {
        return Shell.lines("ip netns list").stream()
                .filter(line -> line.startsWith("outpost-bench-" + bench.pid() + "-"))
                .toList();
    }

    private boolean isRunning(int host) {
        return processes(host).findAny().isPresent();
    }

    /** Returns an empty list if the namespace does not exist yet. */
    private Stream<ProcessHandle> processes(int host) {
        try {
            return Shell.lines("ip netns pids " + names.namespace(host)).stream()
                    .filter(line -> line.strip().matches("\\d+"))
                    .flatMap(line -> ProcessHandle.of(Long.parseLong(line.strip())).stream());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Await.until(what, condition::getAsBoolean);
    }

    private void assertNothingIsLeft(List<ProcessHandle> started) throws IOException {
        assertEquals(List.of(), namespaces());
        assertFalse(Files.exists(Path.of("/sys/class/net", names.bridge())), names.bridge());
        for (int host = 0; host < HOSTS; host++) {
            assertFalse(Files.exists(Path.of("/sys/class/net", names.port(host))), names.port(host));
            assertFalse(Files.exists(Path.of("/sys/class/net", names.far(host))), names.far(host));
        }
        await("the workers end", () -> started.stream().noneMatch(ProcessHandle::isAlive));
    }

    private List<ProcessHandle> workersOfNamespaces() {
        return IntStream.range(0, HOSTS).boxed().flatMap(this::processes).toList();
    }

    @ParameterizedTest
    @CsvSource({"TERM, 100mbit", "INT, 100mbit", "TERM, 1gbit+2ms"})
    void aSignalRemovesNamespacesDevicesAndProcesses(String signal, String links) throws Exception {
        start(links, """
                System.out.println("endpoint 192.0.2.1:9");
                System.out.println("token none");
                Thread.sleep(Long.MAX_VALUE);
                """);
        await("both workers run", () -> isRunning(0) && isRunning(1));
        List<ProcessHandle> started = workersOfNamespaces();
        assertTrue(Shell.succeeds("kill -" + signal + " " + bench.pid()));
        Await.ended("the bench", bench);
        assertNothingIsLeft(started);
    }

    @Test
    void anErrorRemovesNamespacesDevicesAndProcesses() throws Exception {
        start("1gbit", "System.exit(3);");
        Await.ended("the bench", bench);
        assertNotEquals(0, bench.exitValue());
        assertNothingIsLeft(List.of());
    }

    @Test
    void theNextRunRemovesWhatAKilledOneHasLeft() throws Exception {
        start("1gbit", """
                System.out.println("endpoint 192.0.2.1:9");
                System.out.println("token none");
                Thread.sleep(Long.MAX_VALUE);
                """);
        await("both workers run", () -> isRunning(0) && isRunning(1));
        List<ProcessHandle> started = workersOfNamespaces();
        assertEquals(HOSTS, namespaces().size());
        bench.destroyForcibly().waitFor();
        BenchNames.removeLeftovers();
        assertNothingIsLeft(started);
    }
}
