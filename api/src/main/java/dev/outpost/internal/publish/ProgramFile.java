package dev.outpost.internal.publish;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.ReadableFile;
import dev.outpost.protocol.files.SafetensorsHeader;
import dev.outpost.protocol.files.SafetensorsLayout;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A published program, stored in a safetensors file. The captured values are tensors {@code captured.0} and so on. Each trace has its
 * code, sources and outputs as tensors, and the types of its inputs as a text.
 *
 * @param isByRows true if rows are independent of each other; there is then one trace for each of several row counts, ascending
 * @param traces the traces, at least one
 * @param captured the values that all traces share
 */
public record ProgramFile(boolean isByRows, List<StoredTrace> traces, List<HostTensor> captured) {
    private static final String VERSION = "1";
    private static final String VERSION_NAME = "outpost.program";
    private static final String BY_ROWS = "byRows";
    private static final String TRACES = "traces";
    private static final int MAX_TRACES = 64;

    public ProgramFile {
        traces = List.copyOf(traces);
        captured = List.copyOf(captured);
    }

    /** Returns the types of the arguments; for one row if rows are independent. */
    public List<TensorType> inputs() {
        return traces.getFirst().inputs();
    }

    /** Returns the types of the results; for one row if rows are independent. */
    public List<TensorType> outputs() {
        StoredTrace first = traces.getFirst();
        return first.outputTypes(graph(first));
    }

    /** Returns the largest number of rows computed at once; 0 if rows are not independent. */
    public int maxRows() {
        return isByRows ? (int) traces.getLast().rows() : 0;
    }

    Graph graph(StoredTrace trace) {
        return trace.graph(captured.stream().map(ProgramFile::typeOf).toList());
    }

    // ---- the file

    /** Writes the file. */
    public void write(Path file) throws IOException {
        Map<String, HostTensor> tensors = new LinkedHashMap<>();
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(VERSION_NAME, VERSION);
        texts.put(BY_ROWS, Boolean.toString(isByRows));
        texts.put(TRACES, Integer.toString(traces.size()));
        for (int index = 0; index < traces.size(); index++) {
            StoredTrace trace = traces.get(index);
            texts.put(name(index, "inputs"), text(trace.inputs()));
            tensors.put(
                    name(index, "code"), HostTensor.ofBytes(DType.UINT8, Shape.of(trace.code().length), trace.code()));
            tensors.put(name(index, "sources"), numbers(trace.sources()));
            tensors.put(name(index, "outputs"), numbers(trace.outputs()));
        }
        for (int index = 0; index < captured.size(); index++) {
            tensors.put("captured." + index, captured.get(index));
        }
        Map<String, TensorType> types = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> types.put(name, typeOf(tensor)));
        SafetensorsLayout layout = SafetensorsLayout.of(types, texts);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(layout.head());
            for (StoredTensor stored : layout.tensors()) {
                out.write(tensors.get(stored.name()).bytes());
            }
        }
    }

    private static TensorType typeOf(HostTensor tensor) {
        return new TensorType(tensor.dtype(), tensor.shape());
    }

    /**
     * Reads a file and validates the code.
     *
     * @throws MalformedException if the file is not a published program, or has another version
     */
    public static ProgramFile read(Path file) throws IOException {
        try (ReadableFile in = ReadableFile.open(file)) {
            SafetensorsHeader header = SafetensorsHeader.read(in);
            Map<String, String> texts = header.metadata();
            if (!VERSION.equals(texts.get(VERSION_NAME))) {
                throw new MalformedException("program: expected a published program of version " + VERSION + ", got "
                        + texts.getOrDefault(VERSION_NAME, "none"));
            }
            List<HostTensor> captured = new ArrayList<>();
            while (header.tensors().containsKey("captured." + captured.size())) {
                captured.add(tensor(in, header, "captured." + captured.size()));
            }
            List<StoredTrace> traces = new ArrayList<>();
            int count = count(texts.get(TRACES));
            for (int index = 0; index < count; index++) {
                traces.add(trace(in, header, index));
            }
            ProgramFile program = new ProgramFile(Boolean.parseBoolean(texts.get(BY_ROWS)), traces, captured);
            program.requireNames();
            return program;
        }
    }

    private static int count(String text) {
        int count = text != null && text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > MAX_TRACES) {
            throw new MalformedException("program: expected 1 to " + MAX_TRACES + " traces, got " + text);
        }
        return count;
    }

    private static StoredTrace trace(ReadableFile in, SafetensorsHeader header, int index) throws IOException {
        return new StoredTrace(
                tensor(in, header, name(index, "code")).bytes(),
                types(header.metadata().get(name(index, "inputs"))),
                numbers(tensor(in, header, name(index, "sources"))),
                numbers(tensor(in, header, name(index, "outputs"))));
    }

    private static HostTensor tensor(ReadableFile in, SafetensorsHeader header, String name) throws IOException {
        StoredTensor stored = header.tensors().get(name);
        if (stored == null || stored.type().bytes() > Integer.MAX_VALUE - 8) {
            throw new MalformedException("program: expected a tensor " + name + " of up to 2 GiB");
        }
        byte[] bytes = new byte[(int) stored.type().bytes()];
        in.read(stored.begin(), bytes, 0, bytes.length);
        return HostTensor.ofBytes(stored.type().dtype(), stored.type().shape(), bytes);
    }

    private void requireNames() {
        for (StoredTrace trace : traces) {
            boolean areKnown = trace.sources().stream()
                    .allMatch(
                            source -> source < trace.inputs().size() && StoredTrace.captured(source) < captured.size());
            Graph graph = areKnown ? graph(trace) : null;
            if (graph == null || trace.outputs().stream().anyMatch(value -> value < 0 || value >= graph.valueCount())) {
                throw new MalformedException("program: a trace names a value that is not there");
            }
        }
    }

    private static String name(int trace, String part) {
        return "trace." + trace + "." + part;
    }

    private static HostTensor numbers(List<Integer> values) {
        return HostTensor.of(values.stream().mapToLong(Integer::longValue).toArray());
    }

    private static List<Integer> numbers(HostTensor values) {
        return Arrays.stream(values.toLongArray())
                .mapToObj(value -> Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE))
                .toList();
    }

    /** Formats types, for example {@code float32:2,3 int64:}. */
    private static String text(List<TensorType> types) {
        return types.stream()
                .map(type -> type.dtype().label() + ":"
                        + Arrays.stream(type.shape().toArray())
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
    }

    private static List<TensorType> types(String text) {
        return text == null || text.isBlank()
                ? List.of()
                : Stream.of(text.split(" ")).map(ProgramFile::type).toList();
    }

    private static TensorType type(String text) {
        if (!text.matches("[a-z0-9]+:(\\d{1,18}(,\\d{1,18})*)?")) {
            throw new MalformedException("program: expected a type such as float32:2,3, got " + text);
        }
        String[] parts = text.split(":", 2);
        long[] sizes = parts[1].isEmpty()
                ? new long[0]
                : Stream.of(parts[1].split(",")).mapToLong(Long::parseLong).toArray();
        return new TensorType(DType.ofLabel(parts[0]), Shape.of(sizes));
    }
}
