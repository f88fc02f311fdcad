package dev.outpost.runtime.server.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the end of runs in all cases, with the runner in a separate process and a minimal HTTP backend. */
class RunnerEndTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> NAMESPACE =
            List.of("unshare", "--user", "--map-root-user", "--pid", "--mount-proc", "--fork");
    /** The argument of the daemon's command, by which it is found; tests of other JVMs have another one. */
    private static final String SLEEP = "34570." + ProcessHandle.current().pid();

    @TempDir
    Path folder;

    private final Map<String, byte[]> artefacts = new ConcurrentHashMap<>();
    private final CompletableFuture<JsonNode> exited = new CompletableFuture<>();
    private final CountDownLatch programMayBeRead = new CountDownLatch(1);
    private final CountDownLatch signed = new CountDownLatch(1);
    private volatile boolean isSilent;
    private volatile boolean isProgramSlow;
    private HttpServer backend;
    private Process runner;
    private byte[] program;

    @BeforeEach
    void serve() throws Exception {
        program = program();
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        backend.createContext("/v1/runner/program", exchange -> {
            if (isProgramSlow) {
                Await.until("the program may be read", () -> programMayBeRead.getCount() == 0);
            }
            answer(exchange, program);
        });
        backend.createContext("/v1/runner/log", exchange -> answer(exchange, next(exchange)));
        backend.createContext("/v1/runner/artefacts", exchange -> {
            artefacts.put(exchange.getRequestURI().getQuery(), new byte[0]);
            answer(exchange, next(exchange));
        });
        backend.createContext("/v1/runner/heard", exchange -> {
            signed.countDown();
            if (isSilent) {
                exchange.close();
            } else {
                answer(exchange, "{\"stop\": false}".getBytes(StandardCharsets.UTF_8));
            }
        });
        backend.createContext("/v1/runner/exited", exchange -> {
            exited.complete(MAPPER.readTree(exchange.getRequestBody()));
            answer(exchange, new byte[0]);
        });
        backend.start();
    }

    @AfterEach
    void end() {
        // In a PID namespace the runner is a child of unshare, and a program is a child of its runner.
        runner.descendants().forEach(ProcessHandle::destroyForcibly);
        runner.destroyForcibly();
        backend.stop(0);
    }

    private static byte[] next(HttpExchange exchange) throws IOException {
        int from = Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll(".*from=(\\d+).*", "$1"));
        int read = exchange.getRequestBody().readAllBytes().length;
        return ("{\"next\": " + (from + read) + "}").getBytes(StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** A jar with the single class of the program. */
    private static byte[] program() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, EndingProgram.class.getName());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String name = EndingProgram.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
                InputStream code = EndingProgram.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            code.transferTo(jar);
        }
        return bytes.toByteArray();
    }

    private void start(String argument, List<String> prefix, Map<String, Object> more) throws Exception {
        Map<String, Object> run = new LinkedHashMap<>(Map.of(
                "job",
                "6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001",
                "number",
                1,
                "gpu",
                "any",
                "program",
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program)),
                "programName",
                "app.jar",
                "programSize",
                program.length,
                "arguments",
                List.of(argument, SLEEP),
                "environment",
                Map.of(),
                "timeoutMillis",
                3_600_000));
        run.putAll(Map.of("host", "127.0.0.1", "port", 1, "certificate", "ab"));
        run.putAll(more);
        byte[] body = MAPPER.writeValueAsBytes(Map.of("run", run));
        backend.createContext("/v1/runner/begin", exchange -> answer(exchange, body));
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                JobRunner.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("runner-log").toFile());
        builder.environment()
                .put(
                        "OUTPOST_RUNNER_API",
                        "http://127.0.0.1:" + backend.getAddress().getPort());
        builder.environment().put("OUTPOST_RUNNER_TOKEN", "jr_token");
        runner = builder.start();
    }

    private JsonNode exit() {
        Await.until(() -> log() + artefacts, exited::isDone);
        return exited.join();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("runner-log"));
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    @Test
    void artefactThatCannotBeReadIsNamedAndTheOthersAreSent() throws Exception {
        // Root reads every file unless it lacks these rights.
        List<String> withoutRights = "root".equals(System.getProperty("user.name"))
                ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
                : List.of();
        start("unreadable", withoutRights, Map.of());
        JsonNode exit = exit();
        assertEquals(0, exit.path("code").asInt(), exit::toString);
        assertTrue(
                exit.path("text").asText().contains("not kept: gone cannot be read: "),
                exit.path("text").asText());
        assertTrue(artefacts.keySet().toString().contains("path=kept.txt"), artefacts::toString);
    }

    @Test
    void runThatMayBeRepeatedEndsWhenTheBackendIsSilent() throws Exception {
        isSilent = true;
        start("wait", List.of(), Map.of("contactMillis", 5_000));
        JsonNode exit = exit();
        assertEquals(143, exit.path("code").asInt(), exit::toString);
        assertEquals(
                "it was ended because the backend has not answered for PT5S",
                exit.path("text").asText());
    }

    /** The next run may have begun elsewhere in the meantime. */
    @Test
    void programIsNotBegunWhenItTookTooLongToComeWhileTheBackendWasSilent() throws Exception {
        isSilent = true;
        isProgramSlow = true;
        start("wait", List.of(), Map.of("contactMillis", 500));
        Await.opened("the runner signs while its program comes", signed);
        long later = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        Await.until("the contact is over", () -> System.nanoTime() > later);
        programMayBeRead.countDown();
        assertEquals(
                "it was not begun because the backend has not answered for PT0.5S",
                exit().path("text").asText());
    }

    @Test
    void daemonEndsWithTheProgramInAPidNamespace() throws Exception {
        assumeTrue(isAllowed(NAMESPACE), "this host allows no PID namespaces");
        start("daemon", NAMESPACE, Map.of());
        assertEquals(0, exit().path("code").asInt());
        assertFalse(isDaemonThere(), "the daemon outlives its program");
    }

    @Test
    void killedRunnerTakesItsProgramAlongInAPidNamespace() throws Exception {
        assumeTrue(isAllowed(NAMESPACE), "this host allows no PID namespaces");
        start("daemon-and-wait", NAMESPACE, Map.of());
        Await.until(this::log, RunnerEndTest::isDaemonThere);
        runner.children().forEach(ProcessHandle::destroyForcibly);
        Await.until(() -> "the daemon", () -> !isDaemonThere());
    }

    private static boolean isAllowed(List<String> namespace) {
        try {
            List<String> command = new ArrayList<>(namespace);
            command.add("true");
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException | InterruptedException ignored) {
            return false;
        }
    }

    private static boolean isDaemonThere() {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith("sleep " + SLEEP))
                        .isPresent());
    }
}
