package dev.outpost.protocol.rpc;

import dev.outpost.protocol.bytes.Slice;

/**
 * A frame as gRPC is handed it: in two pieces, so that bulk data are copied once, from where they are to the network's
 * buffers. One that has come in is all head.
 */
public record WireFrame(byte[] head, Slice body) {
    public WireFrame(byte[] frame) {
        this(frame, Slice.EMPTY);
    }

    int length() {
        return head.length + body.length();
    }
}
