package dev.outpost.protocol.message;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.outpost.types.MalformedException;

/** Parses protobuf messages. Ignores fields that a newer peer has added. */
public final class Protobuf {
    private Protobuf() {}

    /**
     * Parses a peer's message. Throws {@link MalformedException} if the bytes are not a message.
     *
     * @param what the name of the message in errors
     */
    public static <T extends com.google.protobuf.Message> T parse(Parser<T> parser, byte[] bytes, String what) {
        try {
            return DiscardUnknownFieldsParser.wrap(parser).parseFrom(bytes);
        } catch (InvalidProtocolBufferException failure) {
            throw new MalformedException(
                    what + " cannot be read: " + PeerText.clean(String.valueOf(failure.getMessage()), 200));
        }
    }
}
