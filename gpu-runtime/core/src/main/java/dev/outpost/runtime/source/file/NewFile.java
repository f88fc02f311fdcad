package dev.outpost.runtime.source.file;

import dev.outpost.runtime.source.WritableBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file that is written next to its destination under a hidden name, and moved there when it is complete. */
final class NewFile implements WritableBytes {
    private static final Pattern DRAFT = Pattern.compile("\\.(.+?)\\d+\\.part");

    private final Path target;
    private final Path draft;
    private final FileChannel channel;
    private final OutputStream out;

    NewFile(Path target) throws IOException {
        this.target = target;
        draft = Files.createTempFile(target.getParent(), "." + target.getFileName(), ".part");
        channel = FileChannel.open(draft, StandardOpenOption.WRITE);
        out = Channels.newOutputStream(channel);
    }

    /** Returns the name of the destination of a draft file; empty if the file is not a draft. */
    static Optional<String> targetOf(Path file) {
        return Optional.of(DRAFT.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .map(name -> name.group(1));
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** Also forces the bytes and the name to the disk, so that a file that is committed later implies this one. */
    @Override
    public void commit() throws IOException {
        channel.force(true);
        out.close();
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(target.getParent());
    }

    /** Forces the names in a folder to the disk. */
    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(draft);
    }
}
