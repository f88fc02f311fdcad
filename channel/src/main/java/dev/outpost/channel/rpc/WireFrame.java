package dev.outpost.channel.rpc;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Slice;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A frame as gRPC is handed it, and hands it over. One that goes out is in two pieces, so that bulk data are copied once, from
 * where they are to the network's buffers. One that came may still lie in those, which get it back when it is released.
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

    /** One that goes out. */
    public WireFrame(byte[] head, Body body) {
        this(head, body, new ByteBuffer[0], () -> {});
    }

    /** One that goes out, in one piece. */
    public WireFrame(byte[] frame) {
        this(frame, Slice.EMPTY);
    }

    /** One that came; the lender gets the buffers back when it is closed. */
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

    /** The frame as it came: all of it, in buffers that are lent until {@link #release}. */
    public ByteBuffer[] content() {
        return content;
    }

    /** Gives the buffers back; the frame is not read any more. */
    public void release() {
        try {
            lender.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
