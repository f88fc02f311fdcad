package dev.outpost.protocol.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of a file, with the length that it had when it was opened. */
public final class ReadableFile implements ReadableBytes {
    private final String name;
    private final FileChannel channel;
    private final long size;

    private ReadableFile(String name, FileChannel channel, long size) {
        this.name = name;
        this.channel = channel;
        this.size = size;
    }

    public static ReadableFile open(Path path) throws IOException {
        return open(path, path.toString());
    }

    /** @param name its name in errors */
    public static ReadableFile open(Path path, String name) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new ReadableFile(name, channel, channel.size());
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long position, byte[] target, int at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(target, at, length);
        for (long next = position; buffer.hasRemaining(); ) {
            int count = channel.read(buffer, next);
            if (count < 0) {
                throw new EOFException(name + ": bytes " + position + " to " + (position + length)
                        + " were wanted, the file ends at " + next);
            }
            next += count;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
