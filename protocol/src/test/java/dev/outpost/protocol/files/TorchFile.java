package dev.outpost.protocol.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes zip files in torch's layout, and pickles instruction by instruction, also ones that torch never writes. */
final class TorchFile {
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    static TorchFile of(byte[] pickle) {
        return new TorchFile().with("archive/data.pkl", pickle);
    }

    TorchFile with(String name, byte[] bytes) {
        entries.put(name, bytes);
        return this;
    }

    byte[] bytes() {
        return bytes(ZipEntry.STORED);
    }

    byte[] bytes(int method) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setMethod(method);
                CRC32 sum = new CRC32();
                sum.update(each.getValue());
                entry.setCrc(sum.getValue());
                entry.setSize(each.getValue().length);
                if (method == ZipEntry.STORED) {
                    entry.setCompressedSize(each.getValue().length);
                }
                zip.putNextEntry(entry);
                zip.write(each.getValue());
                zip.closeEntry();
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    /** Builds a pickle. */
    static final class Pickle {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        static Pickle of(int protocol) {
            return new Pickle().raw(0x80, protocol);
        }

        /** Writes no PROTO, as in protocols 0 and 1. */
        static Pickle bare() {
            return new Pickle();
        }

        Pickle raw(int... codes) {
            for (int code : codes) {
                out.write(code);
            }
            return this;
        }

        Pickle ascii(String text) {
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            return this;
        }

        Pickle global(String module, String name) {
            return ascii("c" + module + "\n" + name + "\n");
        }

        Pickle text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return raw('X').wide(bytes.length).bytes(bytes);
        }

        Pickle bytes(byte[] bytes) {
            out.writeBytes(bytes);
            return this;
        }

        /** Four bytes, little-endian. */
        Pickle wide(int value) {
            return bytes(ByteBuffer.allocate(4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(value)
                    .array());
        }

        Pickle number(long value) {
            if (value == (int) value) {
                return raw('J').wide((int) value);
            }
            return raw(0x8a, 8)
                    .bytes(ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(value)
                            .array());
        }

        Pickle sizes(long... sizes) {
            raw('(');
            for (long size : sizes) {
                number(size);
            }
            return raw('t');
        }

        Pickle storage(String type, String key, long count) {
            return raw('(').text("storage")
                    .global("torch", type)
                    .text(key)
                    .text("cpu")
                    .number(count)
                    .raw('t', 'Q');
        }

        /** A tensor of a storage of floats named 0. */
        Pickle tensor(long count, long offset, long[] sizes, long[] strides) {
            return global("torch._utils", "_rebuild_tensor_v2")
                    .raw('(')
                    .storage("FloatStorage", "0", count)
                    .number(offset)
                    .sizes(sizes)
                    .sizes(strides)
                    .raw(0x89)
                    .global("collections", "OrderedDict")
                    .raw(')', 'R', 't', 'R');
        }

        byte[] end() {
            return raw('.').out.toByteArray();
        }
    }
}
