package dev.outpost.gpucheck.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.gpucheck.gpu.GpuFinding;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * PyTorch on the same GPU, by a process of Python that measures itself and writes a line of JSON for each figure. When its time is over,
 * the figures that it has written count.
 */
final class Peer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final WorkSizes sizes;
    private final String python;
    private final Map<String, Double> milliseconds = new LinkedHashMap<>();
    private String version = "";
    private String text = "";

    Peer(WorkSizes sizes) {
        this(sizes, "python3");
    }

    /** @param python the program that runs the script */
    Peer(WorkSizes sizes, String python) {
        this.sizes = sizes;
        this.python = python;
    }

    /**
     * Measures works with PyTorch; skipped if PyTorch is missing or has no GPU.
     *
     * @param most the longest time; works that are not measured by then are left out
     */
    GpuFinding measure(List<MeasuredWork> works, Duration most) {
        try {
            List<String> names = works.stream().map(MeasuredWork::name).toList();
            Process process = new ProcessBuilder(
                            python, "-c", script(), JSON.writeValueAsString(sizes), JSON.writeValueAsString(names))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Thread limit = Thread.startVirtualThread(() -> endInTime(process, most));
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                lines.lines().forEach(this::take);
            }
            limit.join();
            return finding();
        } catch (IOException ignored) {
            return GpuFinding.skipped(python + " is not here, so nothing is compared with PyTorch");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("PyTorch was not waited for", interrupted);
        }
    }

    private static void endInTime(Process process, Duration most) {
        try {
            if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
        }
    }

    private void take(String line) {
        try {
            JsonNode told = JSON.readTree(line);
            if (told.has("milliseconds")) {
                milliseconds.put(
                        key(told.get("name").asText(), told.get("variant").asText()),
                        told.get("milliseconds").asDouble());
            }
            version = told.path("version").asText(version);
            text = told.path("reason").asText(text);
        } catch (IOException ignored) {
            // Libraries write to the same stream.
        }
    }

    private GpuFinding finding() {
        return milliseconds.isEmpty()
                ? GpuFinding.skipped(text.isEmpty() ? python + " does not run PyTorch here" : text)
                : GpuFinding.of(
                        milliseconds,
                        "%s, %d figures%s",
                        version,
                        milliseconds.size(),
                        text.isEmpty() ? "" : "; " + text);
    }

    /** Returns the time of a work, if the peer reported it. */
    OptionalDouble milliseconds(String work, String variant) {
        return Optional.ofNullable(milliseconds.get(key(work, variant)))
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    private static String key(String work, String variant) {
        return work + ", " + variant;
    }

    private static String script() {
        try (InputStream script = Peer.class.getResourceAsStream("gpu_peer.py")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
