package dev.outpost.source;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.program.Recorder;
import dev.outpost.internal.TensorDevice;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.source.LoadProgress;
import dev.outpost.protocol.source.SourceIndex;
import dev.outpost.stats.LoadStats;
import dev.outpost.stats.ProgressWatch;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A folder, bucket or repository from which a machine reads models directly. The client sees names, dtypes, shapes
 * and small files; the weights go directly from the store into the machine's memory. Thread-safe.
 *
 * <pre>{@code
 * Source source = machine.open("s3://models/SmolLM2-135M");
 * String config = source.text("config.json");
 * model.loadStateDict(source, true);
 * }</pre>
 *
 * <p>A source stands for the version that was opened. If a file has changed since then, reading it fails.
 */
public final class Source {
    private final RemoteMachine machine;
    private final SourceIndex index;
    private final String folder;
    private final SequencedMap<String, SourceTensor> tensors;

    private Source(RemoteMachine machine, SourceIndex index, String folder) {
        this.machine = machine;
        this.index = index;
        this.folder = folder;
        this.tensors = Collections.unmodifiableSequencedMap(tensorsOfFolder());
    }

    /** Opens a source, like {@link RemoteMachine#open}. */
    public static Source open(RemoteMachine machine, String uri) {
        byte[] answer = recorder(machine)
                .ask(SourceQuestion.newBuilder()
                        .setOpen(SourceQuestion.Open.newBuilder()
                                .setUri(ArgumentChecks.required(uri, "the URI"))
                                .setWithSkipped(true))
                        .build());
        return new Source(machine, SourceIndex.decode(answer), "");
    }

    private static Recorder recorder(RemoteMachine machine) {
        return TensorDevice.of(machine).recorder();
    }

    public RemoteMachine machine() {
        return machine;
    }

    /** Returns the URI that was opened. */
    public String uri() {
        return index.uri();
    }

    /** Returns an identifier of the version. It differs if any file differs. */
    public String version() {
        return index.version();
    }

    /** Returns the lengths of all files, including those in subfolders, in bytes, by path. */
    public SequencedMap<String, Long> files() {
        SequencedMap<String, Long> files = new LinkedHashMap<>();
        for (SourceIndex.File file : index.files()) {
            if (file.path().startsWith(folder)) {
                files.put(file.path().substring(folder.length()), file.bytes());
            }
        }
        return Collections.unmodifiableSequencedMap(files);
    }

    /** Returns a subfolder, such as {@code text_encoder}. Throws if it does not exist. */
    public Source folder(String name) {
        String prefix = folder + name + "/";
        if (index.files().stream().noneMatch(file -> file.path().startsWith(prefix))) {
            throw new OutpostException(FaultKind.USER, "open: " + uri() + " has no folder " + folder + name);
        }
        return new Source(machine, index, prefix);
    }

    /** Returns the whole content of a small file. Throws if the file does not exist. Waits. */
    public byte[] bytes(String file) {
        return bytes(file, 0, 0);
    }

    /**
     * Returns a part of a file of any size. Waits.
     *
     * @param offset the index of the first byte, from 0
     * @param max the maximum number of bytes to return, up to 64 MiB; the result is shorter if the file ends earlier;
     * 0 requests all of a small file
     */
    public byte[] bytes(String file, long offset, int max) {
        if (offset < 0 || max < 0) {
            throw new OutpostException(
                    FaultKind.USER,
                    "open: " + uri() + ": " + folder + file + ": expected a part from 0 on, got " + max + " bytes from "
                            + offset + " on");
        }
        if (!files().containsKey(file)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "open: " + uri() + " has no file " + folder + file + "; it has "
                            + String.join(
                                    ", ", files().keySet().stream().limit(20).toList()));
        }
        return recorder(machine)
                .ask(SourceQuestion.newBuilder()
                        .setReadFile(SourceQuestion.ReadFile.newBuilder()
                                .setUri(index.uri())
                                .setVersion(index.version())
                                .setFile(folder + file)
                                .setOffset(offset)
                                .setBytes(max))
                        .build());
    }

    /** Like {@link #bytes}, but decoded as UTF-8. */
    public String text(String file) {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    // ---- tensors

    /** Returns the tensors in the files of this folder, by name. A {@link #folder} lists its own tensors. */
    public SequencedMap<String, SourceTensor> tensors() {
        return tensors;
    }

    /**
     * Returns the files of this folder that hold tensors but were skipped, with the reasons, by path. An example is {@code
     * consolidated.safetensors} if the index does not name it.
     */
    public SequencedMap<String, String> skippedFiles() {
        return skipped(true);
    }

    /**
     * Returns the tensors of this folder's files that were skipped, with the reasons, by name. An example is a tensor of an unsupported
     * dtype.
     */
    public SequencedMap<String, String> skippedTensors() {
        return skipped(false);
    }

    private SequencedMap<String, String> skipped(boolean areFiles) {
        SequencedMap<String, String> skipped = new LinkedHashMap<>();
        for (SourceIndex.Skipped each : index.skipped()) {
            if (isOfFolder(each.file()) && each.tensor().isEmpty() == areFiles) {
                skipped.putIfAbsent(areFiles ? each.file().substring(folder.length()) : each.tensor(), each.reason());
            }
        }
        return Collections.unmodifiableSequencedMap(skipped);
    }

    /** Returns one of the {@link #tensors}. Throws OpException for an unknown name; for a skipped tensor the message gives the reason. */
    public SourceTensor tensor(String name) {
        SourceTensor tensor = tensors.get(name);
        if (tensor == null) {
            String skipped = skippedTensors().get(name);
            throw new OpException(
                    "load",
                    uri() + (skipped == null ? " has no tensor " + name : ": " + name + " was left out: " + skipped));
        }
        return tensor;
    }

    /** Loads all tensors onto the machine in their stored dtypes. Waits until they are loaded. */
    public SequencedMap<String, Tensor> loadStateDict() {
        return loadStateDict(tensors.keySet(), SourceTensor::dtype);
    }

    /** Like {@link #loadStateDict()}, but with all floating tensors cast to one dtype. */
    public SequencedMap<String, Tensor> loadStateDict(DType floating) {
        return loadStateDict(tensors.keySet(), tensor -> tensor.dtype().isFloating() ? floating : tensor.dtype());
    }

    /**
     * Loads some of the tensors onto the machine. Waits until they are loaded. If a tensor cannot be loaded, none is.
     *
     * @param names names from {@link #tensors}
     * @param dtype returns the dtype that a tensor is cast to while it is loaded; only floating tensors are cast
     */
    public SequencedMap<String, Tensor> loadStateDict(Iterable<String> names, Function<SourceTensor, DType> dtype) {
        SequencedMap<String, Tensor> loaded = new LinkedHashMap<>();
        boolean isWhole = false;
        try {
            for (String name : names) {
                SourceTensor tensor = tensor(name);
                loaded.put(name, tensor.to(dtype.apply(tensor)).load());
            }
            recorder(machine).drain();
            isWhole = true;
            return loaded;
        } finally {
            if (!isWhole) {
                loaded.values().forEach(Tensor::close);
            }
        }
    }

    /** Returns the progress of the loads in this machine's session. Another thread may call it during a load. Waits. */
    public LoadStats progress() {
        LoadProgress progress = LoadProgress.decode(recorder(machine)
                .ask(SourceQuestion.newBuilder()
                        .setProgress(SourceQuestion.Progress.getDefaultInstance())
                        .build()));
        return new LoadStats(progress.loads(), progress.done(), progress.bytes(), progress.nanos());
    }

    /**
     * Reports the progress of loads to a listener, on a separate thread, until the returned watch is closed.
     *
     * <pre>{@code
     * try (var watch = source.watchProgress(Duration.ofSeconds(1), p -> log(p.bytes(), p.rate()))) {
     *     model.loadStateDict(source, true);
     * }
     * }</pre>
     *
     * @param every the polling interval; the listener is called after a change, and a last time at the end if something changed
     */
    public ProgressWatch watchProgress(Duration every, Consumer<LoadStats> listener) {
        if (every.isZero() || every.isNegative()) {
            throw new IllegalArgumentException("watchProgress: expected a time above 0, got " + every);
        }
        return new ProgressWatch(this::progress, every, listener);
    }

    /** Cancels the running loads. Calls that wait for them throw. */
    public void cancel() {
        recorder(machine)
                .ask(SourceQuestion.newBuilder()
                        .setCancel(SourceQuestion.Cancel.getDefaultInstance())
                        .build());
    }

    /** @param starts the first index of the part in each dimension */
    Tensor load(SourceTensor tensor, List<Long> starts) {
        TensorDevice device = TensorDevice.of(machine);
        Load load = new Load(tensor.type(), index.uri(), index.version(), tensor.file(), tensor.name(), starts);
        return Tracing.outside(() -> (Tensor) device.over(device.recorder().load(load)));
    }

    private SequencedMap<String, SourceTensor> tensorsOfFolder() {
        SequencedMap<String, SourceTensor> found = new LinkedHashMap<>();
        Map<String, String> duplicates = new LinkedHashMap<>();
        for (SourceIndex.Tensor tensor : index.tensors()) {
            if (isOfFolder(tensor.file())) {
                SourceTensor before = found.put(tensor.name(), SourceTensor.whole(this, tensor));
                if (before != null) {
                    duplicates.put(before.file(), tensor.file());
                }
            }
        }
        if (!duplicates.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "open: " + uri() + " has several files with the same tensors, so it is not clear which are meant: "
                            + duplicates + "; open one of the files");
        }
        return found;
    }

    private boolean isOfFolder(String file) {
        return file.startsWith(folder) && file.indexOf('/', folder.length()) < 0;
    }

    @Override
    public String toString() {
        return uri() + (folder.isEmpty() ? "" : "/" + folder) + " with " + tensors.size() + " tensors";
    }
}
