package dev.outpost.protocol.files;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The header of an .npy file: the type and layout of its array. Reads versions 1.0 to 3.0 with dtypes that tensors have. Refuses files
 * with Python objects, so nothing is ever unpickled.
 *
 * @param type dtype and shape
 * @param isBigEndian true if the elements' bytes are big-endian
 * @param isColumnMajor true if the first index of an element changes fastest (fortran_order)
 * @param bytes the length of the header, from the file's first byte to the first element's
 * @see <a href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">the format</a>
 */
public record NpyHeader(TensorType type, boolean isBigEndian, boolean isColumnMajor, int bytes) {
    /** The maximum length of a header, in bytes. Numpy writes at most a few hundred. */
    public static final int MAX_BYTES = 1 << 16;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;

    /**
     * Reads a header and no byte after it.
     *
     * @param name the name of the file in errors
     * @throws MalformedException if the header is invalid; the message names the file
     */
    public static NpyHeader read(String name, InputStream in) throws IOException {
        byte[] start = exactly(name, in, MAGIC.length + 2);
        if (!Arrays.equals(MAGIC, 0, MAGIC.length, start, 0, MAGIC.length)) {
            throw new MalformedException(name + ": an .npy file begins with \\x93NUMPY");
        }
        int major = start[MAGIC.length];
        int minor = start[MAGIC.length + 1];
        if (major < 1 || major > 3 || minor != 0) {
            throw new MalformedException(
                    name + ": versions 1.0, 2.0 and 3.0 are read, got " + (major & 0xff) + "." + (minor & 0xff));
        }
        int lengthBytes = major == 1 ? Short.BYTES : Integer.BYTES;
        long length = unsigned(exactly(name, in, lengthBytes));
        long total = start.length + lengthBytes + length;
        if (total > MAX_BYTES) {
            throw new MalformedException(name + ": a header has at most " + MAX_BYTES + " bytes, got " + total);
        }
        String text = new String(
                exactly(name, in, (int) length), major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        try {
            return of(NpyDescription.parse(text), (int) total);
        } catch (IllegalArgumentException | ArithmeticException | OpException failure) {
            throw new MalformedException(name + ": the header: " + failure.getMessage());
        }
    }

    private static byte[] exactly(String name, InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new MalformedException(name + ": the file ends within the header");
        }
        return bytes;
    }

    private static long unsigned(byte[] littleEndian) {
        ByteBuffer buffer = ByteBuffer.wrap(littleEndian).order(ByteOrder.LITTLE_ENDIAN);
        return littleEndian.length == Short.BYTES
                ? Short.toUnsignedInt(buffer.getShort())
                : Integer.toUnsignedLong(buffer.getInt());
    }

    private static NpyHeader of(NpyDescription description, int bytes) {
        String descr = description.descr();
        char order = descr.isEmpty() ? ' ' : descr.charAt(0);
        DType dtype = dtype(descr.isEmpty() ? "" : descr.substring(1));
        boolean hasOrder = order == '<' || order == '>';
        if (dtype == null || !(hasOrder || order == '|' && dtype.bytes() == 1)) {
            throw new IllegalArgumentException("the dtype is not supported, expected one of "
                    + Arrays.stream(DType.values())
                            .filter(each -> each != DType.BFLOAT16)
                            .map(NpyHeader::descr)
                            .collect(Collectors.joining(", "))
                    + ", got " + Json.quote(descr));
        }
        TensorType type = new TensorType(dtype, Shape.of(description.sizes()));
        Math.multiplyExact(type.shape().elements(), (long) dtype.bytes());
        return new NpyHeader(type, order == '>' && dtype.bytes() > 1, description.isColumnMajor(), bytes);
    }

    private static @Nullable DType dtype(String code) {
        return switch (code) {
            case "f8" -> DType.FLOAT64;
            case "f4" -> DType.FLOAT32;
            case "f2" -> DType.FLOAT16;
            case "i8" -> DType.INT64;
            case "i4" -> DType.INT32;
            case "i2" -> DType.INT16;
            case "i1" -> DType.INT8;
            case "u1" -> DType.UINT8;
            case "b1" -> DType.BOOL;
            default -> null;
        };
    }

    private static String descr(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> "<f8";
            case FLOAT32 -> "<f4";
            case FLOAT16 -> "<f2";
            case INT64 -> "<i8";
            case INT32 -> "<i4";
            case INT16 -> "<i2";
            case INT8 -> "|i1";
            case UINT8 -> "|u1";
            case BOOL -> "|b1";
            case BFLOAT16 ->
                throw new IllegalArgumentException(
                        "numpy has no bfloat16: cast to float32 first, or write .safetensors");
        };
    }

    /**
     * Returns the first bytes of a file of little-endian, row-major elements, as numpy writes them.
     *
     * @throws IllegalArgumentException for bfloat16, which numpy does not have
     */
    public static byte[] of(TensorType type) {
        String shape =
                Arrays.stream(type.shape().toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String tuple = type.shape().rank() == 1 ? shape + "," : shape;
        String text = "{'descr': '" + descr(type.dtype()) + "', 'fortran_order': False, 'shape': (" + tuple + "), }";
        int unpadded = MAGIC.length + 2 + Short.BYTES + text.length() + 1;
        int padded = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        int length = padded - MAGIC.length - 2 - Short.BYTES;
        String line = text + " ".repeat(padded - unpadded) + "\n";
        return ByteBuffer.allocate(padded)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) length)
                .put(line.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    /** Returns the size of the elements, in bytes. */
    public long dataBytes() {
        return type.bytes();
    }
}
