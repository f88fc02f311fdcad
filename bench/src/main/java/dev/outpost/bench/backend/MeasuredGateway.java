package dev.outpost.bench.backend;

import dev.outpost.bench.process.ProgramProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A gateway for a backend's deployments, in a separate process. */
final class MeasuredGateway implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final String api;
    private final String key;

    private MeasuredGateway(Process process, String api, String key) {
        this.process = process;
        this.api = api;
        this.key = key;
    }

    /** Starts a gateway, and waits until the backend has answered it. */
    static MeasuredGateway start(MeasuredBackend backend, Path folder) throws IOException {
        Path log = folder.resolve("gateway.log");
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-jar",
                        System.getProperty("outpost.serving.jar"),
                        "--gateway",
                        "--port",
                        "0")
                .redirectError(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        builder.environment().put("OUTPOST_API", backend.address());
        builder.environment().put("OUTPOST_API_KEY", backend.key());
        Process process = builder.start();
        try {
            String api = ProgramProcess.announced(process, "ready", "the gateway did not start")
                    .get("api");
            return new MeasuredGateway(process, api, backend.key());
        } catch (IOException failure) {
            throw new IOException(failure.getMessage() + ": " + Files.readString(log), failure);
        }
    }

    /** Returns the nanoseconds from a request to the first event of its stream. Reads and drops the rest of the stream. */
    long firstToken(String model) throws IOException, InterruptedException {
        String body = "{\"model\": \"" + model
                + "\", \"prompt\": \"a\", \"ignore_eos\": true, \"stream\": true, \"max_tokens\": 4}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + "/completions"))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        long begin = System.nanoTime();
        HttpResponse<Stream<String>> answer = http.send(request, HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = answer.body()) {
            List<String> events = lines.filter(line -> !line.isEmpty())
                    .map(line -> line.startsWith("data: ") ? Long.toString(System.nanoTime() - begin) : line)
                    .toList();
            if (answer.statusCode() != 200 || events.size() < 2) {
                throw new IOException("the gateway answered " + answer.statusCode() + ": " + events);
            }
            return Long.parseLong(events.getFirst());
        }
    }

    @Override
    public void close() {
        ProgramProcess.end(process, Duration.ofMinutes(1));
    }
}
