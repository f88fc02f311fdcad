package dev.outpost.torch.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PyTorch in a separate process, which is started again if it crashes or hangs. */
final class TorchSide implements Side {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String python;
    private final String version;
    private final Map<String, String> adopted = new LinkedHashMap<>();
    private TorchProcess process;
    private Set<String> sampled = Set.of();

    private TorchSide(String python, TorchProcess process, String version) {
        this.python = python;
        this.process = process;
        this.version = version;
    }

    /** Starts a Python that can import torch; otherwise throws an exception that names the missing part. */
    static TorchSide open(String python) throws NoTorchException {
        try {
            TorchProcess process = TorchProcess.start(python);
            JsonNode greeting = greeting(process);
            if (greeting.has("missing")) {
                process.close();
                throw new NoTorchException(
                        python + ": " + greeting.get("missing").asText());
            }
            return new TorchSide(python, process, greeting.get("version").asText());
        } catch (IOException failure) {
            throw new NoTorchException(python + ": " + failure.getMessage());
        }
    }

    private static JsonNode greeting(TorchProcess process) throws IOException {
        try {
            return process.answer(START_LIMIT);
        } catch (IOException failure) {
            process.close();
            throw failure;
        }
    }

    String version() {
        return version;
    }

    @Override
    public void reset() {
        adopted.clear();
        try {
            process.send(Map.of());
        } catch (IOException ignored) {
            restart();
        }
    }

    private void restart() {
        process.close();
        try {
            process = TorchProcess.start(python);
            process.answer(START_LIMIT);
            loadSamples();
        } catch (IOException failure) {
            throw new IllegalStateException("PyTorch does not start any more: " + failure.getMessage(), failure);
        }
    }

    /** Prepares {@link #sample}; throws an exception that names missing Python packages. */
    void drawFrom(Set<String> ops) throws NoTorchException {
        sampled = Set.copyOf(ops);
        try {
            JsonNode answer = loadSamples();
            if (answer.has("missing")) {
                throw new NoTorchException(python + ": " + answer.get("missing").asText());
            }
        } catch (IOException failure) {
            throw new NoTorchException(python + ": " + failure.getMessage());
        }
    }

    private JsonNode loadSamples() throws IOException {
        if (sampled.isEmpty()) {
            return MissingNode.getInstance();
        }
        process.send(Map.of("load", TorchProcess.script("torch_samples.py"), "ops", sampled));
        return process.answer(START_LIMIT);
    }

    /** Returns a call from the samples of PyTorch's operator tests, with its tensors; empty if it crashes PyTorch. */
    List<FuzzStatement> sample(long seed) {
        try {
            process.send(Map.of("sample", seed));
            return SampleReader.read(process.answer(LIMIT));
        } catch (IOException ignored) {
            restart();
            return List.of();
        }
    }

    @Override
    public void adopt(Map<String, HostTensor> values) {
        values.forEach((name, value) -> adopted.put(name, Base64.getEncoder().encodeToString(value.bytes())));
    }

    @Override
    public StatementOutcome run(FuzzStatement statement, Set<String> looks) {
        Map<String, Object> question =
                Map.of("run", PythonText.of(statement), "look", looks, "adopt", Map.copyOf(adopted));
        adopted.clear();
        return ask(question);
    }

    @Override
    public Optional<Map<String, Optional<Seen>>> recomputed(
            Recomputation way, List<FuzzStatement> program, Set<String> looks) {
        List<String> lines = program.stream().map(PythonText::of).toList();
        return ask(Map.of("recompute", lines, "way", way.name(), "look", looks)) instanceof Computed computed
                ? Optional.of(computed.seen())
                : Optional.empty();
    }

    private StatementOutcome ask(Map<String, Object> question) {
        try {
            process.send(question);
            JsonNode answer = process.answer(LIMIT);
            return answer.has("refused") ? new Refused(answer.get("refused").asText()) : seen(answer.get("seen"));
        } catch (IOException failure) {
            restart();
            return new Broken("PyTorch's process: " + failure.getMessage());
        }
    }

    private static StatementOutcome seen(JsonNode answer) {
        Map<String, Optional<Seen>> seen = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : answer.properties()) {
            JsonNode value = entry.getValue();
            if (value.path("dtype").asText().startsWith("complex")) {
                return new Refused("a " + value.get("dtype").asText() + " result");
            }
            seen.put(entry.getKey(), value.isNull() ? Optional.empty() : Optional.of(seenTensor(value)));
        }
        return new Computed(seen);
    }

    static Seen seenTensor(JsonNode tensor) {
        long[] sizes =
                tensor.get("shape").valueStream().mapToLong(JsonNode::longValue).toArray();
        return new Seen(
                HostTensor.ofBytes(
                        DType.ofLabel(tensor.get("dtype").asText()),
                        Shape.of(sizes),
                        Base64.getDecoder().decode(tensor.get("data").asText())),
                tensor.get("requires_grad").booleanValue());
    }

    @Override
    public void close() {
        process.close();
    }
}
