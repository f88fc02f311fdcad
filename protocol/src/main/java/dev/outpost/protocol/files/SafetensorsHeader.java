package dev.outpost.protocol.files;

import com.fasterxml.jackson.core.JsonParser;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header of a safetensors file: the names, types and positions of its tensors. It is as strict as the format's own implementation:
 * the tensors' bytes cover the rest of the file after the header, without gaps or overlaps.
 *
 * @param dataStart the position of the first byte after the header
 * @param tensors the tensors by name, in the header's order
 * @param metadata texts by name; empty if there are none
 * @param unsupported the tensors with dtypes that Outpost does not support, such as F8_E4M3: the dtypes' names by the tensors' names.
 *     Their offsets are checked like those of the others
 * @see <a href="https://github.com/huggingface/safetensors#format">the format</a>
 */
public record SafetensorsHeader(
        long dataStart,
        Map<String, StoredTensor> tensors,
        Map<String, String> metadata,
        Map<String, String> unsupported) {
    /** The maximum length of a header, in bytes; the same limit as in the format's own implementation. */
    public static final int MAX_BYTES = 100_000_000;

    private static final String METADATA = "__metadata__";

    /**
     * Reads the header and checks it against the length of the file.
     *
     * @throws MalformedException if the header is invalid; the message names the file
     */
    public static SafetensorsHeader read(ReadableBytes file) throws IOException {
        if (file.size() < Long.BYTES) {
            Placeholders.require(file);
            throw new MalformedException(file.name() + ": a safetensors file has at least 8 bytes, got " + file.size());
        }
        long length = ByteBuffer.wrap(file.read(0, Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
        long rest = file.size() - Long.BYTES;
        if (length < 0 || length > Math.min(rest, MAX_BYTES)) {
            Placeholders.require(file);
            throw new MalformedException(file.name()
                    + ": this is no safetensors file, or it is incomplete: a header of " + Long.toUnsignedString(length)
                    + " bytes does not fit, the file has " + file.size() + " and a header at most " + MAX_BYTES);
        }
        return parse(file.name(), file.read(Long.BYTES, (int) length), rest - length);
    }

    private static SafetensorsHeader parse(String file, byte[] json, long dataBytes) {
        String what = file + ": the header";
        if (json.length == 0 || json[0] != '{') {
            throw new MalformedException(what + " does not begin with {");
        }
        long dataStart = Long.BYTES + json.length;
        Map<String, StoredTensor> tensors = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        Map<String, String> unsupported = new LinkedHashMap<>();
        List<Span> spans = new ArrayList<>();
        Json.readObject(what, json, (name, in) -> {
            if (name.equals(METADATA)) {
                Json.readObject(in, (key, value) -> metadata.put(key, Json.readString(value)));
            } else {
                Description draft = readTensor(name, in);
                spans.add(new Span(name, dataStart + draft.offsets()[0], dataStart + draft.offsets()[1]));
                if (SafetensorsTypes.isSupported(draft.dtype())) {
                    tensors.put(name, draft.tensor(name, dataStart));
                } else {
                    unsupported.put(name, draft.dtype());
                }
            }
        });
        requireCovered(file, spans, dataStart, dataBytes);
        return new SafetensorsHeader(
                dataStart,
                Collections.unmodifiableMap(tensors),
                Collections.unmodifiableMap(metadata),
                Collections.unmodifiableMap(unsupported));
    }

    /** The range of bytes of a tensor of any dtype. */
    private record Span(String name, long begin, long end) {}

    private static Description readTensor(String name, JsonParser in) throws IOException {
        try {
            Draft draft = new Draft();
            Json.readObject(in, draft);
            Description description = draft.description();
            description.check();
            return description;
        } catch (IllegalArgumentException | ArithmeticException | OpException failure) {
            throw new IllegalArgumentException("tensor " + Json.quote(name) + ": " + failure.getMessage(), failure);
        }
    }

    /** The properties of one tensor that were read so far. */
    private static final class Draft implements Json.Field {
        private @Nullable String dtype;
        private long @Nullable [] sizes;
        private long @Nullable [] offsets;

        @Override
        public void read(String name, JsonParser in) throws IOException {
            switch (name) {
                case "dtype" -> dtype = Json.readString(in);
                case "shape" -> sizes = Json.readSizes(in, Shape.MAX_RANK);
                case "data_offsets" -> offsets = Json.readSizes(in, 2);
                default -> throw new IllegalArgumentException("there is no field " + Json.quote(name));
            }
        }

        Description description() {
            if (dtype == null || sizes == null || offsets == null || offsets.length != 2) {
                throw new IllegalArgumentException("dtype, shape and two data_offsets are needed");
            }
            return new Description(dtype, sizes, offsets);
        }
    }

    /** The properties of one tensor. */
    private record Description(String dtype, long[] sizes, long[] offsets) {
        /** Compares the properties with each other. */
        void check() {
            boolean isSupported = SafetensorsTypes.isSupported(dtype);
            Shape shape = Shape.of(sizes);
            long bytes = isSupported
                    ? type().bytes()
                    : Math.ceilDiv(
                            Math.multiplyExact(shape.elements(), (long) SafetensorsTypes.unsupportedBits(dtype)), 8);
            if (offsets[0] > offsets[1] || offsets[1] - offsets[0] != bytes) {
                throw new IllegalArgumentException((isSupported ? type() : dtype + shape) + " takes " + bytes
                        + " bytes, got offsets " + offsets[0] + " to " + offsets[1]);
            }
        }

        private TensorType type() {
            return new TensorType(SafetensorsTypes.ofName(dtype), Shape.of(sizes));
        }

        StoredTensor tensor(String name, long dataStart) {
            return new StoredTensor(name, type(), dataStart + offsets[0], dataStart + offsets[1]);
        }
    }

    /** Compares the offsets with each other and with the file's length, before they are used. */
    private static void requireCovered(String file, List<Span> spans, long dataStart, long dataBytes) {
        List<Span> inOrder = spans.stream()
                .sorted(Comparator.comparingLong(Span::begin).thenComparingLong(Span::end))
                .toList();
        long covered = dataStart;
        for (Span tensor : inOrder) {
            if (tensor.begin() != covered) {
                throw new MalformedException(file + ": tensor " + Json.quote(tensor.name()) + " begins at byte "
                        + tensor.begin() + " of the file, expected " + covered);
            }
            covered = tensor.end();
        }
        if (covered != dataStart + dataBytes) {
            throw new MalformedException(
                    file + ": the tensors end at byte " + covered + ", the file has " + (dataStart + dataBytes));
        }
    }
}
