package dev.outpost.protocol.rpc;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Slice;

/**
 * A frame as gRPC is handed it: in two pieces, so that bulk data are copied once, from where they are to the network's
 * buffers.
 */
public record WireFrame(byte[] head, Body body) {
    private static final byte[] NO_HEAD = new byte[0];

    public WireFrame(byte[] frame) {
        this(frame, Slice.EMPTY);
    }

    /** A frame that came. */
    static WireFrame arrived(Slice content) {
        return new WireFrame(NO_HEAD, content);
    }

    /** A frame that came: all of it, in an array of the {@link FramePool}'s. */
    public Slice content() {
        return (Slice) body;
    }

    int length() {
        return head.length + body.length();
    }
}
