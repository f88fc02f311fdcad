package dev.outpost.onnx.graph;

import com.google.protobuf.CodedInputStream;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.StringStringEntryProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorProto.DataLocation;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.DType;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model with the data of its weights, which may be in separate files. Such files must be in the model's own folder.
 * Immutable.
 */
public final class OnnxFile {
    /**
     * The maximum number of levels of nested messages. Real models have a few; a malicious one may have thousands.
     */
    private static final int MAX_NESTED = 64;

    private final ModelProto model;
    private final @Nullable Path folder;

    private OnnxFile(ModelProto model, @Nullable Path folder) {
        this.model = model;
        this.folder = folder;
    }

    /** Reads a model from a {@code file:} URI or a path. */
    public static OnnxFile read(String uri) {
        Path file = path(uri);
        try {
            if (Files.size(file) > Integer.MAX_VALUE - 8) {
                throw new OnnxException(file + " has " + Files.size(file)
                        + " bytes, over 2 GiB; export the model with external data, whose files may have any size");
            }
            return new OnnxFile(
                    parse(Files.readAllBytes(file)), file.toAbsolutePath().getParent());
        } catch (IOException failure) {
            throw new OnnxException(file + " cannot be read: " + failure, failure);
        }
    }

    /** Reads a model in memory that contains all its weights. */
    public static OnnxFile of(byte[] bytes) {
        return new OnnxFile(parse(bytes), null);
    }

    /** Returns a model from a message in memory. */
    public static OnnxFile of(ModelProto model) {
        return new OnnxFile(model, null);
    }

    private static Path path(String uri) {
        if (uri.startsWith("file:")) {
            String rest = uri.substring("file:".length());
            return rest.startsWith("///") ? Path.of(URI.create(uri)) : Path.of(rest);
        }
        if (uri.matches("[a-z][a-z0-9+]+:.*")) {
            throw new OnnxException("expected a path or a URI such as file:/models/encoder.onnx, got " + uri);
        }
        return Path.of(uri);
    }

    private static ModelProto parse(byte[] bytes) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            in.setRecursionLimit(MAX_NESTED);
            ModelProto model = ModelProto.parseFrom(in);
            if (!model.hasGraph() || model.getOpsetImportCount() == 0) {
                throw new OnnxException("this is no ONNX model: it has "
                        + (model.hasGraph() ? "no version of the operators" : "no graph"));
            }
            return model;
        } catch (IOException failure) {
            throw new OnnxException("this is no ONNX model: " + failure.getMessage(), failure);
        }
    }

    public ModelProto model() {
        return model;
    }

    // ---- the data of weights

    /** True if a tensor's data are outside of the model file. */
    static boolean isExternal(TensorProto tensor) {
        return tensor.getDataLocation() == DataLocation.EXTERNAL;
    }

    /** Returns the elements of a weight, row-major, little-endian. Fails if their number does not match the shape. */
    public ByteBuffer elements(TensorProto weight) {
        TensorType type = OnnxTypes.type(weight)
                .orElseThrow(() -> new OnnxException("the weight " + weight.getName() + " has the dtype "
                        + weight.getDataType() + ", which no tensor has"));
        ByteBuffer bytes = isExternal(weight) ? outside(weight) : inside(weight, type.dtype());
        if (bytes.remaining() != type.bytes()) {
            throw new OnnxException("the weight " + weight.getName() + " of " + type + " takes " + type.bytes()
                    + " bytes, got " + bytes.remaining());
        }
        return bytes;
    }

    private static ByteBuffer inside(TensorProto weight, DType dtype) {
        if (!weight.getRawData().isEmpty()) {
            return weight.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }
        return switch (dtype) {
            case FLOAT32 -> {
                ByteBuffer bytes = room(weight.getFloatDataCount(), Float.BYTES);
                weight.getFloatDataList().forEach(bytes::putFloat);
                yield bytes.flip();
            }
            case FLOAT64 -> {
                ByteBuffer bytes = room(weight.getDoubleDataCount(), Double.BYTES);
                weight.getDoubleDataList().forEach(bytes::putDouble);
                yield bytes.flip();
            }
            case INT64 -> {
                ByteBuffer bytes = room(weight.getInt64DataCount(), Long.BYTES);
                weight.getInt64DataList().forEach(bytes::putLong);
                yield bytes.flip();
            }
            case INT32 -> {
                ByteBuffer bytes = room(weight.getInt32DataCount(), Integer.BYTES);
                weight.getInt32DataList().forEach(bytes::putInt);
                yield bytes.flip();
            }
            case FLOAT16, BFLOAT16, INT16 -> {
                ByteBuffer bytes = room(weight.getInt32DataCount(), Short.BYTES);
                weight.getInt32DataList().forEach(value -> bytes.putShort(value.shortValue()));
                yield bytes.flip();
            }
            case INT8, UINT8, BOOL -> {
                ByteBuffer bytes = room(weight.getInt32DataCount(), 1);
                weight.getInt32DataList().forEach(value -> bytes.put(value.byteValue()));
                yield bytes.flip();
            }
        };
    }

    private static ByteBuffer room(int count, int bytes) {
        return ByteBuffer.allocate(Math.multiplyExact(count, bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer outside(TensorProto weight) {
        Map<String, String> where = new HashMap<>();
        for (StringStringEntryProto entry : weight.getExternalDataList()) {
            where.put(entry.getKey(), entry.getValue());
        }
        Path file = besideTheModel(weight, where.getOrDefault("location", ""));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long offset = number(weight, where.getOrDefault("offset", "0"));
            long length = where.containsKey("length")
                    ? number(weight, where.get("length"))
                    : Math.max(0, channel.size() - offset);
            if (length > Integer.MAX_VALUE || offset > channel.size() - length) {
                throw new OnnxException(
                        "the weight " + weight.getName() + " is at " + offset + " to " + (offset + length) + " of "
                                + file + ", which has " + channel.size() + " bytes; a weight has at most 2 GiB");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, offset, length).order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException failure) {
            throw new UncheckedIOException("onnx: " + file + " cannot be read", failure);
        }
    }

    private Path besideTheModel(TensorProto weight, String location) {
        if (folder == null) {
            throw new OnnxException("the weight " + weight.getName()
                    + " is in another file, and a model that is given as bytes has no folder");
        }
        Path file = folder.resolve(location).normalize();
        if (location.isBlank() || !file.startsWith(folder.normalize())) {
            throw new OnnxException("the weight " + weight.getName() + " is stored in \"" + location
                    + "\", which is not in the model's folder");
        }
        requireNoWayOut(weight, folder, file);
        return file;
    }

    /** Fails if a file is outside of the model's folder, to which a link in the folder may lead. */
    private static void requireNoWayOut(TensorProto weight, Path home, Path file) {
        try {
            Path real = file.toRealPath();
            if (!real.startsWith(home.toRealPath())) {
                throw new OnnxException("the weight " + weight.getName() + " lies in " + file + ", a link to " + real
                        + ", which is not in the model's folder; copy the file there");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("onnx: " + file + " cannot be read", failure);
        }
    }

    private static long number(TensorProto weight, String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new OnnxException("the weight " + weight.getName() + " is stored at \"" + text + "\" of its file");
        }
        return Long.parseLong(text);
    }
}
