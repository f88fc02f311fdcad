package dev.outpost.channel.rpc;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Slice;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A frame on its way to or from gRPC. An outgoing frame has two pieces, so that bulk data are copied only once, into the network's buffers.
 * An incoming frame may still be in those buffers. Its release returns them.
 */
public final class WireFrame {
    private static final byte[] NO_HEAD = new byte[0];

    private final byte[] head;
    private final Body body;
    private final ByteBuffer[] content;
    private final Closeable lender;

    private WireFrame(byte[] head, Body body, ByteBuffer[] content, Closeable lender) {
        this.head = head;
        this.body = body;
        this.content = content;
        this.lender = lender;
    }

    /** Makes an outgoing frame. */
    public WireFrame(byte[] head, Body body) {
        this(head, body, new ByteBuffer[0], () -> {});
    }

    /** Makes an outgoing frame in one piece. */
    public WireFrame(byte[] frame) {
        this(frame, Slice.EMPTY);
    }

    /** Makes an incoming frame. Closing the lender returns the buffers. */
    static WireFrame arrived(Closeable lender, ByteBuffer... content) {
        return new WireFrame(NO_HEAD, Slice.EMPTY, content, lender);
    }

    byte[] head() {
        return head;
    }

    Body body() {
        return body;
    }

    int length() {
        return head.length + body.length();
    }

    /** Returns the whole incoming frame, in buffers that are valid until {@link #release}. */
    public ByteBuffer[] content() {
        return content;
    }

    /** Returns the buffers to gRPC. The frame must not be read afterwards. */
    public void release() {
        try {
            lender.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
