package dev.outpost.protocol.source;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;

/**
 * How far a session's loads are.
 *
 * @param loads how many tensors it has asked for
 * @param done how many of them are there, or failed
 * @param bytes what was read from sources for them; what was in memory already is not read
 * @param nanos in how much time something was being read
 */
public record LoadProgress(long loads, long done, long bytes, long nanos) {

    /** Bytes per second; 0 before anything was read. */
    public double rate() {
        return nanos == 0 ? 0 : bytes * 1e9 / nanos;
    }

    public byte[] encode() {
        ByteWriter out = new ByteWriter();
        out.varint(loads);
        out.varint(done);
        out.varint(bytes);
        out.varint(nanos);
        return out.toByteArray();
    }

    public static LoadProgress decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        LoadProgress progress = new LoadProgress(in.varint(), in.varint(), in.varint(), in.varint());
        in.expectEnd("the progress of loads");
        return progress;
    }
}
