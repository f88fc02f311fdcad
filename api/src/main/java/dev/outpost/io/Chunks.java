package dev.outpost.io;

import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Reads and writes arrays in pieces, because the JDK copies an array through native memory of the same size. */
final class Chunks {
    static final int BYTES = 1 << 20;

    private Chunks() {}

    static byte[] read(String name, InputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        int at = 0;
        while (at < length) {
            int count = in.readNBytes(bytes, at, Math.min(BYTES, length - at));
            if (count == 0) {
                throw ends(name, length, at);
            }
            at += count;
        }
        return bytes;
    }

    static void write(OutputStream out, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += BYTES) {
            out.write(bytes, at, Math.min(BYTES, bytes.length - at));
        }
    }

    static MalformedException ends(String name, int expected, int got) {
        return new MalformedException(name + ": " + expected + " bytes of elements were expected, got " + got);
    }
}
