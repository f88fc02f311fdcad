package dev.outpost.system.backend.host;

import dev.outpost.rest.client.BackendAccess;
import dev.outpost.support.tests.AotCache;
import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A gateway of a backend's deployments, as it is shipped, in a separate process. */
public final class GatewayProcess implements AutoCloseable {
    private static final Path JAR = Path.of(System.getProperty("outpost.serving.jar"));
    private static final Path MODEL = Path.of("../../models/src/test/resources/fixtures/text")
            .toAbsolutePath()
            .normalize();
    private static final List<String> JVM = List.of(
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final String api;
    private final Path errors;

    private GatewayProcess(Process process, String api, Path errors) {
        this.process = process;
        this.api = api;
        this.errors = errors;
    }

    /** Waits until the backend has answered it. */
    public static GatewayProcess start(BackendAccess access, String... options) {
        try {
            Path errors = Files.createTempFile("outpost-gateway", ".log");
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(JVM);
            command.addAll(AotCache.options(
                    JAR,
                    new AotCache.Training(
                            JVM, List.of("--port", "0", "--model", "text=file:" + MODEL), "ready", lines -> {})));
            command.addAll(List.of("-jar", JAR.toString(), "--gateway", "--port", "0"));
            command.addAll(List.of(options));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            builder.environment().put("OUTPOST_API", access.address().toString());
            builder.environment().put("OUTPOST_API_KEY", access.key());
            access.authority()
                    .ifPresent(file -> builder.environment().put(BackendAccess.AUTHORITY_VARIABLE, file.toString()));
            Process process = builder.start();
            return new GatewayProcess(process, announced(process, errors), errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String announced(Process process, Path errors) throws IOException {
        BufferedReader lines = process.inputReader();
        String api = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("api ")) {
                api = line.substring("api ".length()).strip();
            } else if (line.startsWith("ready")) {
                return api;
            }
        }
        throw new AssertionError("the gateway did not start:\n" + Files.readString(errors));
    }

    public HttpResponse<String> complete(String key, String model, int tokens) {
        return send(
                key,
                "{\"model\": \"%s\", \"prompt\": \"x\", \"ignore_eos\": true, \"max_tokens\": %d}"
                        .formatted(model, tokens));
    }

    /** The same as a stream of events, whole. */
    public HttpResponse<String> stream(String key, String model, int tokens) {
        return send(
                key,
                "{\"model\": \"%s\", \"prompt\": \"x\", \"ignore_eos\": true, \"stream\": true, \"max_tokens\": %d}"
                        .formatted(model, tokens));
    }

    /** Calls a published program. */
    public HttpResponse<byte[]> call(String key, String program, String type, byte[] body) {
        try {
            return http.send(
                    request("/programs/" + program, key)
                            .setHeader("Content-Type", type)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException failure) {
            throw new UncheckedIOException(errors(), failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpResponse<String> send(String key, String body) {
        try {
            return http.send(
                    request("/completions", key)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (HttpTimeoutException failure) {
            throw new AssertionError("the gateway did not answer; it said:\n" + errors() + threads(), failure);
        } catch (IOException failure) {
            throw new UncheckedIOException(errors(), failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** The stacks of all its threads, including virtual ones. */
    private String threads() {
        try {
            Path folder = Files.createTempDirectory("outpost-gateway-threads");
            Path dump = folder.resolve("threads.txt");
            Path said = folder.resolve("jcmd.txt");
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process.pid()),
                            "Thread.dump_to_file",
                            dump.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            Await.ended("jcmd ends", jcmd);
            return "its threads:\n" + Files.readString(Files.exists(dump) ? dump : said);
        } catch (IOException failure) {
            return "no thread dump: " + failure;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Sends a request and returns an object that closes the connection before the answer. */
    public Runnable begin(String key, String model) {
        try {
            URI uri = URI.create(api + "/completions");
            byte[] body =
                    "{\"model\": \"%s\", \"prompt\": \"x\"}".formatted(model).getBytes(StandardCharsets.UTF_8);
            Socket socket = new Socket(uri.getHost(), uri.getPort());
            String head = "POST " + uri.getPath() + " HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer " + key
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return () -> close(socket);
        } catch (IOException failure) {
            throw new UncheckedIOException(errors(), failure);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The names of the models that a key may call. */
    public String models(String key) {
        try {
            return http.send(request("/models", key).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException failure) {
            throw new UncheckedIOException(errors(), failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpRequest.Builder request(String path, String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + path))
                .timeout(Await.GUARD)
                .header("Content-Type", "application/json");
        return key.isEmpty() ? request : request.header("Authorization", "Bearer " + key);
    }

    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Kills the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                kill();
                throw new AssertionError("the gateway did not end; it said:\n" + errors());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            kill();
        }
    }
}
