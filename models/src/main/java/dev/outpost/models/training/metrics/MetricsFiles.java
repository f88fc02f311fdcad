package dev.outpost.models.training.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.SavedCheckpoint;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingStep;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Writes the events of training to a folder of this host: {@code steps.csv} with a line for each step, and {@code events.jsonl} with steps,
 * evaluations and checkpoints. If training resumes, the lines of later steps are removed first, so the files are the same as after an
 * uninterrupted run, except times and rates.
 */
public final class MetricsFiles implements TrainingListener, AutoCloseable {
    /** The name of the file with a line for each step. */
    public static final String STEPS = "steps.csv";

    /** The name of the file with all events. */
    public static final String EVENTS = "events.jsonl";

    private static final String HEAD = "step,epoch,loss,gradient_norm,learning_rate,tokens,seconds,tokens_per_second";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Path folder;
    private BufferedWriter steps;
    private BufferedWriter events;

    /** @param folder created if it does not exist */
    public MetricsFiles(Path folder) {
        this.folder = folder;
    }

    @Override
    public void began(long step, long all) {
        try {
            Files.createDirectories(folder);
            keep(folder.resolve(STEPS), line -> line.equals(HEAD) || stepOfRow(line) <= step);
            keep(folder.resolve(EVENTS), line -> stepOfEvent(line) <= step);
            boolean isNew = Files.notExists(folder.resolve(STEPS)) || Files.size(folder.resolve(STEPS)) == 0;
            steps = append(STEPS);
            events = append(EVENTS);
            if (isNew) {
                line(steps, HEAD);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("metrics: " + folder + " cannot be written", failure);
        }
    }

    private BufferedWriter append(String name) throws IOException {
        return Files.newBufferedWriter(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Keeps only matching lines. Also removes a malformed last line, which a killed process may leave. */
    private static void keep(Path file, Predicate<String> isKept) throws IOException {
        if (Files.notExists(file)) {
            return;
        }
        List<String> kept = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (isKept.test(line)) {
                kept.add(line);
            }
        }
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.write(draft, kept);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long stepOfRow(String line) {
        String[] cells = line.split(",", -1);
        return cells.length == HEAD.split(",").length && cells[0].matches("\\d{1,18}")
                ? Long.parseLong(cells[0])
                : Long.MAX_VALUE;
    }

    private static long stepOfEvent(String line) {
        try {
            return MAPPER.readTree(line).path("step").asLong(Long.MAX_VALUE);
        } catch (JsonProcessingException ignored) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void stepped(TrainingStep step) {
        write(
                steps,
                String.join(
                        ",",
                        "" + step.step(),
                        "" + step.epoch(),
                        "" + step.loss(),
                        "" + step.gradientNorm(),
                        "" + step.learningRate(),
                        "" + step.size(),
                        "" + step.seconds(),
                        "" + step.rate()));
        ObjectNode event = event("step", step.step());
        event.put("epoch", step.epoch());
        event.put("loss", step.loss());
        if (!Double.isNaN(step.gradientNorm())) {
            event.put("gradient_norm", step.gradientNorm());
        }
        event.put("learning_rate", step.learningRate());
        event.put("tokens", step.size());
        event.put("seconds", step.seconds());
        event.put("tokens_per_second", step.rate());
        write(events, event.toString());
    }

    @Override
    public void evaluated(Evaluation evaluation) {
        ObjectNode event = event("evaluation", evaluation.step());
        event.put("loss", evaluation.loss());
        event.put("perplexity", evaluation.perplexity());
        event.put("best", evaluation.isBest());
        write(events, event.toString());
    }

    @Override
    public void saved(SavedCheckpoint checkpoint) {
        ObjectNode event = event("checkpoint", checkpoint.step());
        event.put("uri", checkpoint.uri());
        event.put("bytes", checkpoint.bytes());
        event.put("pause_seconds", checkpoint.pause().toNanos() / 1e9);
        event.put("seconds", checkpoint.time().toNanos() / 1e9);
        write(events, event.toString());
    }

    private static ObjectNode event(String kind, long step) {
        return MAPPER.createObjectNode().put("event", kind).put("step", step);
    }

    private void write(BufferedWriter file, String line) {
        try {
            line(file, line);
        } catch (IOException failure) {
            throw new UncheckedIOException("metrics: " + folder + " cannot be written", failure);
        }
    }

    /** Flushes the line, so that a killed process loses nothing. */
    private static void line(BufferedWriter file, String line) throws IOException {
        file.write(line);
        file.write('\n');
        file.flush();
    }

    /** Returns the values of an event's member by step, without those that a resumed run has replaced. */
    static List<double[]> read(Path folder, String kind, String member) {
        List<double[]> points = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(folder.resolve(EVENTS))) {
                JsonNode event = MAPPER.readTree(line);
                if (event.path("event").asText().equals(kind)
                        && event.path(member).isNumber()) {
                    points.add(new double[] {
                        event.get("step").asDouble(), event.get(member).asDouble()
                    });
                }
            }
            return points;
        } catch (IOException failure) {
            throw new UncheckedIOException("metrics: " + folder + " cannot be read", failure);
        }
    }

    @Override
    public void close() {
        try {
            if (steps != null) {
                steps.close();
                events.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("metrics: " + folder + " cannot be written", failure);
        }
    }
}
