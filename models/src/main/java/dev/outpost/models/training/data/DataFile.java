package dev.outpost.models.training.data;

import dev.outpost.RemoteMachine;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A file of a data set, of any size, read in parts. Thread-safe. */
public interface DataFile {
    /** Returns the name in error messages. */
    String name();

    /** Returns the size in bytes, which does not change. */
    long size();

    /** Reads up to {@code max} bytes from an offset; fewer at the end of the file. May wait for a machine. */
    byte[] read(long offset, int max);

    /**
     * Returns the files at a location, by name.
     *
     * @param place a file or folder of this host, such as {@code data/train.jsonl}, or a URI such as {@code
     *     s3://bucket/data}, whose files the machine reads and sends to the client
     */
    static List<DataFile> at(RemoteMachine machine, String place) {
        return place.matches("[a-z][a-z0-9+.-]+:.*") ? ofMachine(machine.open(place)) : local(Path.of(place));
    }

    /** Returns the data files of a source: names that end in {@code .jsonl}, {@code .json}, {@code .txt} or {@code .text}. */
    static List<DataFile> ofMachine(Source source) {
        List<DataFile> files = source.files().entrySet().stream()
                .filter(entry -> isData(entry.getKey()) || source.files().size() == 1)
                .map(entry -> (DataFile) new SourceFile(source, entry.getKey(), entry.getValue()))
                .toList();
        return required(files, source.uri());
    }

    /** Returns a file, or all files below a folder. */
    static List<DataFile> local(Path place) {
        if (!Files.exists(place)) {
            throw new OutpostException(FaultKind.USER, "data: there is no file or folder " + place.toAbsolutePath());
        }
        try (Stream<Path> found = Files.walk(place)) {
            List<DataFile> files = found.filter(file -> Files.isRegularFile(file)
                            && (file.equals(place) || isData(file.getFileName().toString())))
                    .sorted()
                    .map(LocalFile::of)
                    .toList();
            return required(files, place.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException("data: " + place + " cannot be read", failure);
        }
    }

    private static boolean isData(String name) {
        String file = name.substring(name.lastIndexOf('/') + 1);
        int dot = file.lastIndexOf('.');
        return dot > 0 && Set.of("jsonl", "json", "ndjson", "txt", "text").contains(file.substring(dot + 1));
    }

    private static List<DataFile> required(List<DataFile> files, String place) {
        List<DataFile> filled = files.stream().filter(file -> file.size() > 0).toList();
        if (filled.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "data: there are no files of text in " + place);
        }
        return filled;
    }

    /** Returns text in memory as a file, for example in tests. */
    static DataFile of(String name, byte[] bytes) {
        return new Bytes(name, bytes.clone());
    }

    /** @param bytes must not be changed */
    record Bytes(String name, byte[] bytes) implements DataFile {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public byte[] read(long offset, int max) {
            int from = (int) Math.min(offset, bytes.length);
            return Arrays.copyOfRange(bytes, from, (int) Math.min((long) from + max, bytes.length));
        }
    }

    /** A file of this host. */
    record LocalFile(Path path, long size) implements DataFile {
        static DataFile of(Path path) {
            try {
                return new LocalFile(path, Files.size(path));
            } catch (IOException failure) {
                throw new UncheckedIOException("data: " + path + " cannot be read", failure);
            }
        }

        @Override
        public String name() {
            return path.toString();
        }

        @Override
        public byte[] read(long offset, int max) {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                long from = Math.min(offset, size);
                byte[] bytes = new byte[(int) Math.min(max, size - from)];
                file.seek(from);
                file.readFully(bytes);
                return bytes;
            } catch (IOException failure) {
                throw new UncheckedIOException("data: " + path + " cannot be read", failure);
            }
        }
    }

    /** A file that the machine reads. */
    record SourceFile(Source source, String file, long size) implements DataFile {
        @Override
        public String name() {
            return source.uri() + "/" + file;
        }

        @Override
        public byte[] read(long offset, int max) {
            return source.bytes(file, offset, max);
        }
    }
}
