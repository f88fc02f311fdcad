package dev.outpost.models.training;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.source.CheckpointMarker;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checkpoints of a run, at a location that its machine may open, such as {@code s3://bucket/run}: folders {@code
 * step-00000100} with {@code checkpoint.json} and, written last, the tensors. The machine writes them while training
 * continues. The newest checkpoints and the best one are kept.
 *
 * <p>Not thread-safe.
 */
public final class Checkpoints {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Pattern NAME = Pattern.compile("step-(\\d{8,18})/" + Pattern.quote(CheckpointMarker.FILE));
    private static final long SHARD_BYTES = 4L << 30;
    private final RemoteMachine machine;
    private final String uri;
    private final int kept;
    private final TreeMap<Long, TrainingState> known = new TreeMap<>();
    private boolean isRead;

    /**
     * Names the location of checkpoints.
     *
     * @param uri a location that only this run uses
     * @param kept number of newest checkpoints to keep, at least 1; the best one is kept in addition
     */
    public Checkpoints(RemoteMachine machine, String uri, int kept) {
        if (kept < 1) {
            throw new OutpostException(FaultKind.USER, "checkpoints: at least 1 must be kept, got " + kept);
        }
        this.machine = machine;
        this.uri = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        this.kept = kept;
    }

    public String uri() {
        return uri;
    }

    /** A checkpoint and its tensors, before they are loaded. */
    record Stored(String uri, TrainingState state, SequencedMap<String, SourceTensor> tensors) {
        /** Loads the tensors whose names have a prefix. Waits for the machine. */
        Map<String, Tensor> load(String prefix) {
            Map<String, Tensor> loaded = new LinkedHashMap<>();
            if (tensors.isEmpty()) {
                return loaded;
            }
            Source source = tensors.firstEntry().getValue().source();
            List<String> names = tensors.keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .toList();
            source.machine()
                    .unscoped(() -> source.loadStateDict(names, SourceTensor::dtype))
                    .forEach((name, tensor) -> loaded.put(name.substring(prefix.length()), tensor));
            return loaded;
        }
    }

    /** Returns the newest complete checkpoint. Deletes incomplete ones that are newer. Waits for the machine. */
    Optional<Stored> newest() {
        read();
        while (!known.isEmpty()) {
            Source source = machine.open(folder(known.lastKey()));
            TrainingState state = known.lastEntry().getValue();
            if (source.tensors().keySet().containsAll(state.tensors())) {
                return Optional.of(new Stored(source.uri(), state, source.tensors()));
            }
            // A resumed run writes this checkpoint again.
            delete(known.pollLastEntry().getKey());
        }
        return Optional.empty();
    }

    /** Returns the existing checkpoint with the best evaluation. Waits for the machine. */
    Optional<Stored> best() {
        read();
        return bestStep().map(step -> {
            Source source = machine.open(folder(step));
            return new Stored(source.uri(), known.get(step), source.tensors());
        });
    }

    private Optional<Long> bestStep() {
        return known.values().stream()
                .filter(one -> one.evaluated() != null)
                .min(Comparator.comparing(TrainingState::evaluated))
                .map(TrainingState::step);
    }

    /** Returns the steps of the existing checkpoints, ascending. Waits the first time. */
    public List<Long> steps() {
        read();
        return List.copyOf(known.keySet());
    }

    /** Returns the folder of the checkpoint of a step. */
    public String folder(long step) {
        return uri + String.format(Locale.ROOT, "/step-%08d", step);
    }

    private void read() {
        if (isRead) {
            return;
        }
        Source source;
        try {
            source = machine.open(uri);
        } catch (OutpostException failure) {
            if (failure.code() == FaultCode.NOT_FOUND) {
                isRead = true;
                return;
            }
            throw failure;
        }
        for (String file : source.files().keySet()) {
            Matcher name = NAME.matcher(file);
            if (name.matches()) {
                known.put(Long.parseLong(name.group(1)), parse(source, file));
            }
        }
        isRead = true;
    }

    private static TrainingState parse(Source source, String file) {
        TrainingState state;
        try {
            state = MAPPER.readValue(source.text(file), TrainingState.class);
        } catch (JsonProcessingException failure) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + "/" + file + " is no checkpoint's: " + failure.getOriginalMessage());
        }
        if (state.version() != TrainingState.VERSION) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + "/" + file + ": expected a checkpoint of version " + TrainingState.VERSION + ", got "
                            + state.version());
        }
        return state;
    }

    /** Starts to write a checkpoint. Replaces an earlier checkpoint of the same step. Does not wait for the tensors. */
    CompletableFuture<Long> write(TrainingState state, Map<String, Tensor> tensors) {
        read();
        if (known.remove(state.step()) != null) {
            delete(state.step());
        }
        String text;
        try {
            text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(state);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
        return machine.saveAsync(folder(state.step()), tensors, Map.of(CheckpointMarker.FILE, text), SHARD_BYTES);
    }

    /** Records a complete checkpoint, and deletes older ones beyond those to keep. Waits for the machine. */
    void written(TrainingState state) {
        known.put(state.step(), state);
        Optional<Long> best = bestStep();
        List<Long> older = new ArrayList<>(known.headMap(state.step(), false).keySet());
        int tooMany = older.size() - (kept - 1);
        for (long step : older.subList(0, Math.max(0, tooMany))) {
            if (!best.equals(Optional.of(step))) {
                delete(step);
                known.remove(step);
            }
        }
    }

    /** Deletes a checkpoint. Training continues if it was deleted already. */
    private void delete(long step) {
        try {
            machine.deleteCheckpoint(folder(step));
        } catch (OutpostException failure) {
            if (failure.code() != FaultCode.NOT_FOUND) {
                throw failure;
            }
        }
    }
}
