package dev.outpost.bench.peers.contestant;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.HostTensor;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PyTorch from Python, eager, in a separate process that runs {@code peers.py} and times itself. A message is a JSON object
 * on a line, followed by the elements that it announces, little-endian.
 */
public final class PythonPeer implements Contestant {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final OutputStream requests;
    private final DataInputStream answers;

    public PythonPeer(Workload workload) {
        try {
            process = new ProcessBuilder("python3", "-c", script())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            requests = new BufferedOutputStream(process.getOutputStream());
            answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
            Map<String, HostTensor> weights = workload.weights();
            send(
                    Map.of("open", workload.name(), "names", weights.keySet(), "tensors", described(weights.values())),
                    weights.values());
            receive();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** Returns PyTorch's version if Python can import it. */
    public static Optional<String> version() {
        try {
            Process process = new ProcessBuilder("python3", "-c", "import torch; print(torch.__version__)")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.onExit().join().exitValue() == 0 ? Optional.of(version) : Optional.empty();
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }

    private static String script() throws IOException {
        try (InputStream script = PythonPeer.class.getResourceAsStream("peers.py")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String name() {
        return "pytorch";
    }

    @Override
    public void load(List<List<HostTensor>> steps) {
        List<HostTensor> tensors = steps.stream().flatMap(List::stream).toList();
        ask(Map.of("load", steps.size(), "tensors", described(tensors)), tensors);
    }

    @Override
    public double run() {
        return ask(Map.of("run", true), List.of()).get("milliseconds").asDouble();
    }

    @Override
    public float[] results() {
        byte[] bytes = new byte
                [4 * ask(Map.of("results", true), List.of()).get("elements").asInt()];
        try {
            answers.readFully(bytes);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        float[] results = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(results);
        return results;
    }

    @Override
    public void clear() {
        ask(Map.of("clear", true), List.of());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private static List<Map<String, Object>> described(Iterable<HostTensor> tensors) {
        List<Map<String, Object>> descriptions = new ArrayList<>();
        for (HostTensor tensor : tensors) {
            String dtype = tensor.dtype().toString();
            descriptions.add(Map.of("dtype", dtype, "shape", tensor.shape().toArray()));
        }
        return descriptions;
    }

    private JsonNode ask(Map<String, ?> request, Iterable<HostTensor> tensors) {
        try {
            send(request, tensors);
            return receive();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private void send(Map<String, ?> request, Iterable<HostTensor> tensors) throws IOException {
        requests.write(JSON.writeValueAsBytes(request));
        requests.write('\n');
        for (HostTensor tensor : tensors) {
            requests.write(tensor.bytes());
        }
        requests.flush();
    }

    private JsonNode receive() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = answers.readByte(); next != '\n'; next = answers.readByte()) {
            line.append((char) next);
        }
        return JSON.readTree(line.toString());
    }
}
