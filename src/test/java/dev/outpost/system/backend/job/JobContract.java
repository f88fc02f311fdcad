package dev.outpost.system.backend.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract of jobs at a backend as it is shipped, for every supplier of its machines. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JobContract {
    @TempDir
    static Path folder;

    /** The backend of all tests of the class, with machines for jobs. */
    abstract BackendHost backend();

    /** The kind of GPU that jobs ask for. */
    abstract String gpu();

    /** A small jar, whose manifest names the class path of this JVM. */
    private byte[] program() throws IOException {
        Path jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, JobProgram.class.getName());
        main.put(Attributes.Name.CLASS_PATH, classPath());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream write = new JarOutputStream(file, manifest)) {
            write.putNextEntry(new ZipEntry("readme"));
            write.closeEntry();
        }
        return Files.readAllBytes(jar);
    }

    private static String classPath() {
        StringBuilder urls = new StringBuilder();
        for (String part : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            urls.append(Path.of(part).toUri()).append(' ');
        }
        return urls.toString();
    }

    private static String upload(BackendClient client, byte[] program) {
        try {
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(program));
            String path = "/v1/files/" + hash + "?size=" + program.length + "&from=";
            int half = program.length / 2;
            client.putBytes(path + 0, java.util.Arrays.copyOf(program, half));
            assertTrue(client.putBytes(path + half, java.util.Arrays.copyOfRange(program, half, program.length))
                    .path("complete")
                    .asBoolean());
            return hash;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private String submit(BackendClient client, String program, String argument, Object... fields) {
        Map<String, Object> body = new LinkedHashMap<>(
                Map.of("gpu", gpu(), "program", program, "programName", "app.jar", "arguments", List.of(argument)));
        for (int i = 0; i < fields.length; i += 2) {
            body.put((String) fields[i], fields[i + 1]);
        }
        String id = UUID.randomUUID().toString();
        client.put("/v1/jobs/" + id, body);
        return id;
    }

    private JsonNode job(String id) {
        return backend().client().get("/v1/jobs/" + id);
    }

    private void await(String id, String phase) {
        Await.until(
                () -> job(id) + log(id) + backend().errors(),
                () -> job(id).path("phase").asText().equals(phase));
    }

    private String log(String id) {
        return new String(backend().client().slice("/v1/jobs/" + id + "/log").bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void programComputesOnItsMachineAndLeavesLogAndFiles() throws IOException {
        BackendClient client = backend().client();
        client.put("/v1/secrets/HF_TOKEN", Map.of("value", "0123456789"));
        String program = upload(client, program());
        String id = submit(client, program, "compute", "secrets", List.of("HF_TOKEN"));
        String failing = submit(client, program, "fail", "retries", 1);
        await(id, "SUCCEEDED");
        String log = log(id);
        assertTrue(log.contains("run 1") && log.contains("sum 6.0") && log.contains("secret of 10 characters"), log);
        assertTrue(log.startsWith("run 1"), log);
        int half = log.indexOf("sum");
        assertEquals(
                log.substring(half),
                new String(client.slice("/v1/jobs/" + id + "/log?from=" + half).bytes(), StandardCharsets.UTF_8));
        JsonNode file = client.get("/v1/jobs/" + id + "/artefacts").path(0);
        assertEquals("models/weights.txt", file.path("path").asText());
        assertEquals(
                "weights",
                new String(
                        client.slice("/v1/jobs/" + id + "/artefact?path=models/weights.txt")
                                .bytes(),
                        StandardCharsets.UTF_8));

        await(failing, "FAILED");
        assertEquals(3, job(failing).path("exitCode").asInt());
        assertEquals(2, job(failing).path("runs").size());
        awaitNoMachine(client);
    }

    /** A backend that ends earlier leaves the processes of a job's machine behind. */
    private static void awaitNoMachine(BackendClient client) {
        Await.until(
                () -> client.get("/v1/machines").toString(),
                () -> client.get("/v1/machines").path("items").isEmpty());
    }

    @Test
    void cancelledOrLateProgramEnds() throws IOException {
        BackendClient client = backend().client();
        String program = upload(client, program());
        String cancelled = submit(client, program, "wait");
        String late = submit(client, program, "wait", "timeout", "PT3S");
        Await.until(() -> job(cancelled).toString(), () -> log(cancelled).contains("it waits"));
        client.post("/v1/jobs/" + cancelled + ":cancel", Map.of());
        await(cancelled, "CANCELLED");
        await(late, "FAILED");
        assertTrue(job(late).path("text").asText().contains("longer than PT3S"));
        awaitNoMachine(client);
    }
}
