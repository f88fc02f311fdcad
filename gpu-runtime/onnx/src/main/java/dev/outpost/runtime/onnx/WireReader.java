package dev.outpost.runtime.onnx;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the fields of a protobuf message, one after the other, without a schema. Not thread-safe. */
final class WireReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;
    private static final int MAX_VARINT_BYTES = 10;

    private final ByteBuffer bytes;
    private int field;
    private long number;
    private ByteBuffer content;

    WireReader(ByteBuffer message) {
        this.bytes = message.duplicate();
    }

    /** Moves to the next field. Returns false at the end. */
    boolean next() {
        if (!bytes.hasRemaining()) {
            return false;
        }
        long tag = varint();
        field = Math.toIntExact(tag >>> 3 & Integer.MAX_VALUE);
        content = null;
        number = 0;
        switch ((int) (tag & 7)) {
            case VARINT -> number = varint();
            case FIXED64 -> content = take(Long.BYTES);
            case FIXED32 -> content = take(Integer.BYTES);
            case DELIMITED -> content = take(varint());
            default -> throw malformed("a field of wire type " + (tag & 7));
        }
        return true;
    }

    int field() {
        return field;
    }

    /** The value of an integer field; 0 for other fields. */
    long number() {
        return number;
    }

    /** The content of a message, a text or bytes. */
    ByteBuffer content() {
        if (content == null) {
            throw malformed("an integer in the place of a message, field " + field);
        }
        return content.duplicate();
    }

    String text() {
        return StandardCharsets.UTF_8.decode(content()).toString();
    }

    private ByteBuffer take(long count) {
        if (count < 0 || count > bytes.remaining()) {
            throw malformed("a field of " + count + " bytes with " + bytes.remaining() + " left");
        }
        ByteBuffer taken = bytes.slice(bytes.position(), (int) count);
        bytes.position(bytes.position() + (int) count);
        return taken;
    }

    private long varint() {
        long value = 0;
        for (int read = 0; read < MAX_VARINT_BYTES && bytes.hasRemaining(); read++) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << (7 * read);
            if (next >= 0) {
                return value;
            }
        }
        throw malformed("an integer without an end");
    }

    static OutpostException malformed(String problem) {
        return new OutpostException(FaultKind.USER, "model_open: this is no ONNX model: it has " + problem);
    }
}
