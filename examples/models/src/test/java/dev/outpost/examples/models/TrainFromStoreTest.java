package dev.outpost.examples.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.cli.Outpost;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command {@code train} with its model, its data, its checkpoints and its result in an object store. */
class TrainFromStoreTest {
    private static final Path MODEL = Path.of("../../models/src/test/resources/fixtures/text")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final StringWriter said = new StringWriter();
    private LocalStore store;

    @BeforeEach
    void fillStore() throws Exception {
        store = LocalStore.start(Files.createDirectory(folder.resolve("store")), "models");
        try (Stream<Path> files = Files.list(MODEL)) {
            for (Path file : files.toList()) {
                put("text/" + file.getFileName(), HttpRequest.BodyPublishers.ofFile(file));
            }
        }
        put("data/train-1.jsonl", HttpRequest.BodyPublishers.ofString(sums(0, 40)));
        put("data/train-2.jsonl", HttpRequest.BodyPublishers.ofString(sums(40, 60)));
        put("evaluation/sums.jsonl", HttpRequest.BodyPublishers.ofString(sums(60, 70)));
    }

    @AfterEach
    void closeStore() throws Exception {
        store.close();
    }

    private static String sums(int from, int end) {
        return IntStream.range(from, end)
                .mapToObj(number ->
                        "{\"prompt\": \"" + number + " and one is\", \"completion\": \" " + (number + 1) + "\"}\n")
                .collect(Collectors.joining());
    }

    private void put(String key, HttpRequest.BodyPublisher body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(object(key)).PUT(body).build();
        assertEquals(
                200, http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode(), key);
    }

    private HttpResponse<byte[]> get(String key) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(object(key)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private URI object(String key) {
        return store.address().resolve("/models/" + key);
    }

    private Path config(String run, int steps) throws IOException {
        return Files.writeString(
                folder.resolve(run + "-" + steps + ".yaml"), """
                model: s3://models/text
                output: s3://models/runs/%s
                logs: %s
                data: {train: s3://models/data, evaluation: s3://models/evaluation, rows: 2, tokens: 48}
                lora: {rank: 4, targets: [q_proj, v_proj], dropout: 0.1}
                optimizer: {learning-rate: 5e-3}
                schedule: {kind: constant, warmup: 2}
                training: {steps: %d, evaluate-every: 4, checkpoint-every: 4, keep: 1}
                """.formatted(run, folder.resolve(run), steps));
    }

    /** Each call has a machine of its own. */
    private void train(Path config) {
        CommandLine commandLine = Outpost.commandLine();
        commandLine.setOut(new PrintWriter(said, true)).setErr(new PrintWriter(said, true));
        assertEquals(0, commandLine.execute("train", config.toString()), said::toString);
    }

    /** Step, epoch, loss, norm, rate and tokens of each step; not its times, nor evaluations and checkpoints. */
    private List<String> steps(String run) throws IOException {
        return Files.readAllLines(folder.resolve(run).resolve("metrics.csv")).stream()
                .map(line -> List.of(line.split(",", -1)))
                .filter(cells -> !cells.get(3).isEmpty())
                .map(cells -> cells.getFirst() + "," + String.join(",", cells.subList(2, 7)))
                .toList();
    }

    @Test
    void runGoesOnFromItsStoreOnAnotherMachineToTheSameBits() throws Exception {
        train(config("whole", 8));
        train(config("parts", 4));
        assertEquals(
                200,
                get("runs/parts/checkpoints/step-00000004/model.safetensors").statusCode());
        train(config("parts", 8));
        assertTrue(said.toString().contains("continuing after step 4 of 8"), said::toString);
        assertEquals(9, steps("whole").size());
        assertEquals(steps("whole"), steps("parts"));
        String adapter = "/adapter-00000008/adapter_model.safetensors";
        HttpResponse<byte[]> whole = get("runs/whole" + adapter);
        assertEquals(200, whole.statusCode());
        assertArrayEquals(whole.body(), get("runs/parts" + adapter).body());
        assertEquals(
                200,
                get("runs/parts/checkpoints/step-00000008/model.safetensors").statusCode());
        assertEquals(
                404,
                get("runs/parts/checkpoints/step-00000004/model.safetensors").statusCode(),
                "only the newest and the best are kept");
    }
}
