package dev.outpost.protocol.source;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;

/**
 * The progress of a session's loads.
 *
 * @param loads the number of requested tensors
 * @param done the number of them that are loaded or have failed
 * @param bytes the bytes read from sources for them, without those that were already in memory
 * @param nanos the time during which something was being read, in nanoseconds
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
