package dev.outpost.system.backend.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.Balancer;
import dev.outpost.system.backend.host.SmallJar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that may be repeated loses its program, its runner, its machine and its backend by {@code kill -9}. Each run holds a connection to
 * this test for as long as its program lives, so two runs at a time are seen.
 */
@Tag("full")
class RunsNeverOverlapTest {
    @TempDir
    private Path folder;

    private final List<Socket> runs = new CopyOnWriteArrayList<>();
    private final List<String> numbers = new CopyOnWriteArrayList<>();
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Balancer balancer = Balancer.start();
    private ServerSocket server;
    private BackendHost backend;

    @BeforeEach
    void serve() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        backend.close();
        balancer.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket run = server.accept();
                Thread.ofVirtual().start(() -> hold(run));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private void hold(Socket run) {
        most.accumulateAndGet(present.incrementAndGet(), Math::max);
        try (run) {
            BufferedReader read =
                    new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.US_ASCII));
            runs.add(run);
            numbers.add(read.readLine());
            while (read.readLine() != null) {
                Thread.onSpinWait();
            }
        } catch (IOException ignored) {
            // The program was killed.
        } finally {
            present.decrementAndGet();
        }
    }

    @Test
    void killedProgramRunnerMachineAndBackendLeaveOneRunAtATime() throws Exception {
        backend = start();
        String job = submit(4);
        awaitRun(1, job);
        ProcessHandle.of(pid("runner")).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
        awaitRun(2, job);
        ProcessHandle.of(pid("runner")).orElseThrow().destroyForcibly();
        awaitRun(3, job);
        ProcessHandle.of(pid("process")).orElseThrow().destroyForcibly();
        awaitRun(4, job);
        backend.kill();
        balancer.remove(backend.access().address().getPort());
        backend = start();
        assertEquals(4, numbers.size(), "a run outlives its backend");
        Await.until(() -> "the fourth run: " + present, () -> present.get() == 1);
        runs.getLast().getOutputStream().write(1);
        Await.until(
                () -> job(job) + backend.errors(),
                () -> job(job).path("phase").asText().equals("SUCCEEDED"));
        assertEquals(List.of("1", "2", "3", "4"), numbers);
        assertEquals(1, most.get(), "runs at a time");
        assertTrue(
                job(job).path("events").toString().contains("run 3 of at most 5: its machine ended"),
                () -> job(job).toString());
    }

    private BackendHost start() {
        BackendHost started = BackendHost.start(
                folder.resolve("backend"),
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s",
                "OUTPOST_BACKEND_JOBS_ADDRESS",
                balancer.address());
        balancer.add(started.access().address().getPort());
        return started;
    }

    private void awaitRun(int number, String job) {
        Await.until(() -> numbers + ", " + job(job) + backend.errors(), () -> numbers.size() == number);
    }

    private JsonNode job(String id) {
        return backend.client().get("/v1/jobs/" + id);
    }

    /** The process whose number the only machine has stored under that name. */
    private long pid(String mark) {
        try (Stream<Path> machines = Files.list(folder.resolve("backend").resolve("machines"))) {
            Path file = machines.filter(
                            machine -> !machine.getFileName().toString().startsWith("."))
                    .map(machine -> machine.resolve(mark))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(Files.readAllLines(file).getFirst());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String submit(int retries) throws Exception {
        byte[] program = SmallJar.of(ConnectionHoldingProgram.class);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program));
        backend.client().putBytes("/v1/files/" + hash + "?size=" + program.length + "&from=0", program);
        String id = UUID.randomUUID().toString();
        backend.client()
                .put(
                        "/v1/jobs/" + id,
                        Map.of(
                                "gpu",
                                "any",
                                "program",
                                hash,
                                "programName",
                                "app.jar",
                                "retries",
                                retries,
                                "arguments",
                                List.of(Integer.toString(server.getLocalPort()))));
        return id;
    }
}
