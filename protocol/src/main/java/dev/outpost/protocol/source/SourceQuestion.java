package dev.outpost.protocol.source;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.MalformedException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** What a client asks about sources. A machine answers bytes, or a fault. */
public sealed interface SourceQuestion {
    /** What is there? The answer is a {@link SourceIndex}. */
    record Open(String uri) implements SourceQuestion {}

    /** What does a small file of a source say? The answer is its bytes. */
    record ReadFile(String uri, String version, String file) implements SourceQuestion {}

    /** How much has been loaded? The answer is a {@link LoadProgress}. */
    record Progress() implements SourceQuestion {}

    /** Loads of this session that are under way and not done shall fail. The answer is empty. */
    record Cancel() implements SourceQuestion {}

    /**
     * Write values of the session as a model, once what was recorded before has run: small files first, then the tensors in
     * safetensors files, and what names several of these last. The answer is the number of bytes that were written.
     *
     * @param values the tensors' names, and the ids of their values
     * @param files small files beside them, by path
     * @param shardBytes the tensors' bytes in a file at most, unless a tensor alone has more
     */
    record Save(String uri, SequencedMap<String, Long> values, SequencedMap<String, byte[]> files, long shardBytes)
            implements SourceQuestion {}

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        switch (this) {
            case Open open -> {
                out.u8(1);
                out.string(open.uri);
            }
            case ReadFile read -> {
                out.u8(2);
                out.string(read.uri);
                out.string(read.version);
                out.string(read.file);
            }
            case Progress progress -> out.u8(3);
            case Cancel cancel -> out.u8(4);
            case Save save -> {
                out.u8(5);
                out.string(save.uri);
                out.varint(save.values.size());
                save.values.forEach((name, value) -> {
                    out.string(name);
                    out.varint(value);
                });
                out.varint(save.files.size());
                save.files.forEach((path, bytes) -> {
                    out.string(path);
                    out.block(bytes);
                });
                out.varint(save.shardBytes);
            }
        }
        return out.toByteArray();
    }

    static SourceQuestion decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int kind = in.u8();
        SourceQuestion question = switch (kind) {
            case 1 -> new Open(in.string());
            case 2 -> new ReadFile(in.string(), in.string(), in.string());
            case 3 -> new Progress();
            case 4 -> new Cancel();
            case 5 -> readSave(in);
            default -> throw new MalformedException("question " + kind + " about sources is unknown");
        };
        in.expectEnd("a question about sources");
        return question;
    }

    private static Save readSave(ByteReader in) {
        String uri = in.string();
        SequencedMap<String, Long> values = new LinkedHashMap<>();
        for (int left = in.count("value count", 2); left > 0; left--) {
            values.put(in.string(), in.varint());
        }
        SequencedMap<String, byte[]> files = new LinkedHashMap<>();
        for (int left = in.count("file count", 2); left > 0; left--) {
            files.put(in.string(), in.block());
        }
        return new Save(uri, values, files, in.varint());
    }
}
