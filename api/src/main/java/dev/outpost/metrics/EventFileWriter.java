package dev.outpost.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.zip.CRC32C;

/**
 * An event file of TensorBoard: records of TFRecord (a length, its checksum, the bytes, their checksum), each of which is a protobuf
 * message {@code tensorflow.Event} with scalars.
 */
final class EventFileWriter implements MetricsWriter {
    private static final String VERSION = "brain.Event:2";
    /** The constant that TFRecord adds to rotated checksums. */
    private static final int MASK_DELTA = 0xa282ead8;
    /** {@code SessionLog.START}, after which TensorBoard drops earlier events of this and later steps. */
    private static final int START = 1;

    private static final int WALL_TIME = 1;
    private static final int STEP = 2;
    private static final int FILE_VERSION = 3;
    private static final int SUMMARY = 5;
    private static final int SESSION_LOG = 7;
    private static final int VALUE = 1;
    private static final int TAG = 1;
    private static final int SIMPLE_VALUE = 2;
    private static final int STATUS = 1;

    private final OutputStream out;

    EventFileWriter(Path folder, long afterStep) throws IOException {
        out = open(folder);
        record(event(0, now()).text(FILE_VERSION, VERSION));
        if (afterStep != Long.MAX_VALUE) {
            record(event(afterStep + 1, now()).message(SESSION_LOG, new Message().number(STATUS, START)));
        }
    }

    private static double now() {
        return System.currentTimeMillis() / 1e3;
    }

    private static OutputStream open(Path folder) throws IOException {
        String prefix = String.format(
                Locale.ROOT,
                "events.out.tfevents.%010d.%s.%d",
                System.currentTimeMillis() / 1000,
                host(),
                ProcessHandle.current().pid());
        for (int number = 0; ; number++) {
            try {
                return Files.newOutputStream(
                        folder.resolve(prefix + "." + number), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException ignored) {
                // A writer of the same second has this name.
            }
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "_");
        } catch (UnknownHostException ignored) {
            return "localhost";
        }
    }

    @Override
    public void write(long step, double time, SequencedMap<String, Double> values) throws IOException {
        Message summary = new Message();
        values.forEach((name, value) ->
                summary.message(VALUE, new Message().text(TAG, name).float32(SIMPLE_VALUE, value.floatValue())));
        record(event(step, time).message(SUMMARY, summary));
    }

    private static Message event(long step, double time) {
        return new Message().float64(WALL_TIME, time).number(STEP, step);
    }

    private void record(Message message) throws IOException {
        out.write(frame(message.bytes.toByteArray()));
        out.flush();
    }

    static byte[] frame(byte[] bytes) {
        ByteBuffer framed = ByteBuffer.allocate(bytes.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        framed.putLong(bytes.length);
        framed.putInt(maskedChecksum(framed.array(), Long.BYTES));
        framed.put(bytes).putInt(maskedChecksum(bytes, bytes.length));
        return framed.array();
    }

    private static int maskedChecksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return Integer.rotateRight((int) checksum.getValue(), 15) + MASK_DELTA;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** A protobuf message. */
    private static final class Message {
        private static final int VARINT = 0;
        private static final int FIXED64 = 1;
        private static final int BYTES = 2;
        private static final int FIXED32 = 5;

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Message number(int field, long value) {
            varint((long) field << 3 | VARINT);
            varint(value);
            return this;
        }

        Message float64(int field, double value) {
            varint((long) field << 3 | FIXED64);
            bytes.writeBytes(ByteBuffer.allocate(Double.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putDouble(value)
                    .array());
            return this;
        }

        Message float32(int field, float value) {
            varint((long) field << 3 | FIXED32);
            bytes.writeBytes(ByteBuffer.allocate(Float.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putFloat(value)
                    .array());
            return this;
        }

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return bytes(field, value.bytes.toByteArray());
        }

        private Message bytes(int field, byte[] value) {
            varint((long) field << 3 | BYTES);
            varint(value.length);
            bytes.writeBytes(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                bytes.write((int) (rest & 0x7F | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }
    }
}
