package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The messages between the two sides once connected. A frame's payload is one or more messages. */
public sealed interface Message permits ToRuntime, ToClient {
    /**
     * The bytes of one chunk of bulk data. With what is said around it, it fills one of the network's buffers of 128 KiB;
     * a few of those at a time are kept and used again, while more would be made anew each time.
     */
    int CHUNK_BYTES = 127 << 10;

    /** Answers of at most this size travel inside the reply instead of on the bulk lane. */
    int INLINE_BYTES = 16 << 10;

    /**
     * The most values that one message frees; ids that follow each other take no bytes, so the bytes that came bound
     * nothing.
     */
    int MAX_FREED = 1 << 20;

    /** The most messages of one payload, so that the smallest ones do not keep its reader from all else. */
    int MAX_MESSAGES = 1 << 14;

    /** Values that a session may have at a time. */
    int MAX_VALUES = 1 << 20;

    /** The bytes of one message; several may follow each other in a payload. */
    void write(ByteWriter out);

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        write(out);
        return out.toByteArray();
    }

    /** As {@link #decodeAll(Bytes)}. */
    static List<Message> decodeAll(byte[] payload) {
        return decodeAll(new Slice(payload));
    }

    /**
     * All messages of a payload, of either side; anything else is a {@link MalformedException}. The data of chunks stay
     * where the payload is.
     */
    static List<Message> decodeAll(Bytes payload) {
        List<Message> messages = new ArrayList<>();
        decodeEach(payload, Message.class, messages::add);
        return messages;
    }

    /**
     * Hands over the messages of a payload one by one, so that whoever refuses one holds no others.
     *
     * @param expected the messages that the lane carries in this direction; of another one nothing but its kind is read
     */
    static <T extends Message> void decodeEach(Bytes payload, Class<T> expected, Consumer<? super T> receiver) {
        decodeEachSized(payload, expected, (message, bytes) -> receiver.accept(message));
    }

    /** Takes one message of a payload. */
    @FunctionalInterface
    interface SizedReceiver<T> {
        /** @param bytes how many bytes of the payload the message takes */
        void accept(T message, int bytes);
    }

    /** As {@link #decodeEach}, with the size of each message. */
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
