package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The messages between a client and a runtime after the connection is established. A frame's payload is one or more
 * messages.
 */
public sealed interface Message permits ToRuntime, ToClient {
    /**
     * The length of one chunk of bulk data, in bytes. A chunk with its headers fits into a network buffer of 128 KiB. The network reuses a
     * few buffers of that size, but allocates larger buffers each time.
     */
    int CHUNK_BYTES = 127 << 10;

    /** The largest answer, in bytes, that travels inside the reply instead of on the bulk lane. */
    int INLINE_BYTES = 16 << 10;

    /**
     * The maximum number of values that one message frees. A few bytes encode any number of consecutive ids, so the size of the message
     * does not limit their number.
     */
    int MAX_FREED = 1 << 20;

    /** The maximum number of messages of one payload, so that a payload of tiny messages does not occupy its reader for long. */
    int MAX_MESSAGES = 1 << 14;

    /** The maximum number of values that a session may have at a time. */
    int MAX_VALUES = 1 << 20;

    /** Writes the bytes of one message. Several may follow each other in a payload. */
    void write(ByteWriter out);

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        write(out);
        return out.toByteArray();
    }

    /** Reads all messages of a payload, like {@link #decodeAll(Bytes)}. */
    static List<Message> decodeAll(byte[] payload) {
        return decodeAll(new Slice(payload));
    }

    /**
     * Reads all messages of a payload, of either side. Throws {@link MalformedException} for other bytes. The data of chunks are not
     * copied.
     */
    static List<Message> decodeAll(Bytes payload) {
        List<Message> messages = new ArrayList<>();
        decodeEach(payload, Message.class, messages::add);
        return messages;
    }

    /**
     * Passes the messages of a payload one by one, so that a receiver can refuse a message, and never holds all of them at once.
     *
     * @param expected the messages that the lane carries in this direction; of any other message only the kind is read
     */
    static <T extends Message> void decodeEach(Bytes payload, Class<T> expected, Consumer<? super T> receiver) {
        decodeEachSized(payload, expected, (message, bytes) -> receiver.accept(message));
    }

    /** Receives one message of a payload. */
    @FunctionalInterface
    interface SizedReceiver<T> {
        /** @param bytes the size of the message in the payload, in bytes */
        void accept(T message, int bytes);
    }

    /** Passes the messages like {@link #decodeEach}, with the size of each. */
    static <T extends Message> void decodeEachSized(
            Bytes payload, Class<T> expected, SizedReceiver<? super T> receiver) {
        ByteReader in = new ByteReader(payload);
        for (int count = 0; !in.isAtEnd(); count++) {
            if (count == MAX_MESSAGES) {
                throw new MalformedException("a payload has over " + MAX_MESSAGES + " messages");
            }
            int before = in.remaining();
            MessageKind kind = MessageKind.ofCode(in.u8());
            if (!expected.isAssignableFrom(kind.type())) {
                throw new MalformedException(kind.type().getSimpleName() + " does not belong on this lane");
            }
            T message = expected.cast(kind.read(in));
            receiver.accept(message, before - in.remaining());
        }
    }
}
