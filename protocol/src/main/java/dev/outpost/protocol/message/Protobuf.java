package dev.outpost.protocol.message;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.outpost.types.MalformedException;

/** Reads the messages that are protobuf. What a newer peer has added to one is left aside. */
public final class Protobuf {
    private Protobuf() {}

    /**
     * Reads a peer's message; bytes that are none are a {@link MalformedException}.
     *
     * @param what what is read, for errors
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
